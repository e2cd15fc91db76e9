//! The runner's judgement of this server.

use std::collections::BTreeSet;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use rollcall_conformance::engine::outcome::Outcome;
use rollcall_conformance::engine::profile::Profile;
use rollcall_conformance::plan::query_pool::{QueryPool, QueryShape, queries};
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
        methods.is_subset(&BTreeSet::from(["GET", "PATCH"])),
        "{methods:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn every_question_made_of_its_own_records_is_answered_with_that_record() {
    let server = Running::start().await;
    let contract = our_contract().unwrap();
    let (users, list) = contract.lists().next().unwrap();
    let people = server.all(&users.path, &[]).await;
    let material = QueryPool::of(users, &people);
    let shape = QueryShape {
        filters: 1..=3,
        sort: 0..=2,
        include: 0..=2,
    };
    let strategy = queries(material, shape);
    let mut runner = TestRunner::deterministic();
    for _ in 0..60 {
        let probe = strategy.new_tree(&mut runner).unwrap().current();
        let (sort, include) = (probe.sort.join(","), probe.include.join(","));
        let mut query: Vec<(&str, &str)> = probe
            .filters
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        query.extend([("sort", sort.as_str()), ("include", include.as_str())]);
        let found = server.all(&users.path, &query).await;
        assert!(!found.is_empty(), "nobody for {probe:?}");
        for relation in &probe.include {
            let member = &list.relation(relation).unwrap().member;
            assert!(
                found
                    .iter()
                    .all(|record| record["included"].get(member).is_some()),
                "{probe:?}"
            );
        }
    }
}
