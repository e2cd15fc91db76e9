//! Faults of the library, each with the check that has to find it first.

use futures_util::stream::{self, StreamExt as _};

use crate::model::{Library, Quirk};
use crate::{failed, judge, printed};

const FAULTS: &[(Quirk, &str)] = &[
    (Quirk::BareLoans, "N1"),
    (Quirk::AnyoneMayRead, "A1"),
    (Quirk::NoWriter, "S1"),
    (Quirk::LengthIsText, "S1"),
    (Quirk::CodesInNumbers, "S3"),
    (Quirk::BorderIsTwice, "S8"),
    (Quirk::OtherCodeIsShown, "S9"),
    (Quirk::NameIsPart, "E2"),
    (Quirk::LanguageIsIgnored, "E3"),
    (Quirk::LengthIsLeast, "E3"),
    (Quirk::CursorForgetsFilters, "E3"),
    (Quirk::LikeIsPrefix, "X1"),
    (Quirk::SearchesNameOnly, "X1"),
    (Quirk::LendableIsAlwaysTrue, "B1"),
    (Quirk::SinceIsUntil, "D2"),
    (Quirk::UntilIsIgnored, "D1"),
    (Quirk::DueIsIgnored, "D1"),
    (Quirk::WithdrawnByDefault, "T1"),
    (Quirk::WithdrawnWithAnyIsMissing, "T4"),
    (Quirk::ExclusivelyIsAny, "T3"),
    (Quirk::OrderIsIgnored, "O1"),
    (Quirk::DescendingIsAscending, "O2"),
    (Quirk::SecondKeyIsIgnored, "O4"),
    (Quirk::CursorForgetsOrder, "G3"),
    (Quirk::BorderIsLost, "G4"),
    (Quirk::CursorGoesRound, "G2"),
    (Quirk::SheetIsIgnored, "G2"),
    (Quirk::EitherFilter, "K1"),
];

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
        let is_found = failed.first() == Some(check);
        (!is_found).then(|| format!("{quirk:?}: found by {failed:?}, first should be {check}{shown}"))
    });
    let complaints: Vec<String> = judged
        .buffer_unordered(AT_ONCE)
        .filter_map(std::future::ready)
        .collect()
        .await;
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
