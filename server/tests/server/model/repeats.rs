//! Requests that are repeated, and requests that hold only on a condition (O11).

use proptest::prelude::*;
use proptest::sample::{Index, select};
use rollcall_server::store::Error;

use super::cases;
use super::change::{Operation, operation, picked};
use super::compare::{Verdict, same};
use super::data::directory;
use super::home::Way;
use super::row::Directory;
use super::values::DAY;
use super::world::{World, terms};

fn repeats(directory: &Directory, (operation, at): &(Operation, Index), later: i64) -> Verdict {
    let mut world = World::of(directory, Way::Load)?;
    let Some(first) = world.operate(operation, at, &terms("one", Some("key"), 1))? else {
        return Ok(());
    };
    let id = first["id"].as_str().unwrap_or_default().to_owned();
    let ask = |world: &World, token, request| world.ask(operation, &id, &terms(token, Some("key"), request));
    world.wait(later)?;
    if later >= DAY {
        // The answer is no longer kept: this is a new request.
        return world
            .operate(operation, at, &terms("one", Some("key"), 2))
            .map(drop);
    }
    same(
        "the answer again",
        &ask(&world, "one", 1).map_err(|why| why.to_string())?,
        &first,
    )?;
    world.agree(&[])?;
    same(
        "another request under the key",
        &matches!(ask(&world, "one", 2), Err(Error::KeyReused)),
        &true,
    )?;
    world.agree(&[])?;
    // Keys of different callers do not meet.
    world
        .operate(operation, at, &terms("other", Some("key"), 2))
        .map(drop)
}

fn conditional(directory: &Directory, (operation, at): &(Operation, Index), tag: &str) -> Verdict {
    let mut world = World::of(directory, Way::Load)?;
    let Some(id) = picked(directory, operation.kind().table(), at) else {
        return Ok(());
    };
    let (_, current) = world.record(operation.kind(), &id)?;
    let mut terms = terms("one", None, 0);
    terms.conditions.if_match = Some(tag.replace("this", &current));
    if tag.contains("this") || tag == "*" {
        return world.operate(operation, at, &terms).map(drop);
    }
    let refused = matches!(world.ask(operation, &id, &terms), Err(Error::Changed));
    same("a request for another version is refused", &refused, &true)?;
    world.agree(&[])
}

proptest! {
    #![proptest_config(cases(32))]

    #[test]
    fn a_repeated_key_gives_the_first_answer_and_changes_nothing(
        directory in directory(), operation in operation(), later in select(&[0, 1, DAY / 2, DAY - 1, DAY, 3 * DAY][..]),
    ) {
        repeats(&directory, &operation, later).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn a_record_that_has_another_etag_is_left_alone(
        directory in directory(), operation in operation(), tag in select(&["this", "\"x\", this", "*", "\"x\"", "W/\"x\", \"y\""][..]),
    ) {
        conditional(&directory, &operation, tag).map_err(TestCaseError::fail)?;
    }
}
