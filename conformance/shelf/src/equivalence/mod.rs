//! Decides whether a mutant breaks the specification: by asking it and models that conform the same questions.
//!
//! The questions are drawn here, from the contract and the stored rows. Nothing here is shared with the runner. An answer is
//! compared as far as the specification fixes it (`compare.rs`). What an open point leaves is allowed in two ways: a question
//! that only an open point answers is not asked, and an answer that some variant on the shelf of accepted answers gives is
//! no violation.
//!
//! - A mutant **violates** if one answer is given by no conforming model.
//! - It is **equivalent** if its condition was met and every answer is that of the model.
//! - It is **undecided** if its condition was never met, or if it differs only where an open point allows another answer.

mod access;
mod answer;
mod compare;
mod expected;
mod invariant;
mod query;
mod question;
mod shown;
mod targeted;
mod twin;
mod writes;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::mutation::{Condition, Mutant, Sample, Scope};
use super::{Hooks, Model};
use expected::{Difference, Expected};
pub use question::Question;

/// What a mutant is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Class {
    /// It breaks the specification: the question that shows it.
    Violates(String),
    /// No answer tells it from the model.
    Equivalent,
    /// It cannot be said, and why.
    Undecided(&'static str),
}

/// How many questions are asked at most.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Questions about the parameters of the mutant's operator and condition.
    pub targeted: usize,
    /// Questions about anything.
    pub general: usize,
}

impl Effort {
    /// Enough to tell a mutant from the model with some confidence.
    pub const FULL: Self = Self {
        targeted: 400,
        general: 1_200,
    };
    /// Enough for a test.
    pub const TEST: Self = Self {
        targeted: 60,
        general: 60,
    };
}

/// Decides what a mutant is.
pub fn decide(mutant: &Mutant, effort: Effort) -> Class {
    let met = Arc::new(AtomicUsize::new(0));
    let hooks = || {
        let mut hooks = mutant.hooks();
        count(&mut hooks, &mutant.condition, &met);
        hooks
    };
    let class = judge(&hooks, mutant, effort);
    let is_met = match &*mutant.condition {
        Condition::Record(class) => Sample::get().users().iter().any(|row| class.has(row)),
        _ => met.load(Ordering::Relaxed) > 0,
    };
    match class {
        Class::Equivalent if !is_met => Class::Undecided("its condition was never met"),
        class => class,
    }
}

/// Decides what a target with these hooks is, apart from its condition. For a mutant, it is first asked what shows it best.
fn judge(hooks: &dyn Fn() -> Hooks, mutant: &Mutant, effort: Effort) -> Class {
    let is_write = mutant.operator.scope == Scope::Write;
    if is_write && let Some(shown) = writes::violation(hooks) {
        return Class::Violates(shown);
    }
    if mutant.operator.scope == Scope::Access
        && let Some(shown) = access::violation(hooks)
    {
        return Class::Violates(shown);
    }
    let targeted = targeted::questions(mutant, effort.targeted);
    match read(
        hooks,
        targeted
            .iter()
            .chain(question::general().iter().take(effort.general)),
    ) {
        Class::Equivalent => {}
        other => return other,
    }
    let rest = if is_write { None } else { writes::violation(hooks) };
    match rest.or_else(|| access::violation(hooks)) {
        Some(shown) => Class::Violates(shown),
        None => Class::Equivalent,
    }
}

/// What a target is, as far as so many reading questions about anything show.
fn read_apart(hooks: &dyn Fn() -> Hooks, questions: usize) -> Class {
    read(hooks, question::general().iter().take(questions))
}

/// What a target that is no mutant is, as far as so many questions about anything show.
pub fn classify(hooks: &dyn Fn() -> Hooks, questions: usize) -> Class {
    let read = read_apart(hooks, questions);
    if let Class::Violates(_) = read {
        return read;
    }
    match writes::violation(hooks).or_else(|| access::violation(hooks)) {
        Some(shown) => Class::Violates(shown),
        None => read,
    }
}

/// Asks reading questions.
fn read<'q>(hooks: &dyn Fn() -> Hooks, questions: impl Iterator<Item = &'q Question>) -> Class {
    let sample = Sample::get();
    let target = Model::of(sample.rows.clone(), hooks());
    let expected = match Expected::of(&target) {
        Ok(expected) => expected,
        Err(shown) => return twin::unless_accepted(hooks, None, shown),
    };
    let mut is_open = false;
    for question in questions {
        let difference = match expected.difference(question, &target) {
            Difference::Same => continue,
            Difference::Open => {
                is_open = true;
                continue;
            }
            Difference::Fixed(difference) => difference,
        };
        match expected.is_allowed(question, &target) {
            true => is_open = true,
            false => {
                return twin::unless_accepted(hooks, Some(question), format!("{question}: {difference}"));
            }
        }
    }
    match is_open {
        true => Class::Undecided("it differs only where an open point allows it"),
        false => Class::Equivalent,
    }
}

fn count(hooks: &mut Hooks, condition: &Arc<Condition>, met: &Arc<AtomicUsize>) {
    let (condition, met) = (Arc::clone(condition), Arc::clone(met));
    hooks.on_request(move |asked| {
        if condition.asked(asked) {
            met.fetch_add(1, Ordering::Relaxed);
        }
    });
}
