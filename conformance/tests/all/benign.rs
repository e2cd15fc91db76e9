//! What the specification leaves open: nothing of it is a violation.

use std::collections::BTreeSet;

use futures_util::stream::{self, StreamExt as _};
use rollcall_conformance::checks::UNOBSERVABLE;
use rollcall_conformance::{Report, Verdict};
use rollcall_shelf::model::CONTRACT;
use rollcall_shelf::{Hooks, Model, TOKEN, Variant, benign};
use serde_json::json;

use crate::sample::{page_size, people, sample};
use crate::{AT_ONCE, SHELF, failed, judge_as, judge_hooks, judge_model, printed};

/// Judges variants; tells every failure, and every answer to an open point that was not observed.
async fn conform(section: &str, variants: Vec<Variant>) {
    let variants = sample(section, variants);
    let sound = judge_model(Model::new(SHELF, Hooks::default()), |_| {}).await;
    let judged = stream::iter(&variants)
        .map(|variant| complaint(variant, &sound))
        .buffer_unordered(AT_ONCE);
    let complaints: Vec<_> = judged.filter_map(std::future::ready).collect().await;
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

async fn complaint(variant: &Variant, sound: &Report) -> Option<String> {
    let mut hooks = variant.hooks();
    hooks.settings.page_size = hooks.settings.page_size.or(page_size());
    let model = Model::new(people(), hooks);
    let report = judge_as(
        model,
        |_| {},
        |config| {
            if !variant.has_searches() {
                config.searches.clear();
            }
        },
    )
    .await;
    let text = printed(&report);
    assert!(!text.contains(TOKEN), "{variant:?}: the token is in the output");
    let shown = std::env::var_os("SHOW").map(|_| text).unwrap_or_default();
    let failed = failed(&report);
    if !failed.is_empty() {
        return Some(format!("{variant:?}: accused by {failed:?}\n{shown}"));
    }
    let (point, answer) = variant.answer?;
    let is_observable = UNOBSERVABLE
        .iter()
        .all(|(unobservable, _)| *unobservable != point);
    let is_seen = observed(&report, point) != observed(sound, point);
    let is_silent = is_observable && !is_seen;
    is_silent.then(|| {
        format!(
            "{variant:?}: {answer} at {point} is not observed: {:?}",
            observed(sound, point)
        )
    })
}

/// What a report says of an open point.
fn observed(report: &Report, point: &str) -> Vec<(String, String)> {
    let point = report.points.iter().find(|one| one.id == point).unwrap();
    let observed = point.observed.iter();
    observed
        .map(|one| (one.question.clone(), one.choice.clone()))
        .collect()
}

macro_rules! sections {
    ($($section:ident: $variants:expr;)*) => {
        $(
            #[tokio::test]
            async fn $section() {
                conform(stringify!($section), $variants).await;
            }
        )*
    };
}

sections! {
    other_records_conform: benign::records::variants();
    other_ways_to_page_conform: benign::lists::pages();
    lists_that_are_not_read_to_their_end_conform: benign::long::variants();
    other_orders_conform: benign::lists::orders();
    other_ways_to_read_parameters_conform: benign::lists::parameters();
    other_ways_to_read_values_conform: benign::lists::values();
    other_writes_conform: benign::operations::variants();
    other_ways_to_refuse_conform: benign::access::variants();
    failures_that_are_gone_the_next_time_conform: benign::transient::transient();
    mixtures_of_accepted_answers_conform: benign::mixture::mixtures();
}

/// The contract says which answers to an open point conform: the shelf has each of them, and no other.
#[test]
fn the_shelf_has_every_answer_that_the_contract_accepts() {
    let points = CONTRACT.open_points.iter();
    let accepted = points.flat_map(|point| {
        let answers = point.accepts.iter();
        answers.map(|answer| (point.id.clone(), answer.id.clone()))
    });
    let accepted: BTreeSet<_> = accepted.collect();
    let variants = benign::variants();
    let shown = variants.iter().filter_map(|variant| variant.answer);
    let shown = shown.chain(benign::OF_THE_MODEL.iter().copied());
    let shown: BTreeSet<_> = shown
        .map(|(point, answer)| (point.to_owned(), answer.to_owned()))
        .collect();
    assert_eq!(shown, accepted);
}

/// Deleting an observation fails here: each point is observed on the model, or it is said why it cannot be. O9 is observed
/// where few people are soft-deleted.
#[tokio::test]
async fn every_open_point_is_observed_or_it_is_said_why_not() {
    let sound = judge_model(Model::new(SHELF, Hooks::default()), |_| {}).await;
    let small = judge_model(Model::new(30, Hooks::default()), |_| {}).await;
    for point in &CONTRACT.open_points {
        let is_unobservable = UNOBSERVABLE.iter().any(|(id, _)| *id == point.id);
        let is_observed = [&sound, &small]
            .iter()
            .any(|report| !observed(report, &point.id).is_empty());
        assert_ne!(is_observed, is_unobservable, "{}: {}", point.id, point.says);
    }
}

#[tokio::test]
async fn an_envelope_can_be_named() {
    let model = || {
        let mut hooks = Hooks::default();
        hooks.on_answer(|_, reply| {
            if let Some(records) = reply.records().map(std::mem::take) {
                *reply.body() = json!({"data": records, "included": [{"id": "of another list"}]});
            }
        });
        Model::new(40, hooks)
    };
    let named = judge_model(model(), |target| target.envelope = Some("data".to_owned())).await;
    assert_eq!(named.verdict, Verdict::Conforms, "{}", printed(&named));
    let unnamed = judge_model(model(), |_| {}).await;
    let is_open = matches!(unnamed.verdict, Verdict::TooLittle { .. });
    assert!(
        is_open && printed(&unnamed).contains("--envelope"),
        "{}",
        printed(&unnamed)
    );
}

#[tokio::test]
async fn data_that_moves_is_no_violation() {
    let variants = benign::transient::moving();
    let models = [30, 60, SHELF].into_iter().flat_map(|people| {
        let variants = variants.iter();
        variants.map(move |variant| Model::new(people, variant.hooks()))
    });
    let judged = stream::iter(models).map(|model| judge_model(model, |_| {}));
    let reports: Vec<Report> = judged.buffer_unordered(AT_ONCE).collect().await;
    for report in &reports {
        assert_eq!(failed(report), [""; 0], "{}", printed(report));
    }
}

#[tokio::test]
async fn a_target_without_extensions_is_told_apart_from_a_broken_one() {
    let report = judge_hooks(|hooks| hooks.settings.without_extensions = Some(404)).await;
    assert_eq!(report.verdict, Verdict::Conforms);
    // Ids to write to are found through relations then.
    assert_eq!(
        report.check("A4").unwrap().outcome.word(),
        "passed",
        "{}",
        printed(&report)
    );
}
