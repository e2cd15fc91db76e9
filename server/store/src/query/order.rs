//! The order of a list as SQL: its terms, and the condition of lying behind a place in it.
//!
//! Nulls come last in both directions, the id decides ties (L5). The first key splits the list in segments, its values and its
//! nulls, or one for each state; within a segment the terms compare like a tuple, which an index answers at any depth.

use rollcall::Timestamp;
use rollcall::list::{Condition, ListQuery, Match, SortKey, Test, Trashed, Value as Wanted, ValueKind};
use rollcall::record::Shape;

use crate::fold::fold;
use crate::sql::{Sql, Value};
use crate::tables::column::Column;
use crate::tables::resource::Resource;
use crate::tables::state::{push_is_state, push_state};
use crate::tables::table::ReadContext;

/// A term of the order: something compared, never null within a segment unless a term before it says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Term {
    what: What,
    descending: bool,
    shape: Shape,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Column(&'static str),
    Folded(&'static str),
    State,
    IsNull(&'static str),
}

impl Term {
    /// Whether a record can have this value. A cursor can be made up: a value of another type compares in another way on each
    /// database.
    fn can_be(&self, value: &Value) -> bool {
        match (self.shape, value) {
            (_, Value::Null) => !matches!(self.what, What::IsNull(_)),
            (Shape::Text | Shape::Json, Value::Text(text)) => !text.contains('\0'),
            (Shape::Boolean, Value::Int(flag)) => matches!(flag, 0 | 1),
            (Shape::Timestamp | Shape::Integer, Value::Int(_)) => true,
            _ => false,
        }
    }
}

/// The order of a request, in the direction it is walked.
#[derive(Clone, Debug)]
pub struct Order {
    /// In the order they are walked.
    segments: Vec<Segment>,
    /// Terms of the first key; all the same within a segment, but for that of the values.
    first: Vec<Term>,
    rest: Vec<Term>,
    backward: bool,
    now: Timestamp,
    /// Whether a record may have expired that is not recorded as expired yet.
    is_behind: bool,
}

/// A part of the list, told apart by the first key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segment {
    /// All of it: the first key is never null.
    Whole,
    /// Records that have a value in the first key.
    Values,
    /// Records that have none.
    Nulls,
    /// Records that show this state: time changes it, so that no index has its order.
    State(&'static str),
}

impl Order {
    /// The order of these keys; walked from its end if `backward`.
    pub fn of<R: Resource>(keys: &[SortKey<R::Field>], backward: bool, reading: &ReadContext<'_>) -> Self {
        let mut terms = keys.iter().map(|key| {
            let (nullable, terms) = terms(R::column(key.field), R::shape(key.field), key.descending);
            (nullable.filter(|_| R::is_nullable(key.field)), terms)
        });
        let (nullable, first) = terms.next().unwrap_or_default();
        let mut segments = match first.first() {
            Some(Term {
                what: What::State, ..
            }) => states::<R>(keys[0]),
            _ if nullable.is_some() => vec![Segment::Values, Segment::Nulls],
            _ => vec![Segment::Whole],
        };
        if backward {
            segments.reverse();
        }
        let mut rest = Vec::new();
        for (nullable, terms) in terms {
            // Behind the first key, nulls are put last by a term of their own.
            rest.extend(nullable.map(|column| Term {
                what: What::IsNull(column),
                descending: false,
                shape: Shape::Boolean,
            }));
            rest.extend(terms);
        }
        let by_id = |term: &Term| term.what == What::Column("id");
        if !first.iter().chain(&rest).any(by_id) {
            let descending = keys.last().is_some_and(|key| key.descending);
            rest.push(Term {
                what: What::Column("id"),
                descending,
                shape: Shape::Text,
            });
        }
        Self {
            segments,
            first,
            rest,
            backward,
            now: reading.now,
            is_behind: reading.is_behind::<R::Record>(),
        }
    }

    /// Whether it is walked from its end.
    pub fn is_backward(&self) -> bool {
        self.backward
    }

    /// Whether time alone changes it: the state that a record shows follows from the time (O1).
    pub fn follows_time(&self) -> bool {
        let mut terms = self.first.iter().chain(&self.rest);
        terms.any(|term| term.what == What::State)
    }

    /// The segments in the order they are walked.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Whether it is known without a look that no record of a query is in a segment: only soft-deleted records have a
    /// deletion, and the query may ask for another state.
    pub fn has_none_of<R: Resource>(&self, segment: Segment, query: &ListQuery<R>) -> bool {
        if query.trashed == Trashed::Without && query.conditions.iter().any(bounds_deletion::<R>) {
            return true;
        }
        let is_by_deletion = |term: &Term| term.what == What::Column("deleted_at");
        let is_by_deletion = self.first.first().is_some_and(is_by_deletion);
        match segment {
            Segment::Whole => false,
            Segment::Values => is_by_deletion && query.trashed == Trashed::Without,
            Segment::Nulls => is_by_deletion && query.trashed == Trashed::Only,
            Segment::State(state) => {
                let mut wanted = query.conditions.iter().filter_map(wanted_state::<R>);
                wanted.any(|wanted| wanted != state)
            }
        }
    }

    /// The segment a place lies in, if it is one of this order.
    pub fn segment_of(&self, values: &[Value]) -> Option<Segment> {
        let lies_in = |segment: &Segment| match (segment, values.first()) {
            (Segment::Whole, _) => true,
            (Segment::Values, value) => value != Some(&Value::Null),
            (Segment::Nulls, value) => value == Some(&Value::Null),
            (Segment::State(state), value) => value == Some(&Value::from(*state)),
        };
        self.segments.iter().copied().find(lies_in)
    }

    /// How many values of a record a cursor keeps. Folded texts follow from the texts, and would make it twice as long.
    pub fn kept_width(&self) -> usize {
        self.kept_terms().count()
    }

    /// Adds `, a, b, …`: the values that a cursor keeps.
    pub fn push_kept(&self, sql: &mut Sql) {
        for term in self.kept_terms() {
            sql.push(", ");
            self.push_term(sql, term);
        }
    }

    fn kept_terms(&self) -> impl Iterator<Item = &Term> {
        let terms = self.first.iter().chain(&self.rest);
        terms.filter(|term| !matches!(term.what, What::Folded(_)))
    }

    /// The values of all terms from those that a cursor keeps, if they are values of this order.
    pub fn place(&self, kept: Vec<Value>) -> Option<Vec<Value>> {
        let mut kept = kept.into_iter().peekable();
        let mut values = Vec::new();
        for term in self.first.iter().chain(&self.rest) {
            // The text itself is the next term.
            let value = match (term.what, kept.peek()?) {
                (What::Folded(_), Value::Text(text)) => Value::Text(fold(text)),
                (What::Folded(_), Value::Null) => Value::Null,
                (What::Folded(_), _) => return None,
                _ => kept.next().filter(|value| term.can_be(value))?,
            };
            values.push(value);
        }
        kept.next().is_none().then_some(values)
    }

    /// Adds ` AND …` for one segment. The prefix `+` keeps the database from finding rows by it.
    pub fn push_segment(&self, sql: &mut Sql, segment: Segment, prefix: &'static str) {
        // All terms of a key are null together; an index has them one after the other.
        let (terms, test) = match segment {
            Segment::Whole => return,
            Segment::State(state) => {
                sql.push(" AND ").push(prefix);
                return push_is_state(sql, state, self.now, self.is_behind);
            }
            Segment::Values => (&self.first[..1], " IS NOT NULL"),
            Segment::Nulls => (&self.first[..], " IS NULL"),
        };
        for term in terms {
            sql.push(" AND ").push(prefix);
            self.push_term(sql, term);
            sql.push(test);
        }
    }

    /// Adds ` ORDER BY …` within a segment. The prefix `+` keeps the database from reading rows in this order.
    pub fn push_order(&self, sql: &mut Sql, segment: Segment, prefix: &'static str) {
        sql.push(" ORDER BY ")
            .push_each(", ", self.terms(segment), |sql, term| {
                self.push_term(sql.push(prefix), term);
                sql.push(if self.is_descending(term) { " DESC" } else { " ASC" });
            });
    }

    /// Adds ` AND …`: behind the place, within a segment it lies in.
    pub fn push_after(&self, sql: &mut Sql, segment: Segment, values: &[Value]) {
        let skipped = self.first.len() + self.rest.len() - self.terms(segment).count();
        let pairs: Vec<_> = self.terms(segment).zip(values.iter().skip(skipped)).collect();
        let Some((first, rest)) = pairs.split_first() else {
            return;
        };
        let direction = self.is_descending(first.0);
        let alike = rest.iter().all(|(term, _)| self.is_descending(term) == direction);
        let nulls = pairs.iter().any(|(_, value)| **value == Value::Null)
            || pairs.iter().any(|(term, _)| matches!(term.what, What::IsNull(_)));
        if alike && !nulls {
            sql.push(" AND (")
                .push_each(", ", &pairs, |sql, (term, _)| self.push_term(sql, term));
            sql.push(if direction { ") < " } else { ") > " });
            sql.bind_all(pairs.iter().map(|(_, value)| (*value).clone()));
        } else {
            if *first.1 != Value::Null {
                // Implied by what follows; said so that an index can start here.
                sql.push(" AND ");
                self.push_term(sql, first.0);
                sql.push(if direction { " <= " } else { " >= " })
                    .bind(first.1.clone());
            }
            sql.push(" AND ");
            self.push_lexicographic(sql, &pairs);
        }
    }

    /// `a > x OR (a = x AND (b > y OR …))`, with a null equal to a null and behind nothing.
    fn push_lexicographic(&self, sql: &mut Sql, pairs: &[(&Term, &Value)]) {
        let Some(((term, value), rest)) = pairs.split_first() else {
            sql.push("FALSE");
            return;
        };
        sql.push("(");
        if **value == Value::Null {
            self.push_term(sql, term);
            sql.push(" IS NULL AND ");
        } else {
            self.push_term(sql, term);
            sql.push(if self.is_descending(term) { " < " } else { " > " })
                .bind((*value).clone())
                .push(" OR (");
            self.push_term(sql, term);
            sql.push(" = ").bind((*value).clone()).push(" AND ");
        }
        self.push_lexicographic(sql, rest);
        sql.push(if **value == Value::Null { ")" } else { "))" });
    }

    fn terms(&self, segment: Segment) -> impl Iterator<Item = &Term> {
        let first: &[Term] = match segment {
            Segment::Whole | Segment::Values => &self.first,
            Segment::Nulls | Segment::State(_) => &[],
        };
        first.iter().chain(&self.rest)
    }

    fn is_descending(&self, term: &Term) -> bool {
        term.descending != self.backward
    }

    fn push_term(&self, sql: &mut Sql, term: &Term) {
        match term.what {
            What::Column(column) => {
                sql.push(["t.", column]);
            }
            What::Folded(column) => {
                sql.push(["t.", column, "_folded"]);
            }
            What::IsNull(column) => {
                sql.push(["(t.", column, " IS NULL)"]);
            }
            What::State => push_state(sql, self.now),
        }
    }
}

/// Whether only soft-deleted records pass a condition.
fn bounds_deletion<R: Resource>(condition: &Condition<R::Field>) -> bool {
    let filter = condition.filter;
    let is_deletion = |field: &R::Field| R::column(*field) == Column::Plain("deleted_at");
    let is_bound = matches!(filter.matching, Match::Before | Match::After);
    is_bound && !filter.any_of.is_empty() && filter.any_of.iter().all(is_deletion)
}

/// The state of all records that pass a condition, if it names one.
fn wanted_state<R: Resource>(condition: &Condition<R::Field>) -> Option<&str> {
    let filter = condition.filter;
    let is_state = |field: R::Field| R::column(field) == Column::State;
    match (&condition.value, filter.any_of) {
        (Wanted::Text(state), &[field]) if filter.matching == Match::Exact && is_state(field) => Some(state),
        (Wanted::Flag(true), _) => filter.all.iter().find_map(|(field, test)| match test {
            Test::Is(state) if is_state(*field) => Some(*state),
            _ => None,
        }),
        _ => None,
    }
}

/// A segment for each state of a list, which its filter on the state names.
fn states<R: Resource>(key: SortKey<R::Field>) -> Vec<Segment> {
    let of_states = |kind| match kind {
        ValueKind::Word(words) => Some(words),
        _ => None,
    };
    let filter = R::FILTERS
        .iter()
        .find(|filter| filter.any_of == [key.field] && filter.matching == Match::Exact);
    let Some(words) = filter.and_then(|filter| of_states(filter.value)) else {
        return vec![Segment::Whole];
    };
    let mut words = words.to_vec();
    words.sort_unstable();
    if key.descending {
        words.reverse();
    }
    words.into_iter().map(Segment::State).collect()
}

/// The terms of a key, with the column that may be null.
fn terms(column: Column, shape: Shape, descending: bool) -> (Option<&'static str>, Vec<Term>) {
    let term = |what| Term {
        what,
        descending,
        shape,
    };
    match column {
        Column::Plain("id") => (None, vec![term(What::Column("id"))]),
        Column::Plain(column) => (Some(column), vec![term(What::Column(column))]),
        Column::Text(column) => (
            Some(column),
            vec![term(What::Folded(column)), term(What::Column(column))],
        ),
        Column::State => (None, vec![term(What::State)]),
        // No sort field of the contract is one of these (its lint says that a sort field is a member shown).
        Column::Json(_) | Column::ExpiredAt | Column::Joined(_) => (None, vec![]),
    }
}
