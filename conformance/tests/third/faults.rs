//! Faults of the board, each with the check that has to find it first.

use crate::conforming::CONFORMING;
use crate::harness::{finds_each, has_all};
use crate::judge;
use crate::model::{Board, Quirk};

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

#[tokio::test]
async fn each_fault_is_found_first_by_its_check() {
    finds_each(FAULTS, CONFORMING, async |quirk| judge(Board::new(quirk)).await).await;
}

#[test]
fn every_quirk_is_either_a_fault_or_allowed() {
    has_all(FAULTS, CONFORMING, Quirk::COUNT);
}
