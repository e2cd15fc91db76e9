//! The region of a planned check, as data: the queries that exercise it, and the violations that fail it.
//!
//! The exploration compares every query and every violation with these regions, so that a new check is one entry of a table.
//!
//! Invariant: a violation may be in the areas of several checks. The area with the most signs decides. If several areas have as
//! many signs, the first in the tables decides.

use std::fmt;

use rollcall_oracle::judge::Aspect;
use rollcall_oracle::open_points::related_number::RelationForm;
use rollcall_oracle::plan::ValueRelation;

/// A part of the exploration. Its queries are planned together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Stage {
    /// Every value of every filter, alone and beside other filters.
    Values,
    /// Filters, order, relations and pages together.
    Combinations,
}

impl Stage {
    /// The parts in their order.
    pub(crate) const ALL: [Self; 2] = [Self::Values, Self::Combinations];
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Values => "values",
            Self::Combinations => "combinations",
        })
    }
}

/// The queries and violations that a check is about.
#[derive(Debug)]
pub(crate) struct Region {
    /// The queries that exercise it, in the stage of the check.
    pub(crate) exercised_by: &'static [Area],
    /// The filters and words that the check has to look at. Those that it does not reach are gaps.
    pub(crate) owes: Owes,
    /// The violations that fail it.
    pub(crate) failed_by: &'static [Area],
    /// A simpler question. If its answer is wrong as well, the violation is judged by that.
    pub(crate) unless: Option<Simpler>,
}

impl Region {
    /// No query and no violation.
    pub(crate) const NONE: Self = Self {
        exercised_by: &[],
        owes: Owes::Nothing,
        failed_by: &[],
        unless: None,
    };
}

/// The things that a check has to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owes {
    /// Nothing in particular.
    Nothing,
    /// Every filter of the kinds that exercise it.
    EveryFilter,
    /// Every word of these filters.
    EveryWord,
}

/// A set of queries or violations. An empty list and [`Amount::ANY`] leave a property open.
#[derive(Debug)]
pub(crate) struct Area {
    /// The parts of the answer that are wrong.
    pub(crate) aspects: &'static [Aspect],
    /// The kinds of the filter; then the query has this filter alone, or it is one of the filters that exercise the check.
    pub(crate) kinds: &'static [FilterKind],
    /// How the value of that filter stands to what records show.
    pub(crate) values: &'static [ValueRelation],
    /// How many filters there are.
    pub(crate) filters: Amount,
    /// How many sort fields.
    pub(crate) sort: Amount,
    /// How many relations.
    pub(crate) include: Amount,
    /// How many page numbers.
    pub(crate) page: Amount,
    /// How many of sort, include and page.
    pub(crate) beside_filters: Amount,
    /// Whether something that must not matter is sent along or right before. In an area without it no violation has it.
    pub(crate) is_disturbed: bool,
    /// What else is seen, all of it.
    pub(crate) signs: &'static [Sign],
}

impl Area {
    /// Everything that is not disturbed.
    pub(crate) const ALL: Self = Self {
        aspects: &[],
        kinds: &[],
        values: &[],
        filters: Amount::ANY,
        sort: Amount::ANY,
        include: Amount::ANY,
        page: Amount::ANY,
        beside_filters: Amount::ANY,
        is_disturbed: false,
        signs: &[],
    };
    /// Filters alone, or nothing.
    pub(crate) const FILTERS: Self = Self {
        beside_filters: Amount::NONE,
        ..Self::ALL
    };
    /// The list without parameters.
    pub(crate) const BARE: Self = Self::FILTERS.filters(Amount::NONE);
    /// What is sent with something that must not matter.
    pub(crate) const DISTURBED: Self = Self {
        is_disturbed: true,
        ..Self::ALL
    };

    /// A filter of one of some kinds, by a value that stands to what records show in one of some ways.
    pub(crate) const fn by(kinds: &'static [FilterKind], values: &'static [ValueRelation]) -> Self {
        Self {
            kinds,
            values,
            ..Self::ALL
        }
    }

    /// What is wrong in one of these parts of the answer.
    pub(crate) const fn wrong(self, aspects: &'static [Aspect]) -> Self {
        Self { aspects, ..self }
    }

    /// What shows all of these signs.
    pub(crate) const fn showing(self, signs: &'static [Sign]) -> Self {
        Self { signs, ..self }
    }

    /// What has so many filters.
    pub(crate) const fn filters(self, filters: Amount) -> Self {
        Self { filters, ..self }
    }

    /// What has so many sort fields.
    pub(crate) const fn sort(self, sort: Amount) -> Self {
        Self { sort, ..self }
    }

    /// What has so many relations.
    pub(crate) const fn include(self, include: Amount) -> Self {
        Self { include, ..self }
    }

    /// What has so many page numbers.
    pub(crate) const fn page(self, page: Amount) -> Self {
        Self { page, ..self }
    }

    /// What has so many of sort, include and page.
    pub(crate) const fn beside_filters(self, beside_filters: Amount) -> Self {
        Self {
            beside_filters,
            ..self
        }
    }
}

/// Records that should not be there, or are not there.
pub(crate) const MEMBERSHIP: &[Aspect] = &[Aspect::Answer, Aspect::Alien, Aspect::Missing, Aspect::Page];
/// Records that should not be there.
pub(crate) const ALIEN: &[Aspect] = &[Aspect::Alien];
/// Records that are not there, and answers that are no list.
pub(crate) const LOST: &[Aspect] = &[Aspect::Answer, Aspect::Missing, Aspect::Page];
/// A refusal, or a failure.
pub(crate) const REFUSED: &[Aspect] = &[Aspect::Answer];
/// Another order of the records.
pub(crate) const DISORDER: &[Aspect] = &[Aspect::Order];
/// A relation, in each of its forms.
pub(crate) const RELATION: &[Aspect] = &[
    Aspect::Relation(RelationForm::Records),
    Aspect::Relation(RelationForm::Count),
    Aspect::Relation(RelationForm::Exists),
];

/// Filters that look for exactly a value.
pub(crate) const EXACT: &[FilterKind] = &[
    FilterKind::Identifier,
    FilterKind::Join,
    FilterKind::Word,
    FilterKind::Text,
    FilterKind::Other,
];
/// Values that a record shows, or that are made of one.
pub(crate) const SHOWN: &[ValueRelation] = &[
    ValueRelation::MemberValue,
    ValueRelation::Whole,
    ValueRelation::Disguised,
];

/// From so many to so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Amount(usize, usize);

impl Amount {
    pub(crate) const ANY: Self = Self(0, usize::MAX);
    pub(crate) const NONE: Self = Self(0, 0);
    pub(crate) const ONE: Self = Self(1, 1);
    pub(crate) const AT_MOST_ONE: Self = Self(0, 1);
    pub(crate) const TWO: Self = Self(2, 2);
    pub(crate) const SOME: Self = Self(1, usize::MAX);
    pub(crate) const SEVERAL: Self = Self(2, usize::MAX);
    pub(crate) const MANY: Self = Self(3, usize::MAX);

    /// Whether a number is one of them.
    pub(crate) fn has(self, number: usize) -> bool {
        (self.0..=self.1).contains(&number)
    }
}

/// What a filter looks at, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FilterKind {
    /// Exactly the record's own identifier.
    Identifier,
    /// Exactly the identifier of a related record, which both records show.
    Join,
    /// Exactly one of a few words.
    Word,
    /// Exactly another text.
    Text,
    /// Exactly a value that is no text.
    Other,
    /// A part of a text.
    Part,
    /// A member that is true or false.
    Flag,
    /// Several conditions, which a flag stands for.
    Conditions,
    /// A timestamp before a bound.
    Before,
    /// A timestamp after a bound.
    After,
    /// Soft deletion, by one of a few words.
    Deletion,
    /// Soft deletion, by any word.
    DeletionByAnyWord,
}

/// A property of a query and its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    /// The value is this word.
    Is(&'static str),
    /// The value has no character that a query language reads as something else.
    Plain,
    /// The value has such a character.
    Odd,
    /// The value is nothing but such characters.
    Odds,
    /// The value has no blank at either end.
    Trimmed,
    /// The value begins with an @.
    LeadingAt,
    /// The value has a plus sign.
    Plus,
    /// The value is a timestamp in another form than ISO 8601 with Z.
    OtherForm,
    /// The value is a part of a value that a record shows.
    PartOfValue,
    /// No record belongs to the answer.
    FindsNothing,
    /// The value is no word about soft deletion.
    UnknownWord,
    /// The value finds a record.
    Finds,
    /// The value finds a record, and leaves another one out.
    Divides,
    /// The records that do not belong there show longer values.
    LongerValues,
    /// The records that do not belong there show one of several words.
    OneOfTheWords,
    /// The records that do not belong there have the text in the name of a member.
    MemberNames,
    /// The records that do not belong there show another value than a condition demands.
    OtherThanDemanded,
    /// A record shows another word than it does in the list.
    OtherWord,
    /// The filter is the lower bound of a window.
    Window,
    /// The filter looks at a relation that is included.
    FilteredRelation,
    /// Besides filters, one of them is about soft deletion.
    Scope,
    /// Soft-deleted records have to stay out, and there are others.
    HidesDeleted,
    /// The list has relations, and a record.
    Relations,
    /// The answer has records that are the same in a sort field.
    Ties,
    /// The first sort field descends.
    Descending,
    /// The target failed.
    Broken,
    /// There are several parameters.
    Together,
    /// The answer has several pages.
    Pages,
    /// The later pages are those of the list without the filters.
    ForgetsFilters,
    /// The records are those of the list without the filters.
    IgnoresFilters,
}

/// A question that is simpler than another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Simpler {
    /// For records that are missing, a plain value that a record shows; else a value without sense, of the same form.
    PlainValue,
    /// The same timestamp in the form of ISO 8601 with Z.
    IsoForm,
    /// The list without a word about soft deletion, and without a filter.
    NoFilter,
}
