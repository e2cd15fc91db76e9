//! Which part of the shelf is judged: a part that the day draws, so that `cargo test` stays short, or all of it with `SHELF=all`,
//! as `.ci/run` has it.
//!
//! For a person who looks into one target: `FAULT` names a part of its name, `PEOPLE` says how many people there are, `PAGE` how
//! many records a page has, `SHOW` prints the reports that surprise.

use std::env;
use std::time::SystemTime;

use rollcall_shelf::{Variant, all_faults, benign};

use crate::SHELF;
use crate::meant::meant;

/// One variant of so many is judged in a day, so that after so many days all were.
const DAYS: usize = 15;

/// Those of a section that are judged today.
pub(crate) fn sample(section: &str, mut variants: Vec<Variant>) -> Vec<Variant> {
    let shelf = [all_faults(), benign::variants(), benign::mixture::mixtures()];
    if let Some(part) = meant(shelf.into_iter().flatten().map(|variant| variant.name)) {
        variants.retain(|variant| variant.name.contains(&part));
        return variants;
    }
    if env::var("SHELF").is_ok_and(|which| which == "all") {
        return variants;
    }
    let all = variants.len();
    let since_1970 = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_secs();
    let today = usize::try_from(since_1970 / 86_400).unwrap_or_default();
    let mut place = today;
    variants.retain(|_| {
        place += 1;
        place.is_multiple_of(DAYS)
    });
    println!(
        "{section}: {} of {all}, drawn by the day {today}; SHELF=all judges all",
        variants.len()
    );
    variants
}

/// How many people a target of the shelf has.
pub(crate) fn people() -> usize {
    number("PEOPLE").unwrap_or(SHELF)
}

/// How many records a page has; as the target likes where nothing is said.
pub(crate) fn page_size() -> Option<usize> {
    number("PAGE")
}

fn number(name: &str) -> Option<usize> {
    env::var(name).ok()?.parse().ok()
}
