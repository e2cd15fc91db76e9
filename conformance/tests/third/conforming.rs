//! Boards that conform, although they differ in what the contract does not say.

use crate::faults::FAULTS;
use crate::harness::accuses_none;
use crate::judge;
use crate::model::{Board, Quirk};

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
    accuses_none(CONFORMING, FAULTS, async |quirk| judge(Board::new(quirk)).await).await;
}
