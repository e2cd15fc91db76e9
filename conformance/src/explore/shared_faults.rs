//! What the violations of several filters have in common: an odd sign of their values, later pages, or all filters.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use rollcall_oracle::corpus::ListCorpus;
use rollcall_oracle::corpus::clause::Clause;

use super::minimal::Minimal;
use crate::engine::Engine;

/// Fewer filters than this are told one by one.
const MANY: usize = 6;
/// Fewer filters than this are told one by one if they fail on later pages.
const SEVERAL: usize = 3;

/// Something odd about a value that several filters may read wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Oddity {
    Character(char),
    OtherLetter,
    LeadingZero,
}

impl Oddity {
    /// Whether ids, addresses and timestamps have it, so that it need not be a reason.
    fn is_common(self) -> bool {
        matches!(self, Self::Character(sign) if "-_.@:/".contains(sign))
    }
}

impl fmt::Display for Oddity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Character(sign) => write!(f, "{sign:?}"),
            Self::OtherLetter => f.write_str("letters beyond ASCII"),
            Self::LeadingZero => f.write_str("a zero at the beginning"),
        }
    }
}

/// Where values of several filters fail that have a sign in common, the violations are about the sign: plain values of these
/// filters do not fail, or they would be told. A common sign has to be in all of them.
pub(super) fn name_common_signs(earlier: &[&Minimal], found: &mut [Minimal]) {
    let mut rest: Vec<&mut Minimal> = found.iter_mut().collect();
    loop {
        let mut filters: BTreeMap<Oddity, BTreeSet<String>> = BTreeMap::new();
        for one in earlier.iter().copied().chain(rest.iter().map(|one| &**one)) {
            for (sign, filter) in one.signs() {
                filters.entry(sign).or_default().insert(filter);
            }
        }
        let has = |one: &Minimal, sign: Oddity| one.signs().any(|(own, _)| own == sign);
        filters.retain(|sign, filters| {
            let having = rest.iter().filter(|one| has(one, *sign)).count();
            let is_in_all = filters.len() > 2 && having == rest.len();
            having > 0 && (is_in_all || !sign.is_common())
        });
        let commonest = filters.iter().max_by_key(|(_, filters)| filters.len());
        let Some((&sign, _)) = commonest.filter(|(_, filters)| filters.len() > 1) else {
            return;
        };
        rest.retain_mut(|one| {
            let has_sign = has(one, sign);
            if has_sign {
                one.finding.about = format!("values with {sign}");
            }
            !has_sign
        });
    }
}

/// Where most filters of a list fail that are asked for alone, the violations are not about the filters. Returns whether it is so.
pub(super) fn name_fault_of_all_filters(list: &ListCorpus, filters: usize, found: &mut [Minimal]) -> bool {
    // Filters that have no effect are listed by their names.
    let is_alone = |one: &Minimal| {
        one.query.uses().len() == 1 && !one.query.filters.is_empty() && one.finding.ignored.is_empty()
    };
    let alone = found.iter().filter(|one| is_alone(one));
    let failing: BTreeSet<String> = alone.flat_map(|one| one.query.uses()).collect();
    let is_of_all = failing.len() >= MANY && failing.len() * 2 >= filters;
    if is_of_all {
        for one in found.iter_mut().filter(|one| is_alone(one)) {
            one.finding.about = format!("{} by most filters", list.spec.name());
        }
    }
    is_of_all
}

/// Where several filters fail that are asked for alone, and none of them on a first page, the violations are about the pages of
/// filtered lists.
pub(super) fn name_fault_of_filtered_pages(engine: &Engine, list: usize, found: &mut [Minimal]) {
    let is_alone = |one: &&mut Minimal| one.query.uses().len() == 1 && !one.query.filters.is_empty();
    let mut alone: Vec<&mut Minimal> = found.iter_mut().filter(is_alone).collect();
    let filters: BTreeSet<String> = alone.iter().flat_map(|one| one.query.uses()).collect();
    if filters.len() < SEVERAL || !alone.iter().all(|one| one.is_on_later_pages) {
        return;
    }
    for one in &mut alone {
        one.check = engine.catalogue.of_filtered_pages();
        one.finding.about = format!("{} pages of filtered lists", engine.list(list).spec.name());
        one.finding.clause = Clause::of_check(one.check.clause);
    }
}

impl Minimal {
    /// What is odd about the values of the query, each with its filter.
    fn signs(&self) -> impl Iterator<Item = (Oddity, String)> + '_ {
        self.query.filters.iter().flat_map(|(filter, value)| {
            let letters = value.chars().filter(|letter| *letter != ' ');
            let signs = letters.filter_map(|letter| match letter {
                letter if letter.is_ascii_alphanumeric() => None,
                letter if letter.is_alphanumeric() => Some(Oddity::OtherLetter),
                letter => Some(Oddity::Character(letter)),
            });
            // Years begin with a zero too.
            let zero = value.len() > 1 && value.starts_with('0') && !filter.is_bound();
            let signs = signs.chain(zero.then_some(Oddity::LeadingZero));
            signs.map(|sign| (sign, filter.name.clone()))
        })
    }
}
