//! What a plan is for: a table of goals, each with its weight, and the only constants of the choice.
//!
//! `cover.rs` works through the goals, the heaviest first, and takes for each need of a goal the query that gains the most for
//! a request. A query gains the weight of every need that it meets for the first time, whatever it was made for.

/// A kind of thing that a plan has to ask, and why it weighs what the table says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Aim {
    /// A value by itself. A filter that is lost shows best alone, so this comes first.
    Alone,
    /// A value that no record has, by itself. It is one short request, and finds every filter that finds too much.
    Absent,
    /// The time between two bounds of the same timestamp. Both bounds of a timestamp are one filter in many servers.
    Window,
    /// A value beside other values of the same record. The other values are asked for together: only what is rare fails in
    /// one of them alone.
    Beside,
    /// A relation alone, and two of them in both orders. What a relation does to the list is lost beside all other relations.
    Relation,
    /// A value of a flag, or a word that shows few records, with the whole answer. A flag that forgets some records shows in
    /// few of them, so its answer is read whole.
    Flag,
    /// A filter that must not find a soft-deleted record by itself. One filter that shows soft-deleted records is enough to
    /// break every caller.
    Hidden,
    /// Soft-deleted records by a common related record, and the relation. The filter proves that the soft-deleted record has
    /// the relation.
    RelatedOfDeleted,
    /// A filter that excludes some of the soft-deleted records. A filter that does not count for soft-deleted records is lost
    /// beside all other records.
    Deleted,
    /// The order of the soft-deleted records alone. Among all records the order of the soft-deleted ones shows for few.
    SortedDeleted,
    /// A later page in an order. An order that a later page loses is lost for few callers, and no first page shows it.
    SortedPage,
    /// A page behind the last one. An empty page would have records if a filter were forgotten there, for one short request.
    Behind,
    /// A long answer that is read to its end. What a page loses or shows again shows only beside the other pages, which costs
    /// many requests.
    Walk,
    /// Three or four filters that all matter. Code that joins filters fails at the third or fourth.
    Conjunction,
    /// Two filters that no record passes together. Where filters are joined by OR, a contradiction finds records.
    Contradiction,
    /// An order by two fields. Only ties show the second key, and only directions that differ show whose direction counts.
    Order,
    /// Two parameters of two kinds and nothing else. What goes wrong with two parameters need not go wrong beside a third
    /// one.
    Couple,
    /// A value that some record has, beside everything else. A server may read any single value wrongly. Queries for other
    /// needs have most of the values.
    Value,
    /// A value that is nearly one, beside everything else. It finds nothing, so that it is one request, however much it asks
    /// for.
    Near,
    /// Two things that both matter. Most faults of combinations need two things to meet.
    Pair,
    /// Three things at once. Few faults need three things; a query has hundreds of triples.
    Triple,
}

/// A goal of a plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    pub(super) aim: Aim,
    /// How much it is worth that one need of it is met. Goals are pursued in the order of their weights.
    pub(super) weight: usize,
    /// So many candidates are made for a need.
    pub(super) tries: usize,
    /// So many needs are pursued at most, where there is no natural end.
    pub(super) most: usize,
}

const fn goal(aim: Aim, weight: usize, tries: usize, most: usize) -> Goal {
    Goal {
        aim,
        weight,
        tries,
        most,
    }
}

/// Where a goal ends by itself.
const ALL: usize = usize::MAX;

/// What a plan for single values is for.
pub(super) const OF_VALUES: &[Goal] = &[
    goal(Aim::Alone, 9_900, 1, ALL),
    goal(Aim::Absent, 9_800, 1, ALL),
    goal(Aim::Window, 9_700, 1, ALL),
    goal(Aim::Beside, 9_600, 1, ALL),
];

/// What a plan for combinations is for.
pub(super) const OF_COMBINATIONS: &[Goal] = &[
    goal(Aim::Relation, 9_900, 1, 6),
    goal(Aim::Flag, 9_800, 1, ALL),
    goal(Aim::RelatedOfDeleted, 9_700, 1, 3),
    goal(Aim::Deleted, 9_600, 24, ALL),
    goal(Aim::Hidden, 9_500, 12, ALL),
    goal(Aim::SortedDeleted, 9_400, 12, ALL),
    goal(Aim::SortedPage, 9_300, 12, ALL),
    goal(Aim::Behind, 9_200, 12, ALL),
    goal(Aim::Walk, 9_100, 60, 8),
    goal(Aim::Conjunction, 9_000, 300, 16),
    goal(Aim::Contradiction, 8_900, 300, 8),
    goal(Aim::Order, 8_800, 1, 3),
    goal(Aim::Couple, 8_700, 60, ALL),
    goal(Aim::Value, 402, 24, ALL),
    goal(Aim::Near, 401, 12, ALL),
    goal(Aim::Pair, PAIR, 60, ALL),
    goal(Aim::Triple, 1, 60, 60),
];

/// A new pair counts as much as so many new triples: every pair has to meet, triples as far as the plan goes.
pub(super) const PAIR: usize = 400;
/// A pair with soft deletion counts so many times as much: late in a plan triples would outweigh the few that are left.
pub(super) const OF_DELETION: usize = 20;
/// A query that gains less than this for a request is not sent.
pub(super) const WORTHWHILE: usize = 200;
/// A plan for pairs may have so many queries in all: a list of which little can be asked has every pair.
pub(super) const SHORT_PLAN: usize = 180;

/// How large the parts of a query are.
pub(super) mod size {
    use std::ops::RangeInclusive;

    /// So many values of each filter that records have are asked for alone.
    pub(in crate::plan) const ALONE: usize = 3;
    /// A query has many filters from this number on.
    pub(in crate::plan) const MANY: usize = 3;
    /// So many filters go together at most where one of them alone would show the fault.
    pub(in crate::plan) const TOGETHER: usize = 4;
    /// So often at most another filter is added to a query.
    pub(in crate::plan) const BROAD: usize = 12;
    /// Where there must be many pages, filters are added so often at most.
    pub(in crate::plan) const DEEP: usize = 3;
    /// A query has so many filters before values are no longer added because they are new.
    pub(in crate::plan) const NEW_VALUES: usize = 12;
    /// So often at most a filter is drawn for something that few values are.
    pub(in crate::plan) const DRAWS: usize = 60;
    /// So many values are drawn where one that finds many records is wanted.
    pub(in crate::plan) const LEVELS: usize = 4;
    /// So often at most a filter is drawn that all records pass.
    pub(in crate::plan) const HARMLESS: usize = 16;
    /// Sort keys are covered in so many places.
    pub(in crate::plan) const PLACES: usize = 3;
    /// A relation is asked for in so many forms at once, at most.
    pub(in crate::plan) const FORMS: usize = 2;
    /// So many relations at most are drawn for every second query, since more meet; for the others fewer, since some fail
    /// only beside few.
    pub(in crate::plan) const RELATIONS: [usize; 2] = [40, 6];
    /// Of an answer with so many records at most, all relations can be asked for: it is soon read.
    pub(in crate::plan) const FEW: usize = 12;
    /// An answer may have so many records to be short, even if pages are smaller.
    pub(in crate::plan) const SHORT: usize = 8;
    /// A relation shows on one page of several if so many records on each page have it on average.
    pub(in crate::plan) const ON_A_PAGE: usize = 3;
    /// A plan reads so many pages of an answer to its end; of a longer one it asks for single pages.
    pub(in crate::plan) const PAGES: usize = 2;
    /// An answer by a word or a flag is read to its end if it has so many pages at most.
    pub(in crate::plan) const WHOLE: usize = 8;
    /// A long answer that is read to its end has so many pages.
    pub(in crate::plan) const LONG: RangeInclusive<usize> = 3..=6;
    /// An order by two fields shows in so many records; more would take more pages.
    pub(in crate::plan) const ORDERED: RangeInclusive<usize> = 3..=60;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_stand_in_the_order_of_their_weights() {
        for goals in [OF_VALUES, OF_COMBINATIONS] {
            assert!(goals.windows(2).all(|pair| pair[0].weight > pair[1].weight));
        }
    }
}
