//! Violations that are known and excused for a while.
//!
//! Invariant: a waiver never hides a violation; it stays in the report with the reason that was given.

mod file;

use jiff::civil::Date;

use crate::engine::outcome::Outcome;
use crate::engine::waiver::Waiver;
use crate::report::{WaiverKind, WaiverNote};

pub use file::{WaiverError, read};

/// The waivers of a run, and what has become of them so far.
#[derive(Debug)]
pub(crate) struct Waivers(Vec<(Waiver, WaiverStatus)>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WaiverStatus {
    /// Its last day has passed.
    Expired,
    /// Nothing was said about its check yet.
    Waiting,
    /// It has excused a violation.
    Used,
    /// Its check finds nothing of the kind.
    Stale,
}

impl Waivers {
    /// The waivers, on a day by which some may have expired.
    pub(crate) fn new(waivers: Vec<Waiver>, today: Option<Date>) -> Self {
        let status = |waiver: &Waiver| match today {
            Some(today) if waiver.expires < today => WaiverStatus::Expired,
            _ => WaiverStatus::Waiting,
        };
        let with_fate = |waiver| {
            let status = status(&waiver);
            (waiver, status)
        };
        Self(waivers.into_iter().map(with_fate).collect())
    }

    /// What a check comes to with its waivers: if they excuse all that it finds, it is waived.
    pub(crate) fn excuse(&mut self, check: &str, outcome: Outcome) -> Outcome {
        let mine = self.0.iter_mut().filter(|(waiver, status)| {
            *status != WaiverStatus::Expired && waiver.check.eq_ignore_ascii_case(check)
        });
        let (cases, findings) = match outcome {
            Outcome::Failed { cases, findings } => (cases, findings),
            Outcome::Passed { .. } | Outcome::Observed { .. } => {
                mine.for_each(|(_, status)| *status = WaiverStatus::Stale);
                return outcome;
            }
            other => return other,
        };
        let mut reasons = Vec::new();
        let mut excused = vec![false; findings.len()];
        for (waiver, status) in mine {
            let mut used = false;
            for (finding, excused) in findings.iter().zip(&mut excused) {
                let excuses = waiver.excuses(finding);
                used |= excuses;
                *excused |= excuses;
            }
            *status = if used {
                WaiverStatus::Used
            } else {
                WaiverStatus::Stale
            };
            if used {
                reasons.push(waiver.reason.clone());
            }
        }
        match excused.into_iter().all(|excused| excused) {
            true => Outcome::Waived {
                reason: reasons.join("; "),
                cases,
                findings,
            },
            false => Outcome::Failed { cases, findings },
        }
    }

    /// What is to be said about the waivers that excused nothing.
    pub(crate) fn notes(&self) -> Vec<WaiverNote> {
        self.0
            .iter()
            .filter_map(|(waiver, status)| note(waiver, *status))
            .collect()
    }
}

fn note(waiver: &Waiver, status: WaiverStatus) -> Option<WaiverNote> {
    let (kind, why) = match status {
        WaiverStatus::Used => return None,
        WaiverStatus::Expired => (
            WaiverKind::Expired,
            format!(
                "has expired, its last day was {}: mend the violation or renew it",
                waiver.expires
            ),
        ),
        WaiverStatus::Stale => (
            WaiverKind::Stale,
            "excuses nothing, the check finds nothing of the kind: remove it".to_owned(),
        ),
        WaiverStatus::Waiting => (
            WaiverKind::Unused,
            "was not needed: the check did not run, or came to nothing".to_owned(),
        ),
    };
    let about = waiver
        .about
        .as_ref()
        .map_or(String::new(), |about| format!(" about {about}"));
    Some(WaiverNote {
        kind,
        note: format!("the waiver of {}{about} ({}) {why}", waiver.check, waiver.reason),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::finding::Finding;
    use rollcall_oracle::corpus::clause::Clause;

    fn waiver(about: Option<&str>) -> Waiver {
        Waiver {
            check: "E3".to_owned(),
            reason: "known".to_owned(),
            expires: "2027-01-31".parse().unwrap(),
            about: about.map(str::to_owned),
        }
    }

    fn failed(about: &[&str]) -> Outcome {
        let clause = || Clause::of_check(crate::checks::CATALOGUE.first().clause);
        let finding = |about: &&str| Finding::new(*about, clause(), ("", ""), Vec::new());
        Outcome::Failed {
            cases: 9,
            findings: about.iter().map(finding).collect(),
        }
    }

    fn on(day: &str, waivers: Vec<Waiver>) -> Waivers {
        Waivers::new(waivers, Some(day.parse().unwrap()))
    }

    fn kinds(waivers: &Waivers) -> Vec<WaiverKind> {
        waivers.notes().into_iter().map(|note| note.kind).collect()
    }

    #[test]
    fn a_waived_failure_keeps_its_findings_and_gets_the_reason() {
        let mut waivers = on("2027-01-31", vec![waiver(None)]);
        let Outcome::Waived {
            reason,
            cases,
            findings,
        } = waivers.excuse("E3", failed(&["a", "b"]))
        else {
            panic!("it is not waived");
        };
        assert_eq!((reason.as_str(), cases, findings.len()), ("known", 9, 2));
        assert_eq!(kinds(&waivers), []);
    }

    #[test]
    fn an_expired_waiver_excuses_nothing_and_is_reported() {
        let mut waivers = on("2027-02-01", vec![waiver(None)]);
        assert_eq!(waivers.excuse("E3", failed(&["a"])).word(), "failed");
        assert_eq!(kinds(&waivers), [WaiverKind::Expired]);
    }

    #[test]
    fn a_waiver_about_one_thing_excuses_no_other() {
        let list = "/directory/users ";
        let email = [list, "filter[email]"].concat();
        let search = [list, "filter[email_search]"].concat();
        let mut waivers = on("2026-01-01", vec![waiver(Some("filter[email]"))]);
        assert_eq!(waivers.excuse("E3", failed(&[&email])).word(), "waived");
        assert_eq!(waivers.excuse("E3", failed(&[&email, &search])).word(), "failed");
        assert_eq!(kinds(&waivers), []);
        assert_eq!(waivers.excuse("E3", failed(&[&search])).word(), "failed");
        assert_eq!(kinds(&waivers), [WaiverKind::Stale]);
    }

    #[test]
    fn two_waivers_excuse_together() {
        let mut waivers = on("2026-01-01", vec![waiver(Some("a")), waiver(Some("b"))]);
        assert_eq!(waivers.excuse("E3", failed(&["a", "b"])).word(), "waived");
    }

    #[test]
    fn a_waiver_that_is_not_needed_is_reported() {
        let mut waivers = on("2026-01-01", vec![waiver(None)]);
        assert_eq!(waivers.excuse("E4", failed(&["a"])).word(), "failed");
        assert_eq!(kinds(&waivers), [WaiverKind::Unused]);
        let passed = Outcome::Passed {
            cases: 1,
            gaps: Vec::new(),
            unjudged: Vec::new(),
        };
        waivers.excuse("E3", passed);
        assert_eq!(kinds(&waivers), [WaiverKind::Stale]);
    }
}
