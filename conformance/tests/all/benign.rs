//! What the specification leaves open: nothing of it is a violation.

use rollcall_conformance::Verdict;

use crate::model::{Model, Switch};
use crate::{failed, found, judge, judge_model, printed};

#[tokio::test]
async fn other_ways_to_page_and_order_conform() {
    found(&[
        (Switch::Envelope("data"), &[]),
        (Switch::Envelope("items"), &[]),
        (Switch::RandomOrder, &[]),
        (Switch::PageSize(1), &[]),
        (Switch::PageSize(5), &[]),
        (Switch::PageSize(1000), &[]),
        (Switch::LinkHeaders, &[]),
        (Switch::OpaqueLinks, &[]),
        (Switch::PastEndIsMissing, &[]),
        (Switch::PageIgnored, &[]),
    ])
    .await;
}

#[tokio::test]
async fn other_ways_to_read_values_conform() {
    found(&[
        (Switch::UnknownIgnored, &[]),
        (Switch::CaseFolded, &[]),
        (Switch::UnknownStateFindsNothing, &[]),
        (Switch::StrangeIdsRefused, &[]),
        (Switch::EmptyUnfiltered, &[]),
    ])
    .await;
}

#[tokio::test]
async fn other_ways_to_refuse_conform() {
    found(&[
        (Switch::Forbidden, &[]),
        (Switch::RedirectsToLogin, &[]),
        (Switch::PlainErrors, &[]),
        (Switch::EchoesToken, &[]),
        (Switch::BearerOfAnyCase, &[]),
        (Switch::Busy, &[]),
    ])
    .await;
}

#[tokio::test]
async fn other_records_conform() {
    found(&[
        (Switch::ExtraMembers, &[]),
        (Switch::NullTimestamps, &[]),
        (Switch::OffsetSpelled, &[]),
        (Switch::NoExtensions, &[]),
        (Switch::ExtensionsForbidMethod, &[]),
        (Switch::VendorJson, &[]),
        (Switch::DimensionsWithoutMembers, &[]),
        (Switch::IncludeRefused, &[]),
        (Switch::RelationLeftOut, &[]),
    ])
    .await;
}

#[tokio::test]
async fn an_envelope_can_be_named() {
    let model = || Model::new(40, Switch::EnvelopeOfTwo);
    let named = judge_model(model(), |target| target.envelope = Some("data".to_owned())).await;
    assert_eq!(named.verdict, Verdict::Conforms, "{}", printed(&named));
    let unnamed = judge_model(model(), |_| {}).await;
    assert_eq!(failed(&unnamed), ["N1"]);
    assert!(printed(&unnamed).contains("--envelope"));
}

#[tokio::test]
async fn data_that_moves_is_no_violation() {
    for people in [30, 60, 200] {
        let report = judge_model(Model::new(people, Switch::Moving), |_| {}).await;
        assert_eq!(failed(&report), [""; 0], "{}", printed(&report));
    }
}

#[tokio::test]
async fn a_target_without_extensions_is_told_apart_from_a_broken_one() {
    let report = judge(Switch::NoExtensions).await;
    assert_eq!(report.verdict, Verdict::Conforms);
    // Ids to write to are found through relations then.
    assert_eq!(
        report.check("A4").unwrap().outcome.word(),
        "passed",
        "{}",
        printed(&report)
    );
}
