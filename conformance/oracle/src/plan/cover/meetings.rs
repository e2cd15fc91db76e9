//! Which things have met in a query: pairs of them, and three at once.

use std::collections::BTreeMap;

use super::token::{Token, can_meet};
use crate::plan::goals::{OF_DELETION, PAIR};

/// The things in a word of a set.
const BITS: usize = u64::BITS as usize;

/// The pairs and the triples of things that a query has had. A set of things is a row of bits.
pub(super) struct Meetings {
    places: BTreeMap<Token, usize>,
    /// How much a new pair of each thing counts, unless the other thing counts more.
    weights: Vec<usize>,
    /// So many words has a row.
    width: usize,
    /// For each thing, those that it can meet.
    can_meet: Vec<u64>,
    /// For each thing, those that it has met.
    pairs: Vec<u64>,
    /// For each pair of things, those that both have met at once.
    triples: Vec<u64>,
}

impl Meetings {
    /// Nothing has met.
    pub(super) fn new(tokens: &[Token]) -> Self {
        let places: BTreeMap<Token, usize> = tokens.iter().copied().zip(0..).collect();
        let (count, width) = (tokens.len(), tokens.len().div_ceil(BITS));
        let mut can = vec![0; count * width];
        for (one, at) in &places {
            for (other, place) in &places {
                if one != other && can_meet(*one, *other) {
                    can[at * width + place / BITS] |= 1 << (place % BITS);
                }
            }
        }
        let mut weights = vec![PAIR; count];
        for (_, at) in places.iter().filter(|(token, _)| token.is_of_deletion()) {
            weights[*at] = PAIR * OF_DELETION;
        }
        Self {
            weights,
            places,
            width,
            can_meet: can,
            pairs: vec![0; count * width],
            triples: vec![0; count * count * width],
        }
    }

    /// Whether two things have met.
    pub(super) fn have_met(&self, (one, other): (Token, Token)) -> bool {
        let places = self.places.get(&one).zip(self.places.get(&other));
        places.is_some_and(|(one, other)| {
            self.pairs[one * self.width + other / BITS] >> (other % BITS) & 1 == 1
        })
    }

    /// How much is new about a query with some things.
    pub(super) fn gain(&self, tokens: &[Token]) -> usize {
        let (places, all) = self.set(tokens);
        let width = self.width;
        let mut gain = 0;
        for (one, other) in self.pairs_of(tokens, &places) {
            let is_new = self.pairs[one * width + other / BITS] >> (other % BITS) & 1 == 0;
            if is_new {
                gain += self.weights[one].max(self.weights[other]);
            }
            let row = (one * self.places.len() + other) * width;
            let met = &self.triples[row..row + width];
            let can = self.row(one).iter().zip(self.row(other));
            for ((word, met), (one, other)) in all.iter().zip(met).zip(can) {
                gain += (word & one & other & !met).count_ones() as usize;
            }
        }
        gain
    }

    /// Notes a query with some things.
    pub(super) fn meet(&mut self, tokens: &[Token]) {
        let (places, all) = self.set(tokens);
        let (width, count) = (self.width, self.places.len());
        for (one, other) in self.pairs_of(tokens, &places) {
            for (one, other) in [(one, other), (other, one)] {
                self.pairs[one * width + other / BITS] |= 1 << (other % BITS);
                let row = (one * count + other) * width;
                for (met, word) in self.triples[row..row + width].iter_mut().zip(&all) {
                    *met |= word;
                }
            }
        }
    }

    /// The things that one can meet.
    fn row(&self, one: usize) -> &[u64] {
        &self.can_meet[one * self.width..(one + 1) * self.width]
    }

    /// The places of some things.
    pub(super) fn places(&self, tokens: &[Token]) -> Vec<usize> {
        let places = tokens.iter().filter_map(|token| self.places.get(token));
        places.copied().collect()
    }

    /// The places of some things, and the same as a set.
    fn set(&self, tokens: &[Token]) -> (Vec<usize>, Vec<u64>) {
        let places = self.places(tokens);
        let mut all = vec![0; self.width];
        for place in &places {
            all[place / BITS] |= 1 << (place % BITS);
        }
        (places, all)
    }

    /// The pairs of a query that can meet. Where a query asks for what is nearly a value nothing else shows, so that only its
    /// pairs count.
    fn pairs_of(&self, tokens: &[Token], places: &[usize]) -> Vec<(usize, usize)> {
        let is_near = |token: &Token| matches!(token, Token::Near(_));
        let near = tokens
            .iter()
            .find(|token| is_near(token))
            .and_then(|token| self.places.get(token));
        let mut pairs = Vec::new();
        for (at, one) in places.iter().enumerate() {
            for other in &places[at + 1..] {
                let counts = near.is_none_or(|near| near == one || near == other);
                let can = self.can_meet[one * self.width + other / BITS] >> (other % BITS) & 1 == 1;
                if counts && can {
                    pairs.push((*one, *other));
                }
            }
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_gains_nothing_twice() {
        let tokens: Vec<Token> = (0..70).map(Token::Sort).chain([Token::Usual]).collect();
        let mut meetings = Meetings::new(&tokens);
        let query = [tokens[0], tokens[69], tokens[70]];
        assert_eq!(meetings.gain(&query), PAIR + 2 * PAIR * OF_DELETION + 3);
        meetings.meet(&query[..2]);
        assert!(meetings.have_met((tokens[69], tokens[0])) && !meetings.have_met((tokens[0], tokens[70])));
        assert_eq!(meetings.gain(&query), 2 * PAIR * OF_DELETION + 3);
        meetings.meet(&query);
        assert_eq!(meetings.gain(&query), 0);
    }

    #[test]
    fn only_the_near_value_of_a_query_meets_something() {
        let tokens = [Token::Sort(0), Token::Sort(1), Token::Near(0)];
        let mut meetings = Meetings::new(&tokens);
        meetings.meet(&tokens);
        assert!(meetings.have_met((tokens[0], tokens[2])) && !meetings.have_met((tokens[0], tokens[1])));
    }
}
