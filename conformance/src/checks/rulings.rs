//! The open points: whether a target does what the profile says that it claims.
//!
//! Invariant: without a profile nothing is claimed, and nothing here runs.

use crate::checks::scope::OPEN_POINTS;
use crate::checks::{BASE, Check, Level};
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;
use crate::engine::profile::Profile;

pub(super) const CHECKS: &[Check] = &[Check {
    id: "P1",
    topics: &[OPEN_POINTS],
    clause: NO_CLAUSE,
    level: Level::Ruling,
    says: "The target chooses at every open point as its profile says.",
    needs: "a profile, and the observations of the checks before",
    finds: "a server that claims a profile and does otherwise",
    advice: "Change the server, or take the profile away from the claim: a profile is a promise and not the \
             specification.",
    run: |engine, result| {
        Box::pin(async {
            as_claimed(engine, result);
            Ok(())
        })
    },
    ..BASE
}];

/// More choices than this that were not observed are told in one line.
const FEW: usize = 5;

/// Stands in place of a clause: what a profile claims is in no clause.
const NO_CLAUSE: &str = "—";

fn as_claimed(engine: &Engine, result: &mut CheckResult) {
    let Some(profile) = &engine.config.profile else {
        result.gap("a profile");
        return;
    };
    let seen = Profile::of(&engine.observed);
    let mut unseen = Vec::new();
    for (point, question) in profile.questions() {
        let (claimed, seen) = (profile.choice(point, question), seen.choice(point, question));
        match (claimed, seen) {
            (Some(claimed), Some(seen)) if claimed != seen => {
                let about = format!("{point} {question}");
                result.finding(engine.finding(about, (claimed, seen), Vec::new()));
            }
            (Some(_), Some(_)) => result.count_case(),
            _ => unseen.push(format!("{point} {question}")),
        }
    }
    match &unseen[..] {
        [first, _, ..] if unseen.len() > FEW => result.gap(format!(
            "{} of {} choices of the profile, such as {first}: they were not observed; with --only or --skip, the checks that \
             observe them may not have run",
            unseen.len(),
            profile.questions().count()
        )),
        few => few.iter().for_each(|one| result.gap(format!("{one}: it was not observed"))),
    }
    result.gap_if_empty("a profile that has a ruling for an observed point");
}
