//! Faults of the library, each with the check that has to find it first.

use crate::conforming::CONFORMING;
use crate::harness::{finds_each, has_all};
use crate::judge;
use crate::model::{Library, Quirk};

pub(crate) const FAULTS: &[(Quirk, &str)] = &[
    (Quirk::BareLoans, "N1"),
    (Quirk::AnyoneMayRead, "A1"),
    (Quirk::NoWriter, "S1"),
    (Quirk::LengthIsText, "S1"),
    (Quirk::CodesInNumbers, "S3"),
    (Quirk::BorderIsTwice, "S8"),
    (Quirk::OtherCodeIsShown, "S9"),
    (Quirk::NameIsPart, "E3"),
    (Quirk::LanguageIsIgnored, "ST1"),
    (Quirk::LengthIsLeast, "E1"),
    (Quirk::CursorForgetsFilters, "G5"),
    (Quirk::LikeIsPrefix, "X1"),
    (Quirk::SearchesNameOnly, "X1"),
    (Quirk::LendableIsAlwaysTrue, "B2"),
    (Quirk::SinceIsUntil, "D2"),
    (Quirk::UntilIsIgnored, "D1"),
    (Quirk::DueIsIgnored, "D1"),
    (Quirk::WithdrawnByDefault, "T1"),
    (Quirk::WithdrawnWithAnyIsMissing, "T5"),
    (Quirk::ExclusivelyIsAny, "T3"),
    (Quirk::OrderIsIgnored, "O8"),
    (Quirk::DescendingIsAscending, "O3"),
    (Quirk::SecondKeyIsIgnored, "O4"),
    (Quirk::CursorForgetsOrder, "G1"),
    (Quirk::BorderIsLost, "N1"),
    (Quirk::CursorGoesRound, "G2"),
    (Quirk::SheetIsIgnored, "G2"),
    (Quirk::EitherFilter, "D7"),
];

#[tokio::test]
async fn each_fault_is_found_first_by_its_check() {
    finds_each(FAULTS, CONFORMING, async |quirk| judge(Library::new(quirk)).await).await;
}

#[test]
fn every_quirk_is_either_a_fault_or_allowed() {
    has_all(FAULTS, CONFORMING, Quirk::COUNT);
}
