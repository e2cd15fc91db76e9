//! The runner's judgement of this server.

use std::collections::BTreeSet;

use rollcall_conformance::engine::outcome::Outcome;
use rollcall_conformance::engine::profile::Profile;
use rollcall_conformance::report::Format;
use rollcall_conformance::{Report, RunConfig, TargetConfig, Token, Verdict, our_contract, run};

use crate::harness::{Running, TOKEN};

async fn judged(configure: impl FnOnce(&mut RunConfig)) -> (Report, String) {
    let server = Running::today().await;
    let target = TargetConfig::new(server.base.parse().unwrap(), Token::new(TOKEN).unwrap());
    let mut config = RunConfig::new(our_contract().unwrap());
    configure(&mut config);
    let report = run(target, config, |_| ()).await;
    let mut text = Vec::new();
    report.write(Format::Markdown, &mut text).unwrap();
    (report, String::from_utf8(text).unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_runner_says_that_the_demo_server_conforms_and_has_exercised_every_check() {
    let (report, text) = judged(|config| {
        config.allow_writes = true;
        config.profile = Some(Profile::read("reference").unwrap());
        let names = ["id", "org", "metadata"].map(|key| (key.to_owned(), format!("filter[{key}_search]")));
        config.searches = names.into();
    })
    .await;
    assert_eq!(report.verdict, Verdict::Conforms, "{text}");
    let idle: Vec<_> = report
        .checks
        .iter()
        .filter(|one| !matches!(one.outcome, Outcome::Passed { .. } | Outcome::Observed { .. }))
        .collect();
    assert!(idle.is_empty(), "{idle:?}");
    assert!(!text.contains(TOKEN));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_leave_to_write_nothing_but_reading_is_granted() {
    let (report, text) = judged(|_| ()).await;
    assert_eq!(report.verdict, Verdict::Conforms, "{text}");
    assert_eq!(report.writes, [""; 0]);
    let methods: BTreeSet<_> = report.methods.keys().map(String::as_str).collect();
    assert!(
        methods.is_subset(&BTreeSet::from(["GET", "HEAD", "PATCH"])),
        "{methods:?}"
    );
}
