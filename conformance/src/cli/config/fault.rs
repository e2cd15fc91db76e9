//! What can be wrong with the value of a setting that its type does not rule out.

use std::collections::BTreeSet;
use std::time::Duration;

use reqwest::Url;
use rollcall_contract::Contract;

use super::{Pair, Settings};
use crate::checks;
use crate::corpus::search;
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
        let fault = |key, why: Option<String>| why.map_or(Ok(()), |why| Err(Fault { key, why }));
        fault(
            "base-url",
            self.base_url.as_deref().and_then(|url| address(url).err()),
        )?;
        let nothing = |number: Option<usize>| (number == Some(0)).then(|| "0 lets nothing happen".to_owned());
        fault("concurrency", nothing(self.concurrency))?;
        fault("max-requests", nothing(self.max_requests))?;
        let seconds = self.timeout.map(|seconds| usize::from(seconds > 0));
        fault("timeout", nothing(seconds))?;
        fault("rate", self.rate.and_then(no_rate))?;
        fault("only", no_check(&self.only))?;
        fault("skip", no_check(&self.skip))?;
        let kinds = fixture::kinds(contract);
        fault(
            "fixture",
            unknown_key(&self.fixture, kinds.iter().map(String::as_str).collect()),
        )?;
        fault("search", unknown_key(&self.search, search::keys(contract)))
    }
}

/// The address of a target, or what is wrong with it; the sentence repeats none of it.
pub(crate) fn address(text: &str) -> Result<Url, String> {
    let url: Url = text
        .parse()
        .map_err(|error| format!("this is no address: {error}"))?;
    if !["http", "https"].contains(&url.scheme()) || url.host().is_none() {
        return Err("an address begins with http:// or https://".to_owned());
    }
    if !url.username().is_empty()
        || url.password().is_some()
        || url.query().is_some()
        || url.fragment().is_some()
    {
        return Err("an address has no credentials, query or fragment".to_owned());
    }
    Ok(url)
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
    use crate::our_contract;

    fn fault(settings: Settings) -> (&'static str, String) {
        let Fault { key, why } = settings.verify(&our_contract().unwrap()).unwrap_err();
        (key, why)
    }

    fn pair(text: &str) -> Vec<Pair> {
        vec![text.parse().unwrap()]
    }

    #[test]
    fn a_value_that_makes_no_sense_is_told_with_its_key() {
        let none = Settings::default();
        assert_eq!(none.verify(&our_contract().unwrap()), Ok(()));
        for rate in [0.0, -1.0, f64::NAN] {
            assert_eq!(
                fault(Settings {
                    rate: Some(rate),
                    ..none.clone()
                })
                .0,
                "rate"
            );
        }
        assert_eq!(
            fault(Settings {
                timeout: Some(0),
                ..none.clone()
            })
            .0,
            "timeout"
        );
        assert_eq!(
            fault(Settings {
                skip: vec!["Z9".to_owned()],
                ..none.clone()
            })
            .0,
            "skip"
        );
        let (key, why) = fault(Settings {
            fixture: pair("user=1"),
            ..none.clone()
        });
        assert!(key == "fixture" && why.contains("workspace-user"), "{why}");
        let (key, why) = fault(Settings {
            search: pair("name=x"),
            ..none
        });
        assert!(key == "search" && why.contains("id, metadata, org"), "{why}");
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
