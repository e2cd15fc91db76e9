//! Boards that conform, although they differ in what the contract does not say.

use rollcall_conformance::Verdict;

use crate::model::{Board, Quirk};
use crate::{judge, printed};

pub(crate) const CONFORMING: &[Quirk] = &[
    Quirk::None,
    Quirk::EmptyPageAtEnd,
    Quirk::FurtherMembers,
    Quirk::IncludedIsAlwaysThere,
    Quirk::IncludedIsReversed,
    Quirk::PagesFromZero,
    Quirk::PrimaryIsIncludedToo,
    Quirk::StrictCase,
    Quirk::UnknownIsIgnored,
];

#[tokio::test]
async fn no_board_that_conforms_is_accused() {
    let only = std::env::var("FAULT").unwrap_or_default();
    for quirk in CONFORMING
        .iter()
        .filter(|quirk| format!("{quirk:?}").contains(&only))
    {
        let report = judge(Board::new(*quirk)).await;
        assert_eq!(
            report.verdict,
            Verdict::Conforms,
            "{quirk:?}\n{}",
            printed(&report)
        );
    }
}
