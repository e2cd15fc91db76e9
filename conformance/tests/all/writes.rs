//! Which requests that change something a run sends: what its texts say, held against what a target receives.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use rollcall_conformance::Report;
use rollcall_shelf::{Asked, Hooks, Model, TOKEN};

use crate::{PEOPLE, judge_as};

/// The fixtures of a run: kind → id.
type Fixtures = &'static [(&'static str, &'static str)];

/// A write as the target received it.
struct Received {
    path: String,
    is_granted: bool,
    has_token: bool,
}

impl Received {
    /// The id in the path.
    fn id(&self) -> &str {
        self.path.split('/').nth(3).unwrap_or_default()
    }
}

/// Judges the model; the report, and every write that the model received.
async fn received(allow_writes: bool, fixtures: Fixtures) -> (Report, Vec<Received>) {
    let log: Arc<Mutex<Vec<Received>>> = Arc::default();
    let mut hooks = Hooks::default();
    let own = Arc::clone(&log);
    hooks.on_answer(move |asked: &Asked, reply| {
        if asked.writes() {
            own.lock().unwrap().push(Received {
                path: asked.path.clone(),
                is_granted: reply.is_success(),
                has_token: asked.credentials == Some(format!("Bearer {TOKEN}")),
            });
        }
    });
    let report = judge_as(
        Model::new(PEOPLE, hooks),
        |_| {},
        |config| {
            config.allow_writes = allow_writes;
            let named = fixtures.iter();
            config.fixtures = named
                .map(|(kind, id)| ((*kind).to_owned(), (*id).to_owned()))
                .collect();
        },
    )
    .await;
    let received = std::mem::take(&mut *log.lock().unwrap());
    (report, received)
}

fn changed(received: &[Received]) -> Vec<&str> {
    let granted = received.iter().filter(|write| write.is_granted);
    let mut ids: Vec<_> = granted.map(Received::id).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

#[tokio::test]
async fn a_run_that_may_not_write_sends_writes_without_a_valid_token_alone() {
    let (report, received) = received(false, &[]).await;
    assert!(!received.is_empty(), "A4 sends some");
    assert!(received.iter().all(|write| !write.has_token && !write.is_granted));
    assert_eq!(report.writes, [""; 0]);
}

#[tokio::test]
async fn a_run_that_may_write_changes_records_that_it_finds_and_names_them() {
    let (report, received) = received(true, &[]).await;
    let mut named = report.writes.clone();
    named.sort();
    assert_eq!(changed(&received), named);
    for prefix in ["dratr_", "wsusr_"] {
        assert!(named.iter().any(|id| id.starts_with(prefix)), "{named:?}");
    }
}

#[tokio::test]
async fn a_fixture_is_the_only_record_of_its_kind_that_is_changed() {
    const FIXTURES: Fixtures = &[
        ("directory-attribute", "dratr_407a001"),
        ("workspace-user", "wsusr_000w0000"),
    ];
    let (report, received) = received(true, FIXTURES).await;
    let named: Vec<_> = FIXTURES.iter().map(|(_, id)| *id).collect();
    let tried = received.iter().filter(|write| write.has_token);
    // An id that no record has is tried as well (W10).
    let strangers = tried.filter(|write| !named.contains(&write.id()));
    assert!(strangers.into_iter().all(|write| !write.is_granted));
    let changed = changed(&received);
    assert!(
        !changed.is_empty() && changed.iter().all(|id| named.contains(id)),
        "{changed:?}"
    );
    assert_eq!(report.writes.len(), changed.len());
}

/// A target that refuses `roles: false` once, after it has brought a record back, and is too busy for it from then on.
#[tokio::test]
async fn a_refusal_that_cannot_be_repeated_leaves_the_other_writes_judged() {
    let mut hooks = Hooks::default();
    let brought_back = Arc::new(AtomicBool::new(false));
    let (refused, granted) = (AtomicBool::new(false), Arc::clone(&brought_back));
    hooks.on_write(move |asked, write| {
        let is_it = asked.body.as_ref().is_some_and(|body| body["roles"] == false);
        if is_it && write.refused.is_none() && brought_back.load(Ordering::Relaxed) {
            let was_refused = refused.swap(true, Ordering::Relaxed);
            write.refused = Some(if was_refused { 429 } else { 422 });
        }
    });
    hooks.on_answer(move |asked, reply| {
        if asked.path.ends_with("/restore") && reply.is_success() {
            granted.store(true, Ordering::Relaxed);
        }
        if reply.status == 429 {
            reply.set("retry-after", "0");
        }
    });
    let report = judge_as(
        Model::new(PEOPLE, hooks),
        |_| {},
        |config| config.allow_writes = true,
    )
    .await;
    let outcome = |id: &str| report.check(id).unwrap().outcome.word();
    assert_eq!(["W6", "W7", "W14"].map(outcome), ["passed"; 3]);
    assert_eq!(outcome("W9"), "inconclusive");
}
