//! Libraries that conform, although they differ in what the contract does not say.

use crate::faults::FAULTS;
use crate::harness::accuses_none;
use crate::judge;
use crate::model::{Library, Quirk};

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
    accuses_none(CONFORMING, FAULTS, async |quirk| judge(Library::new(quirk)).await).await;
}
