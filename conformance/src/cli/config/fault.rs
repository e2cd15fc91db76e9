//! What can be wrong with the value of a setting that its type does not rule out.

use std::collections::BTreeSet;
use std::time::Duration;

use reqwest::Url;
use rollcall_contract::Contract;
use rollcall_oracle::corpus::search;

use super::{Pair, Settings};
use crate::checks;
use crate::engine::fixture;

/// What is wrong with one setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Its key, which is the name of its flag too.
    pub key: &'static str,
    /// What is wrong with it.
    pub why: String,
}

impl Settings {
    /// Looks at the values.
    ///
    /// # Errors
    /// The first that is wrong.
    pub fn verify(&self, contract: &Contract) -> Result<(), Fault> {
        let zero = |is_zero: bool| is_zero.then(|| "0 lets nothing happen".to_owned());
        let base_url = self.base_url.as_deref();
        let kinds = fixture::kinds(contract);
        let kinds = kinds.iter().map(String::as_str).collect();
        let faults = [
            ("base-url", base_url.and_then(|url| address(url).err())),
            ("concurrency", zero(self.concurrency == Some(0))),
            ("max-requests", zero(self.max_requests == Some(0))),
            ("timeout", zero(self.timeout == Some(0))),
            ("budget", self.budget.as_deref().and_then(|text| time(text).err())),
            ("rate", self.rate.and_then(no_rate)),
            ("only", no_check(&self.only)),
            ("skip", no_check(&self.skip)),
            ("fixture", unknown_key(&self.fixture, kinds)),
            ("search", unknown_key(&self.search, search::keys(contract))),
        ];
        let mut faults = faults.into_iter();
        match faults.find_map(|(key, why)| Some(Fault { key, why: why? })) {
            Some(fault) => Err(fault),
            None => Ok(()),
        }
    }
}

/// The address of a target, or what is wrong with it; the sentence repeats none of it.
pub(crate) fn address(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|error| format!("this is no address: {error}"))?;
    if !["http", "https"].contains(&url.scheme()) || url.host().is_none() {
        return Err("an address begins with http:// or https://".to_owned());
    }
    let has_credentials = !url.username().is_empty() || url.password().is_some();
    if has_credentials || url.query().is_some() || url.fragment().is_some() {
        return Err("an address has no credentials, query or fragment".to_owned());
    }
    Ok(url)
}

/// A time: a number and its unit, `s` or `m`; or what is wrong with it.
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    let unit = |ending: &str, seconds: u64| {
        let number: u64 = text.strip_suffix(ending)?.trim().parse().ok()?;
        number.checked_mul(seconds).filter(|seconds| *seconds > 0)
    };
    let seconds = unit("s", 1).or_else(|| unit("m", 60));
    let wrong = || "a time is a number above 0 with its unit, such as 120s or 5m".to_owned();
    seconds.map(Duration::from_secs).ok_or_else(wrong)
}

fn no_rate(rate: f64) -> Option<String> {
    let spaced = rate > 0.0 && Duration::try_from_secs_f64(rate.recip()).is_ok();
    (!spaced).then(|| "the number of requests in a second is above 0".to_owned())
}

fn no_check(selections: &[String]) -> Option<String> {
    let unknown = |selection: &&String| !checks::all().any(|check| check.is_meant_by(selection));
    let selection = selections.iter().find(unknown)?;
    Some(format!("{selection} means no check; see `list`"))
}

fn unknown_key(pairs: &[Pair], known: BTreeSet<&str>) -> Option<String> {
    let pair = pairs.iter().find(|pair| !known.contains(pair.key.as_str()))?;
    let known: Vec<_> = known.into_iter().collect();
    Some(format!("unknown name {}; known: {}", pair.key, known.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rollcall_oracle::our_contract;

    /// The fault of the default settings after a change.
    fn fault(change: impl FnOnce(&mut Settings)) -> (&'static str, String) {
        let mut settings = Settings::default();
        change(&mut settings);
        let Fault { key, why } = settings.verify(&our_contract().unwrap()).unwrap_err();
        (key, why)
    }

    #[test]
    fn a_value_that_makes_no_sense_is_told_with_its_key() {
        let none = Settings::default();
        assert_eq!(none.verify(&our_contract().unwrap()), Ok(()));
        for rate in [0.0, -1.0, f64::NAN] {
            assert_eq!(fault(|settings| settings.rate = Some(rate)).0, "rate");
        }
        assert_eq!(fault(|settings| settings.timeout = Some(0)).0, "timeout");
        assert_eq!(fault(|settings| settings.skip.push("Z9".to_owned())).0, "skip");
        let (key, why) = fault(|settings| settings.fixture.push("user=1".parse().unwrap()));
        assert!(key == "fixture" && why.contains("workspace-user"), "{why}");
        let (key, why) = fault(|settings| settings.search.push("name=x".parse().unwrap()));
        assert!(key == "search" && why.contains("id, metadata, org"), "{why}");
    }

    #[test]
    fn a_time_has_a_unit() {
        assert_eq!(time("120s"), Ok(Duration::from_secs(120)));
        assert_eq!(time("5m"), Ok(Duration::from_secs(300)));
        for wrong in ["120", "0s", "-1s", "1h", "s", ""] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
        assert_eq!(
            fault(|settings| settings.budget = Some("soon".to_owned())).0,
            "budget"
        );
    }

    #[test]
    fn an_address_is_complete_and_holds_no_secret() {
        for wrong in [
            "nonsense",
            "ftp://h/api/v1",
            "http://u:p@h/api/v1",
            "http://h/api?x=y",
        ] {
            let why = address(wrong).unwrap_err();
            assert!(!why.contains(wrong), "{why}");
        }
        assert!(address("https://directory.example/api/v1").is_ok());
    }
}
