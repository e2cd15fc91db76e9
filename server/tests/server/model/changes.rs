//! Changes: after any of them, every state, count, membership and order is what the rulings make of it.

use proptest::prelude::*;
use proptest::sample::Index;
use rollcall::lists::DirectoryUsers;

use super::ask::{Ask, ask};
use super::cases;
use super::change::{Change, Operation, change, operation};
use super::compare::{Verdict, hold, same};
use super::data::directory;
use super::home::Way;
use super::row::Directory;
use super::world::{World, terms};

fn happens(directory: &Directory, way: Way, changes: &[(Change, Ask)]) -> Verdict {
    let mut world = World::of(directory, way)?;
    for (number, (change, ask)) in changes.iter().enumerate() {
        let held = world.step(change);
        let held =
            held.and_then(|()| hold::<DirectoryUsers>("directory_users", &world.home, &world.view(), ask));
        held.map_err(|why| format!("after change {number}, {change:?}: {why}\n{:?}", world.directory))?;
    }
    Ok(())
}

fn answers(directory: &Directory, operation: &Operation, at: &Index) -> Verdict {
    let mut world = World::of(directory, Way::Load)?;
    let Some(answer) = world.operate(operation, at, &terms("one", None, 0))? else {
        return Ok(());
    };
    world.shows(operation.kind(), &answer)?;
    let (read, _) = world.record(operation.kind(), answer["id"].as_str().unwrap_or_default())?;
    same("the answer and the record", &answer, &read)
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn after_any_change_everything_shown_is_what_the_rulings_make_of_it(
        directory in directory(), changes in prop::collection::vec((change(), ask()), 1..8),
    ) {
        happens(&directory, Way::Load, &changes).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn an_operation_answers_the_record_as_it_is_from_now_on(directory in directory(), (operation, at) in operation()) {
        answers(&directory, &operation, &at).map_err(TestCaseError::fail)?;
    }
}
