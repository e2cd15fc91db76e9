//! Libraries that conform, although they differ in what the contract does not say.

use rollcall_conformance::Verdict;

use crate::model::{Library, Quirk};
use crate::{judge, printed};

pub(crate) const CONFORMING: &[Quirk] = &[
    Quirk::None,
    Quirk::EmptyCursorAtEnd,
    Quirk::EmptyPageAtEnd,
    Quirk::ExactIsFolded,
    Quirk::FoldedOrder,
    Quirk::FurtherMembers,
    Quirk::SheetsFromZero,
    Quirk::StrictCase,
    Quirk::UnknownIsIgnored,
    Quirk::WrongValuesFindNothing,
];

#[tokio::test]
async fn no_library_that_conforms_is_accused() {
    let only = std::env::var("FAULT").unwrap_or_default();
    for quirk in CONFORMING
        .iter()
        .filter(|quirk| format!("{quirk:?}").contains(&only))
    {
        let report = judge(Library::new(*quirk)).await;
        assert_eq!(
            report.verdict,
            Verdict::Conforms,
            "{quirk:?}\n{}",
            printed(&report)
        );
    }
}
