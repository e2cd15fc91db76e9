//! Which part of the shelf is judged: what `FAULT` names, else what the day draws.
//!
//! For a person who looks into one target: `FAULT` names a part of its name, `PEOPLE` says how many people there are, `PAGE` how
//! many records a page has, `SHOW` prints the reports that surprise.

use std::env;

use rollcall_shelf::{Variant, all_faults, benign};

use crate::SHELF;
use crate::drawn::drawn;
use crate::meant::meant;

/// Those of a section that are judged today.
pub(crate) fn sample(section: &str, mut variants: Vec<Variant>) -> Vec<Variant> {
    let shelf = [all_faults(), benign::variants(), benign::mixture::mixtures()];
    match meant(shelf.into_iter().flatten().map(|variant| variant.name)) {
        Some(part) => {
            variants.retain(|variant| variant.name.contains(&part));
            variants
        }
        None => drawn(section, variants),
    }
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
