//! What the specification leaves open: nothing of it is a violation.

use futures_util::stream::{self, StreamExt as _};
use rollcall_conformance::Verdict;
use serde_json::json;

use crate::shelf::{Hooks, Model, TOKEN, Variant, benign};
use crate::{AT_ONCE, SHELF, failed, judge_hooks, judge_model, printed};

/// Judges variants; tells every failure.
async fn conform(variants: Vec<Variant>) {
    let judged = stream::iter(&variants).map(complaint).buffer_unordered(AT_ONCE);
    let complaints: Vec<_> = judged.filter_map(std::future::ready).collect().await;
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

async fn complaint(variant: &Variant) -> Option<String> {
    let report = judge_model(Model::new(SHELF, variant.hooks()), |_| {}).await;
    let text = printed(&report);
    assert!(!text.contains(TOKEN), "{variant:?}: the token is in the output");
    let shown = std::env::var_os("SHOW").map(|_| text).unwrap_or_default();
    let failed = failed(&report);
    (!failed.is_empty()).then(|| format!("{variant:?}: accused by {failed:?}\n{shown}"))
}

#[tokio::test]
async fn other_ways_to_page_and_order_conform() {
    conform(benign::paging()).await;
}

#[tokio::test]
async fn other_ways_to_read_values_conform() {
    conform(benign::values()).await;
}

#[tokio::test]
async fn other_ways_to_refuse_conform() {
    conform(benign::refusals()).await;
}

#[tokio::test]
async fn other_records_conform() {
    conform(benign::records()).await;
}

#[tokio::test]
async fn other_ways_to_show_relations_conform() {
    conform(benign::relations()).await;
}

#[tokio::test]
async fn an_envelope_can_be_named() {
    let model = || {
        let mut hooks = Hooks::default();
        hooks.on_answer(|_, reply| {
            if let Some(records) = reply.records().map(std::mem::take) {
                *reply.body() = json!({"data": records, "errors": []});
            }
        });
        Model::new(40, hooks)
    };
    let named = judge_model(model(), |target| target.envelope = Some("data".to_owned())).await;
    assert_eq!(named.verdict, Verdict::Conforms, "{}", printed(&named));
    let unnamed = judge_model(model(), |_| {}).await;
    assert_eq!(failed(&unnamed), ["N1"]);
    assert!(printed(&unnamed).contains("--envelope"));
}

#[tokio::test]
async fn data_that_moves_is_no_violation() {
    for people in [30, 60, 200] {
        for variant in benign::moving() {
            let report = judge_model(Model::new(people, variant.hooks()), |_| {}).await;
            assert_eq!(failed(&report), [""; 0], "{}", printed(&report));
        }
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
