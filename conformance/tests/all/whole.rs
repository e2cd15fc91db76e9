//! Whole runs: one that conforms, one without data, one without a target.

use rollcall_conformance::engine::outcome::Outcome;
use rollcall_conformance::{RunConfig, TargetConfig, Token, Verdict, our_contract, run};
use rollcall_shelf::{Hooks, Model, TOKEN};

use crate::{PEOPLE, SHELF, failed, judge, judge_model, printed};

#[tokio::test]
async fn the_model_conforms_and_every_check_is_exercised() {
    let report = judge(PEOPLE).await;
    assert_eq!(report.verdict, Verdict::Conforms, "{}", printed(&report));
    for check in &report.checks {
        let exercised = matches!(check.outcome, Outcome::Passed { .. } | Outcome::Observed { .. });
        assert!(exercised, "{}: {:?}", check.id, check.outcome);
    }
}

/// A filter that finds everything makes every answer long, and every violation costly to confirm.
#[tokio::test]
async fn a_target_whose_every_filter_is_ignored_fails_before_the_requests_are_used_up() {
    let mut hooks = Hooks::default();
    hooks.settings.page_size = Some(10);
    hooks.on_query(|asked| asked.drop_if(|name, _| name.starts_with("filter[")));
    let report = judge_model(Model::new(SHELF, hooks), |target| target.max_requests = 1500).await;
    assert_eq!(report.verdict, Verdict::Violates, "{}", printed(&report));
    assert!(failed(&report).contains(&"E7"), "{:?}", failed(&report));
}

/// What a run asks is a matter of the contract and the records: a plan that is thinned out by a change shows here.
#[tokio::test]
async fn the_plan_covers_the_lists_of_the_specification() {
    let report = judge(PEOPLE).await;
    let covered = |list: &str| report.coverage.iter().find(|one| one.list == list).unwrap();
    let users = covered("/directory/users");
    let wanted = users.pairs + users.left_out.len();
    assert!(users.values >= 300, "{} values", users.values);
    // 64 % are reached; the limit on queries leaves the others out.
    assert!(
        users.pairs * 100 >= wanted * 63,
        "{} of {wanted} pairs",
        users.pairs
    );
    assert!(users.out_of_reach.len() < 60, "{:#?}", users.out_of_reach);
    let dimensions = covered("/directory/dimensions");
    assert_eq!(dimensions.left_out, [""; 0]);
    assert!(report.requests <= REQUESTS, "{} requests", report.requests);
}

/// A run at the usual size sends so many requests at most.
const REQUESTS: usize = 2600;

#[tokio::test]
async fn the_model_conforms_at_every_size() {
    for people in [2, 3, 7, 20, 41, 200] {
        let report = judge(people).await;
        assert_eq!(failed(&report), [""; 0], "{people} people: {}", printed(&report));
    }
}

#[tokio::test]
async fn an_empty_directory_passes_nothing_that_needs_records() {
    let report = judge_model(Model::new(0, Hooks::default()), |_| {}).await;
    let is_too_little = matches!(report.verdict, Verdict::TooLittle { .. });
    assert!(is_too_little, "{}", printed(&report));
    for check in report
        .checks
        .iter()
        .filter(|check| check.id.starts_with(['S', 'E']) && check.id != "S11")
    {
        assert!(
            !matches!(check.outcome, Outcome::Passed { .. }),
            "{} passed on nothing",
            check.id
        );
    }
}

#[tokio::test]
async fn one_person_is_judged_as_far_as_one_person_goes() {
    let report = judge_model(Model::new(1, Hooks::default()), |_| {}).await;
    assert_eq!(report.verdict, Verdict::Conforms, "{}", printed(&report));
    assert_eq!(report.check("E9").unwrap().outcome.word(), "not exercised");
}

#[tokio::test]
async fn an_unreachable_target_is_not_judged() {
    let target = TargetConfig::new(
        "http://127.0.0.1:1/api/v1".parse().unwrap(),
        Token::new(TOKEN).unwrap(),
    );
    let report = run(target, RunConfig::new(our_contract().unwrap()), |_| {}).await;
    assert!(matches!(report.verdict, Verdict::Unreachable { .. }));
}

#[tokio::test]
async fn a_token_that_is_refused_is_not_a_violation() {
    let report = judge_model(Model::new(20, Hooks::default()), |target| {
        target.token = Token::new("another-token-altogether").unwrap();
    })
    .await;
    assert!(
        matches!(&report.verdict, Verdict::CouldNotRun { why } if why.contains("401")),
        "{:?}",
        report.verdict
    );
}

#[tokio::test]
async fn a_wrong_address_is_not_a_violation() {
    let report = judge_model(Model::new(20, Hooks::default()), |target| {
        target.base_url.set_path("/api/v2");
    })
    .await;
    assert!(
        matches!(&report.verdict, Verdict::CouldNotRun { why } if why.contains("404")),
        "{:?}",
        report.verdict
    );
}

#[tokio::test]
async fn a_run_stops_at_the_number_of_requests_it_may_send() {
    let report = judge_model(Model::new(60, Hooks::default()), |target| {
        target.max_requests = 100
    })
    .await;
    // What was about to be sent when the last one was sent is not.
    assert!((90..=100).contains(&report.requests), "{}", report.requests);
    assert!(matches!(report.verdict, Verdict::TooLittle { .. }));
}

/// A plan that cannot be asked to its end is not made and counted once more for each check that rests on it.
#[tokio::test]
async fn a_run_without_a_request_left_plans_nothing_more() {
    let whole = judge(PEOPLE).await;
    let planned = |report: &rollcall_conformance::Report| -> usize {
        report.coverage.iter().map(|list| list.queries).sum()
    };
    for tenths in [3, 5, 8] {
        let report = judge_model(Model::new(PEOPLE, Hooks::default()), |target| {
            target.max_requests = whole.requests * tenths / 10;
        })
        .await;
        assert!(planned(&report) <= planned(&whole), "{tenths} tenths");
    }
}

#[tokio::test]
async fn a_seed_repeats_a_run() {
    let (one, other) = (judge(PEOPLE).await, judge(PEOPLE).await);
    assert_eq!(one.requests, other.requests);
    let outcomes = |report: &rollcall_conformance::Report| {
        let outcomes = report
            .checks
            .iter()
            .map(|check| serde_json::to_string(check).unwrap());
        outcomes.collect::<Vec<_>>()
    };
    assert_eq!(outcomes(&one), outcomes(&other));
}

/// The requests of a run do not grow with the list once it is long: 3,000 people on 60 pages, 200 on 40 small ones.
#[tokio::test]
async fn a_long_list_is_judged_within_the_requests_that_a_run_may_send() {
    for (people, page_size) in [(3000, 50), (200, 5)] {
        let mut hooks = Hooks::default();
        hooks.settings.page_size = Some(page_size);
        let report = judge_model(Model::new(people, hooks), |_| {}).await;
        eprintln!("{people} people: {} requests", report.requests);
        assert_eq!(report.verdict, Verdict::Conforms, "{}", printed(&report));
        let mut costly: Vec<_> = report
            .checks
            .iter()
            .map(|check| (check.requests, check.id))
            .collect();
        costly.sort_by_key(|cost| std::cmp::Reverse(*cost));
        costly.truncate(24);
        assert!(
            report.requests < 2900,
            "{people}: {} requests, {costly:?}",
            report.requests
        );
        for check in &report.checks {
            let is_exercised = matches!(check.outcome, Outcome::Passed { .. } | Outcome::Observed { .. });
            assert!(is_exercised, "{people}: {}: {:?}", check.id, check.outcome);
        }
    }
}
