//! Several accepted answers at once, drawn from a seed: what conforms in one way each conforms together.

use super::variants;
use crate::Variant;

/// So many mixtures are on the shelf.
const MIXTURES: u64 = 12;

/// So many answers are mixed.
const ANSWERS: u64 = 6;

/// Some mixtures, each time the same.
pub fn mixtures() -> Vec<Variant> {
    (1..=MIXTURES).map(mixture).collect()
}

/// A target that answers several open points otherwise than the model does, each of them once. It has the searches that a run is
/// told the names of.
fn mixture(seed: u64) -> Variant {
    let mut all: Vec<Variant> = variants()
        .into_iter()
        .filter(|variant| variant.answer.is_some() && variant.has_searches())
        .collect();
    // A step through a permutation (Knuth's multiplier): the same seed draws the same answers.
    let mut state = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    let mut chosen: Vec<Variant> = Vec::new();
    for _ in 0..ANSWERS {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let index = usize::try_from(state >> 33).unwrap_or_default() % all.len();
        let variant = all.swap_remove(index);
        let point = variant.answer.map(|(point, _)| point);
        if chosen
            .iter()
            .all(|other| other.answer.map(|(point, _)| point) != point)
        {
            chosen.push(variant);
        }
    }
    let names: Vec<_> = chosen.iter().map(|variant| variant.name.as_str()).collect();
    let name = format!("mixture {seed}: {}", names.join("; "));
    Variant {
        name,
        finds: None,
        answer: None,
        make: Box::new(move |hooks| chosen.iter().for_each(|variant| (variant.make)(hooks))),
    }
}
