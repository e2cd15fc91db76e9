//! Drawn faults: mutants of the model. A mutant is a mutation operator under a condition, both drawn from a seed.
//!
//! The operators know the contract and the stored rows. They know nothing of the runner, so that they show what its authors
//! did not think of. [`crate::equivalence`] decides whether a mutant breaks the specification at all.

pub mod condition;
mod draw;
mod operators;
mod rich;
pub mod sample;
mod value_class;

use std::collections::HashSet;
use std::sync::Arc;

pub use condition::Condition;
pub use draw::Draw;
pub use operators::{Operator, Scope};
pub use sample::Sample;
pub use value_class::ValueClass;

use super::{Hooks, Variant};

/// A drawn fault.
pub struct Mutant {
    /// What is changed.
    pub operator: Operator,
    /// When it is changed.
    pub condition: Arc<Condition>,
}

impl Mutant {
    /// Draws one.
    fn draw(draw: &mut Draw, sample: &Sample) -> Self {
        let operator = operators::draw(draw, sample);
        let condition = Arc::new(condition::draw(draw, sample, operator.scope));
        Self { operator, condition }
    }

    /// What it does, in words. Two mutants of one name do the same.
    pub fn name(&self) -> String {
        format!(
            "{}: {}; {}",
            self.operator.kind, self.operator.text, self.condition
        )
    }

    /// The changes to the model.
    pub fn hooks(&self) -> Hooks {
        let mut hooks = Hooks::default();
        hooks.on_rows(rich::enrich);
        (self.operator.apply)(&mut hooks, &self.condition);
        hooks
    }
}

/// So many different mutants of a seed, in the order they are drawn. A longer draw begins with a shorter one.
pub fn mutants(seed: u64) -> impl Iterator<Item = Mutant> {
    let sample = Sample::get();
    let mut draw = Draw::new(seed);
    let mut names = HashSet::new();
    std::iter::repeat_with(move || Mutant::draw(&mut draw, sample))
        .filter(move |mutant| names.insert(mutant.name()))
}

/// The model that mutants are mutants of.
pub fn original() -> Variant {
    super::benign("the model that is mutated", |hooks| hooks.on_rows(rich::enrich))
}
