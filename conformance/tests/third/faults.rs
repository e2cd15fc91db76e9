//! Faults of the board, each with the check that has to find it first.

use futures_util::stream::{self, StreamExt as _};
use rollcall_conformance::report::Causes;

use crate::conforming::CONFORMING;
use crate::model::{Board, Quirk};
use crate::{failed, judge, printed};

pub(crate) const FAULTS: &[(Quirk, &str)] = &[
    (Quirk::AnyoneMayRead, "A1"),
    (Quirk::AttributeIsMissing, "S1"),
    (Quirk::TypeIsOfAnother, "S2"),
    (Quirk::IdIsPrefixed, "S3"),
    (Quirk::CreatedIsADate, "D3"),
    (Quirk::CountIsText, "S5"),
    (Quirk::SelfIsMissing, "S6"),
    (Quirk::PagesOverlap, "S8"),
    (Quirk::OtherTaskIsShown, "S9"),
    (Quirk::PriorityIsLeast, "E1"),
    (Quirk::AssigneeIsIgnored, "E1"),
    (Quirk::ParentIsAncestor, "E8"),
    (Quirk::EmailIsIgnored, "E1"),
    (Quirk::StatusIsIgnored, "ST1"),
    (Quirk::UnknownStatusIsNoFilter, "E1"),
    (Quirk::TextIsPrefix, "X1"),
    (Quirk::CompositeIsAlwaysTrue, "B2"),
    (Quirk::CreatedAfterIsBefore, "D2"),
    (Quirk::DueIsIgnored, "D1"),
    (Quirk::ArchivedByDefault, "T7"),
    (Quirk::OnlyIsAll, "T3"),
    (Quirk::SortsByTitle, "O2"),
    (Quirk::DescendingIsAscending, "O3"),
    (Quirk::PageIsIgnored, "T5"),
    (Quirk::CountHasArchived, "C1"),
    (Quirk::CompositeIsForgotten, "F1"),
    (Quirk::OverdueInFuture, "F5"),
    (Quirk::PlannedInPast, "F4"),
    (Quirk::LinkedIsMissing, "E1"),
    (Quirk::LinkedHasNoAttributes, "I15"),
    (Quirk::ParentIsNotLinked, "I15"),
    (Quirk::IncludeIsRefused, "I17"),
    (Quirk::SubtasksOfAnother, "I5"),
    (Quirk::SubtasksAreCut, "I6"),
    (Quirk::LinkedIsOld, "I4"),
    (Quirk::EverythingIsIncluded, "I2"),
    (Quirk::EitherFilter, "K1"),
    (Quirk::IncludeForgetsFilters, "K4"),
];

/// No fault is told as more roots than these.
const MOST_ROOTS: usize = 2;

/// How many boards are judged at once.
const AT_ONCE: usize = 4;

#[tokio::test]
async fn each_fault_is_found_first_by_its_check() {
    let only = std::env::var("FAULT").unwrap_or_default();
    let meant = FAULTS
        .iter()
        .filter(|(quirk, _)| format!("{quirk:?}").contains(&only));
    let judged = stream::iter(meant).map(|(quirk, check)| async move {
        let report = judge(Board::new(*quirk)).await;
        let failed = failed(&report);
        let shown = match std::env::var_os("SHOW") {
            Some(_) => format!("\n{}", printed(&report)),
            None => String::new(),
        };
        let roots = Causes::of(&report).failed().count();
        let is_found = failed.first() == Some(check) && roots <= MOST_ROOTS;
        (!is_found).then(|| {
            format!("{quirk:?}: found by {failed:?} with {roots} roots, first should be {check}{shown}")
        })
    });
    let complaints: Vec<String> = judged
        .buffer_unordered(AT_ONCE)
        .filter_map(std::future::ready)
        .collect()
        .await;
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn every_quirk_is_either_a_fault_or_allowed() {
    let faults = FAULTS.iter().map(|(quirk, _)| format!("{quirk:?}"));
    let mut named: Vec<String> = faults
        .chain(CONFORMING.iter().map(|quirk| format!("{quirk:?}")))
        .collect();
    let count = named.len();
    named.sort();
    named.dedup();
    assert_eq!((named.len(), count), (Quirk::COUNT, Quirk::COUNT));
}
