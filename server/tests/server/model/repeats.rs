//! Requests that are repeated, and requests that hold only on a condition (O11).

use http::HeaderValue;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use rollcall::http::ETags;
use rollcall_store::Error;

use super::cases;
use super::change::{Operation, operation, picked};
use super::compare::{Verdict, same};
use super::data::directory;
use super::home::Way;
use super::row::Directory;
use super::values::DAY;
use super::world::{World, terms};

fn repeats(
    directory: &Directory,
    (operation, at): &(Operation, Index),
    (between, elsewhere): &(Operation, Index),
    later: i64,
) -> Verdict {
    let mut world = World::of(directory, Way::Load)?;
    let Some(id) = picked(directory, operation.kind().table(), at) else {
        return Ok(());
    };
    let first = world.operate(operation, at, &terms("one", Some("key"), 1))?;
    let ask = |world: &World, token, request| world.ask(operation, &id, &terms(token, Some("key"), request));
    world.wait(later)?;
    if later >= DAY {
        // The answer is no longer kept: this is a new request.
        return world
            .operate(operation, at, &terms("one", Some("key"), 2))
            .map(drop);
    }
    // Whatever somebody else does, the answer stays, and so does what they did.
    world.operate(between, elsewhere, &terms("other", None, 0))?;
    match (&first, ask(&world, "one", 1)) {
        (Some(first), Ok(again)) => same("the answer again", &again, first)?,
        (None, Err(Error::Illegal(_) | Error::BadExpiry(_) | Error::LastWayIn)) => {}
        (first, again) => return Err(format!("the first answer: {first:?}\n  again: {again:?}")),
    }
    world.agree(&[])?;
    same(
        "whether another request under the key is refused",
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
    let current = current.header().ok_or("no header")?;
    let sent = tag.replace("this", current.to_str().map_err(|why| why.to_string())?);
    let line = HeaderValue::try_from(sent).map_err(|why| why.to_string())?;
    terms.conditions.if_match = ETags::read([&line]);
    if tag == "this" || tag == "\"x\", this" || tag == "*" {
        return world.operate(operation, at, &terms).map(drop);
    }
    let refused = matches!(world.ask(operation, &id, &terms), Err(Error::Changed));
    same("a request for another version is refused", &refused, &true)?;
    world.agree(&[])
}

/// `If-Match` with the record's own entity tag, and with others; the last are no entity tags.
const TAGS: [&str; 9] = [
    "this",
    "\"x\", this",
    "*",
    "\"x\"",
    "W/\"x\", \"y\"",
    "W/this",
    "x",
    "this, x",
    "",
];

proptest! {
    #![proptest_config(cases(32))]

    #[test]
    fn a_repeated_key_gives_the_first_answer_and_changes_nothing(
        directory in directory(), operation in operation(), between in operation(),
        later in select(&[0, 1, DAY / 2, DAY - 1, DAY, 3 * DAY][..]),
    ) {
        repeats(&directory, &operation, &between, later).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn a_record_that_has_another_etag_is_left_alone(
        directory in directory(), operation in operation(), tag in select(&TAGS[..]),
    ) {
        conditional(&directory, &operation, tag).map_err(TestCaseError::fail)?;
    }
}
