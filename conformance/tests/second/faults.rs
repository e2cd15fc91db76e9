//! Faults of the library, each with the check that has to find it first.

use futures_util::stream::{self, StreamExt as _};
use rollcall_conformance::report::Causes;

use crate::conforming::CONFORMING;
use crate::model::{Library, Quirk};
use crate::{failed, judge, printed};

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
    (Quirk::SearchesNameOnly, "X3"),
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

/// No fault is told as more roots than these.
const MOST_ROOTS: usize = 2;

/// How many libraries are judged at once.
const AT_ONCE: usize = 4;

#[tokio::test]
async fn each_fault_is_found_first_by_its_check() {
    let only = std::env::var("FAULT").unwrap_or_default();
    let meant = FAULTS
        .iter()
        .filter(|(quirk, _)| format!("{quirk:?}").contains(&only));
    let judged = stream::iter(meant).map(|(quirk, check)| async move {
        let report = judge(Library::new(*quirk)).await;
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
