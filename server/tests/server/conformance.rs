//! The runner's judgement of this server.

use rollcall_conformance::outcome::Outcome;
use rollcall_conformance::{RunConfig, TargetConfig, Token, Verdict, our_contract, report, run};

use crate::harness::{Running, TOKEN};

#[tokio::test(flavor = "multi_thread")]
async fn the_runner_says_that_the_demo_server_conforms_and_has_exercised_every_check() {
    let server = Running::start().await;
    let target = TargetConfig::new(server.base.parse().unwrap(), Token::new(TOKEN).unwrap());
    let report = run(target, RunConfig::new(our_contract().unwrap()), |_| ()).await;
    let mut text = Vec::new();
    report::console::write(&report, report::console::Style::PLAIN, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(report.verdict, Verdict::Conforms, "{text}");
    let idle: Vec<_> = report
        .checks
        .iter()
        .filter(|one| !matches!(one.outcome, Outcome::Passed { .. } | Outcome::Observed { .. }))
        .collect();
    assert!(idle.is_empty(), "{idle:?}");
    assert!(!text.contains(TOKEN));
}
