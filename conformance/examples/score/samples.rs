//! Results as tests need them.

use crate::measure::{Judged, Proof};
use crate::plan::{PEOPLE, Task, Tool};
use crate::replay::Shows;
use crate::results::{Came, Line};
use crate::rival::Tested;

/// A run of ours in which these checks failed.
pub(crate) fn judged(target: &str, people: usize, seed: u64, failed: &[&str]) -> Line {
    let proof = |check: &&str| Proof {
        check: (*check).to_owned(),
        requests: vec!["GET /a".to_owned(), "GET /b".to_owned()],
        parameters: 1,
        shows: Shows::Anywhere,
    };
    Line {
        task: Task {
            tool: Tool::Runner,
            target: target.to_owned(),
            people,
            seed,
            writes: true,
        },
        came: Came::Judged(Judged {
            failed: failed.iter().map(|check| (*check).to_owned()).collect(),
            decided: true,
            requests: 100 + people,
            seconds: 1.5,
            first: failed.first().map(|_| 0.5),
            proofs: failed.iter().map(proof).collect(),
        }),
    }
}

/// A run of Schemathesis with these failures.
pub(crate) fn tested(target: &str, failures: &[&str]) -> Line {
    Line {
        task: Task {
            tool: Tool::Schemathesis,
            ..judged(target, PEOPLE, 1, &[]).task
        },
        came: Came::Tested(Tested {
            version: "4".to_owned(),
            failures: failures.iter().map(|failure| (*failure).to_owned()).collect(),
            requests: 900,
            seconds: 12.0,
        }),
    }
}
