//! Changes: after any of them, every state, count, membership and order is what the rulings make of it.

use proptest::prelude::*;
use proptest::sample::Index;
use rollcall::lists::DirectoryUsers;

use super::ask::{Ask, ask};
use super::cases;
use super::change::{Change, Operation, changes, operation};
use super::compare::{Verdict, behind, hold, place, same};
use super::data::directory;
use super::home::Way;
use super::row::Directory;
use super::world::{World, terms};

fn happens(directory: &Directory, changes: &[Change], ask: &Ask) -> Verdict {
    const USERS: &str = "directory_users";
    let mut world = World::of(directory, Way::Load)?;
    for (number, change) in changes.iter().enumerate() {
        let noted = place::<DirectoryUsers>(USERS, &world.home, &world.view(), ask)?;
        let held = world.step(change).and_then(|()| {
            let view = world.view();
            let noted = noted.map_or(Ok(()), |place| {
                behind::<DirectoryUsers>(USERS, &world.home, &view, &place)
            });
            noted.and_then(|()| hold::<DirectoryUsers>(USERS, &world.home, &view, ask))
        });
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
    #![proptest_config(cases(32))]

    #[test]
    fn after_any_change_everything_shown_is_what_the_rulings_make_of_it(
        directory in directory(), changes in changes(), ask in ask(),
    ) {
        happens(&directory, &changes, &ask).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn an_operation_answers_the_record_as_it_is_from_now_on(directory in directory(), (operation, at) in operation()) {
        answers(&directory, &operation, &at).map_err(TestCaseError::fail)?;
    }
}
