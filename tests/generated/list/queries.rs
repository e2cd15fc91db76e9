//! Any query of any list: parsing what it prints gives it back.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use rollcall::Timestamp;
use rollcall::list::{
    Condition, Filter, Form, List, ListQuery, Match, Selector, SortKey, Trashed, Value, ValueKind,
};

use super::for_every_list;

/// What a query asks for, comparable.
#[derive(Debug, PartialEq)]
pub(crate) struct Asked<F, R> {
    conditions: Vec<(&'static str, Value)>,
    trashed: Trashed,
    sort: Vec<SortKey<F>>,
    include: Vec<(R, Form)>,
    page: Selector,
    size: u16,
    total: bool,
}

pub(crate) fn asked<L: List>(query: &ListQuery<L>) -> Asked<L::Field, L::Relation> {
    Asked {
        conditions: query
            .conditions
            .iter()
            .map(|one| (one.filter.name, one.value.clone()))
            .collect(),
        trashed: query.trashed,
        sort: query.sort.clone(),
        include: query.include.clone(),
        page: query.page.clone(),
        size: query.size,
        total: query.total,
    }
}

fn text(longest: usize) -> BoxedStrategy<String> {
    let letters = prop_oneof![
        any::<char>(),
        prop::sample::select("%&=+,[]_\\#? \0é😀".chars().collect::<Vec<_>>())
    ];
    let short = prop::collection::vec(letters, 1..12).prop_map(|all| all.into_iter().collect());
    prop_oneof![9 => short, 1 => Just("é".repeat(longest))].boxed()
}

fn value<F>(filter: &'static Filter<F>) -> BoxedStrategy<Value> {
    match filter.value {
        ValueKind::Text { max_length } => text(max_length).prop_map(Value::Text).boxed(),
        ValueKind::Word(words) => prop::sample::select(words)
            .prop_map(|word| Value::Text(word.to_owned()))
            .boxed(),
        ValueKind::Boolean => any::<bool>().prop_map(Value::Flag).boxed(),
        ValueKind::Timestamp { .. } | ValueKind::Trashed { .. } => {
            let micros = -62_167_219_200_000_000..=253_402_300_799_999_999i64;
            micros
                .prop_map(|micros| Value::Timestamp(Timestamp::from_micros(micros).unwrap()))
                .boxed()
        }
    }
}

fn conditions<L: List>() -> impl Strategy<Value = Vec<Condition<L::Field>>> {
    let filters = L::FILTERS
        .iter()
        .filter(|filter| filter.matching != Match::Trashed);
    let each = filters.map(|filter| {
        let condition = value(filter).prop_map(move |value| Condition { filter, value });
        prop::option::weighted(0.15, condition)
    });
    let conditions = each
        .collect::<Vec<_>>()
        .prop_map(|all| all.into_iter().flatten().collect::<Vec<_>>());
    conditions.prop_shuffle()
}

fn sort<L: List>() -> impl Strategy<Value = Vec<SortKey<L::Field>>> {
    let keys: Vec<L::Field> = L::SORT.iter().map(|(_, field)| *field).collect();
    let most = keys.len();
    let directed = (
        prop::sample::subsequence(keys, 0..=most).prop_shuffle(),
        any::<u64>(),
    );
    directed.prop_map(|(fields, directions)| {
        let keys = fields.into_iter().enumerate();
        keys.map(|(place, field)| SortKey {
            field,
            descending: directions >> place & 1 == 1,
        })
        .collect()
    })
}

fn include<L: List>() -> impl Strategy<Value = Vec<(L::Relation, Form)>> {
    let words = L::RELATIONS
        .iter()
        .flat_map(|spec| Form::ALL.map(|form| (spec.relation, form)));
    let words: Vec<_> = words.collect();
    let most = words.len();
    prop::sample::subsequence(words, 0..=most)
}

fn queries<L: List>() -> impl Strategy<Value = ListQuery<L>> {
    let trashes = L::FILTERS.iter().any(|filter| filter.matching == Match::Trashed);
    let trashed = match trashes {
        true => prop::sample::select(vec![Trashed::Without, Trashed::With, Trashed::Only]).boxed(),
        false => Just(Trashed::Without).boxed(),
    };
    let page = prop_oneof![
        Just(Selector::Number(1)),
        (1..=1_000_000_000_000u64).prop_map(Selector::Number),
        text(2047).prop_map(|rest| Selector::Cursor(format!("c_{rest}"))),
    ];
    let parts = (
        conditions::<L>(),
        trashed,
        sort::<L>(),
        include::<L>(),
        page,
        1..=200u16,
        any::<bool>(),
    );
    parts.prop_map(
        |(conditions, trashed, sort, include, page, size, total)| ListQuery {
            conditions,
            trashed,
            sort,
            include,
            page,
            size,
            total,
        },
    )
}

#[test]
fn parsing_what_a_query_prints_gives_the_query_again() {
    fn check<L: List>() {
        let config = crate::properties(Config::default().cases / 4);
        let outcome = TestRunner::new(config).run(&queries::<L>(), |query| {
            let text = query.print();
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~,%&=".contains(&byte);
            prop_assert!(text.bytes().all(plain), "a link has no {}", text);
            let read = ListQuery::<L>::parse(&text);
            let read = read.map_err(|faults| TestCaseError::fail(format!("{text}: {faults:?}")))?;
            prop_assert_eq!(asked(&read), asked(&query));
            prop_assert_eq!(read.print(), text);
            Ok(())
        });
        assert!(outcome.is_ok(), "{}: {}", L::OPERATION, outcome.unwrap_err());
    }
    for_every_list!(check);
}

#[test]
fn the_default_query_is_printed_as_nothing() {
    fn check<L: List>() {
        assert_eq!(ListQuery::<L>::default().print(), "");
        assert_eq!(
            asked(&ListQuery::<L>::parse("").unwrap()),
            asked(&ListQuery::<L>::default())
        );
        assert_eq!(ListQuery::<L>::default().order(), L::DEFAULT_SORT);
    }
    for_every_list!(check);
}
