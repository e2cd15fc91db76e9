//! The things that fail, in groups: those that fail the same checks, and those that have a suspect in common.

use std::collections::BTreeSet;

use crate::engine::outcome::Outcome;
use crate::engine::suspect::Suspect;
use crate::report::{Checked, Report, add};

/// Some things, and the checks that they fail.
pub(super) struct Group<'r> {
    /// The lists, filters or members.
    pub(super) about: Vec<&'r str>,
    /// The checks, in the order of the report.
    pub(super) failing: Vec<&'r Checked>,
    /// What may be at fault; nothing where it is waived, so that it stays apart.
    suspects: BTreeSet<&'r Suspect>,
    /// Whether it is about filters that have no effect.
    pub(super) is_ignored: bool,
}

/// Everything that fails.
pub(super) fn of(report: &Report) -> Vec<Group<'_>> {
    let mut groups: Vec<(Vec<&str>, Vec<&Checked>)> = Vec::new();
    let mut ignored: Option<Group<'_>> = None;
    for (about, failing) in concerned(report) {
        if has_no_effect(about, &failing) {
            let group = Group::new((vec![about], failing));
            match &mut ignored {
                Some(known) => known.add(group),
                None => {
                    ignored = Some(Group {
                        is_ignored: true,
                        ..group
                    })
                }
            }
            continue;
        }
        let ids = failing.iter().map(|check| check.id);
        let mut known = groups.iter_mut();
        match known.find(|(_, same)| same.iter().map(|check| check.id).eq(ids.clone())) {
            Some((names, _)) => names.push(about),
            None => groups.push((vec![about], failing)),
        }
    }
    // A failure without a finding should not be, and must not be lost if it is.
    let is_failure = |outcome: &Outcome| matches!(outcome, Outcome::Failed { .. } | Outcome::Waived { .. });
    let bare = |check: &&Checked| is_failure(&check.outcome) && check.outcome.findings().is_empty();
    let bare = report.checks.iter().filter(bare);
    groups.extend(bare.map(|check| (vec![check.says], vec![check])));
    let place = |check: &&Checked| report.checks.iter().position(|known| known.id == check.id);
    let mut groups = joined(groups.into_iter().map(Group::new).collect());
    groups.extend(ignored);
    for group in &mut groups {
        group.failing.sort_by_key(place);
    }
    groups.sort_by_key(|group| group.failing.first().and_then(place));
    groups
}

/// Whether something fails because it has no effect: every finding says so.
fn has_no_effect(about: &str, failing: &[&Checked]) -> bool {
    let is_failed = failing
        .iter()
        .all(|check| matches!(check.outcome, Outcome::Failed { .. }));
    let findings = failing.iter().flat_map(|check| check.outcome.findings());
    let mut findings = findings.filter(|finding| finding.about == about);
    is_failed && findings.all(|finding| !finding.ignored.is_empty())
}

/// Everything that is concerned, with the checks that it fails.
fn concerned(report: &Report) -> Vec<(&str, Vec<&Checked>)> {
    let mut concerned: Vec<(&str, Vec<&Checked>)> = Vec::new();
    for check in &report.checks {
        for finding in check.outcome.findings() {
            add(&mut concerned, finding.about.as_str(), check);
        }
    }
    for (_, failing) in &mut concerned {
        failing.dedup_by_key(|check| check.id);
    }
    concerned
}

/// Groups that have a suspect in common become one. The group with the fewest suspects comes first and names the cause. A group
/// that is added later brings no suspects of its own: a violation that two faults share would join them.
fn joined(mut groups: Vec<Group<'_>>) -> Vec<Group<'_>> {
    groups.sort_by_key(|group| (group.kinds().count(), group.suspects.len()));
    let mut causes: Vec<Group<'_>> = Vec::new();
    for group in groups {
        let narrow = causes
            .iter()
            .position(|cause| cause.shares(&group, |suspect| !is_kind(suspect)));
        let cause = narrow.or_else(|| causes.iter().position(|cause| cause.shares(&group, is_kind)));
        match cause {
            Some(cause) => causes[cause].add(group),
            None => causes.push(group),
        }
    }
    by_all_filters(causes)
}

/// Where filters of so many kinds fail, each for another reason, the reason is a common one.
const KINDS_OF_FILTERS: usize = 3;

fn by_all_filters(causes: Vec<Group<'_>>) -> Vec<Group<'_>> {
    let (mut filters, mut others): (Vec<_>, Vec<_>) = causes.into_iter().partition(Group::is_of_filters);
    if filters.len() >= KINDS_OF_FILTERS {
        let mut rest = filters.split_off(1);
        rest.drain(..).for_each(|one| filters[0].add(one));
    }
    others.extend(filters);
    others
}

fn is_kind(suspect: &Suspect) -> bool {
    matches!(suspect, Suspect::Parameters(_))
}

impl<'r> Group<'r> {
    fn new((about, failing): (Vec<&'r str>, Vec<&'r Checked>)) -> Self {
        let is_failed = |check: &&&Checked| matches!(check.outcome, Outcome::Failed { .. });
        let failed = failing.iter().filter(is_failed);
        let findings = failed.flat_map(|check| check.outcome.findings());
        let findings = findings.filter(|finding| about.contains(&finding.about.as_str()));
        let suspects = findings.flat_map(|finding| &finding.suspects).collect();
        Self {
            about,
            failing,
            suspects,
            is_ignored: false,
        }
    }

    /// The kinds of parameters that may be at fault.
    fn kinds(&self) -> impl Iterator<Item = &Suspect> {
        self.suspects.iter().copied().filter(|suspect| is_kind(suspect))
    }

    /// Whether filters alone may be at fault.
    fn is_of_filters(&self) -> bool {
        let is_filter = |suspect: &Suspect| matches!(suspect, Suspect::Parameters(kind) if kind.is_filter());
        self.kinds().next().is_some() && self.kinds().all(is_filter)
    }

    fn shares(&self, other: &Self, counts: impl Fn(&Suspect) -> bool) -> bool {
        let mut shared = self.suspects.intersection(&other.suspects);
        shared.any(|suspect| counts(suspect))
    }

    fn add(&mut self, other: Self) {
        self.about.extend(other.about);
        let is_new = |check: &&Checked| self.failing.iter().all(|known| known.id != check.id);
        let new: Vec<_> = other.failing.into_iter().filter(is_new).collect();
        self.failing.extend(new);
    }
}
