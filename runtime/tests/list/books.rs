//! A small list and its tables.

use rollcall_runtime::list::{
    Filter, List, Match, PageSizes, RelationSpec, Role, SortKey, Source, Test, ValueKind,
};
use rollcall_runtime::record::{Part, Record};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Field {
    Title,
    Added,
    IsLent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Relation {
    Author,
    Readers,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Book {
    id: String,
}

impl Record for Book {
    type Member = Field;
    type AnyField = Field;
    const PARTS: &'static [Part<Field, Field>] = &[];
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Books;

pub(crate) const LONGEST: usize = 8;

const fn filter(
    name: &'static str,
    any_of: &'static [Field],
    matching: Match,
    value: ValueKind,
) -> Filter<Field> {
    Filter {
        name,
        any_of,
        all: &[],
        matching,
        value,
    }
}

impl List for Books {
    type Field = Field;
    type Hidden = Field;
    type Relation = Relation;
    type Record = Book;
    const OPERATION: &'static str = "listBooks";
    const PATH: &'static str = "/books";
    const ROLES: &'static [(&'static str, Role)] = &[
        ("include", Role::Include),
        ("sort", Role::Sort),
        ("page", Role::Page { max_length: 16 }),
        ("page[size]", Role::PageSize),
        ("page[total]", Role::PageTotal),
    ];
    const PAGE_SIZES: PageSizes = PageSizes {
        default: 25,
        maximum: 200,
    };
    const FILTERS: &'static [Filter<Field>] = &[
        filter(
            "filter[title]",
            &[Field::Title],
            Match::Exact,
            ValueKind::Text { max_length: LONGEST },
        ),
        filter(
            "filter[kind]",
            &[Field::Title],
            Match::Exact,
            ValueKind::Word(&["novel", "poem"]),
        ),
        filter("filter[lent]", &[Field::IsLent], Match::Flag, ValueKind::Boolean),
        filter(
            "filter[added_after]",
            &[Field::Added],
            Match::After,
            ValueKind::Timestamp { max_length: 40 },
        ),
        filter(
            "filter[trashed]",
            &[],
            Match::Trashed,
            ValueKind::Trashed { max_length: LONGEST },
        ),
        Filter {
            all: &[(Field::IsLent, Test::Present(true))],
            ..filter("filter[late]", &[], Match::Flag, ValueKind::Boolean)
        },
    ];
    const SORT: &'static [(&'static str, Field)] = &[
        ("title", Field::Title),
        ("added_at", Field::Added),
        ("is_lent", Field::IsLent),
    ];
    const DEFAULT_SORT: &'static [SortKey<Field>] = &[SortKey {
        field: Field::Title,
        descending: false,
    }];
    const RELATIONS: &'static [RelationSpec<Relation>] = &[
        RelationSpec {
            name: "author",
            member: "author",
            many: false,
            relation: Relation::Author,
            count: None,
        },
        RelationSpec {
            name: "readers",
            member: "readers",
            many: true,
            relation: Relation::Readers,
            count: None,
        },
    ];

    fn source(field: Field) -> Source<Field, Field> {
        Source::Member(field)
    }

    fn any(field: Field) -> Field {
        field
    }
}
