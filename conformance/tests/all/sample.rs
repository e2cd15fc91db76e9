//! Which part of the shelf is judged: what `FAULT` names, else what the day draws.
//!
//! For a person who looks into one target: `FAULT` names a part of its name, `PEOPLE` says how many people there are, `PAGE` how
//! many records a page has, `SHOW` prints the reports that surprise.

use std::env;

use rollcall_shelf::{Variant, all_faults, benign};

use crate::SHELF;
use crate::drawn::chosen;
use crate::meant::meant;

/// Those of a section that are judged.
pub(crate) fn sample(section: &str, variants: Vec<Variant>) -> Vec<Variant> {
    let shelf = [all_faults(), benign::variants(), benign::mixture::mixtures()];
    let part = meant(shelf.into_iter().flatten().map(|variant| variant.name));
    chosen(section, part.as_deref(), variants, |variant| variant.name.clone())
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
