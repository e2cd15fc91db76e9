//! What a list takes, as the rulings L2 to L16 have it.

use rollcall::list::{Filter, Form, List, ListQuery, Match, Selector, Trashed, Value, ValueKind};
use rollcall::lists::DirectoryUsers;

use super::for_every_list;
use super::queries::asked;

fn read<L: List>(query: &str) -> ListQuery<L> {
    ListQuery::parse(query).unwrap_or_else(|faults| panic!("{}: {query}: {faults:?}", L::OPERATION))
}

fn users(query: &str) -> ListQuery<DirectoryUsers> {
    read(query)
}

/// Values that a filter takes.
fn values<F>(filter: &Filter<F>) -> Vec<&'static str> {
    match filter.value {
        ValueKind::Text { .. } => vec!["x", "a,b", "%25", "%C3%89"],
        ValueKind::Word(words) => words.to_vec(),
        ValueKind::Boolean => vec!["true", "false"],
        ValueKind::Timestamp { .. } => vec![
            "2026-03-01",
            "2026-03-01+09:30:00",
            "2026-03-01T09:30:00Z",
            "2026-03-01T09:30:00%2B01:00",
        ],
        ValueKind::Trashed { .. } => vec!["with", "only", "without", "", "perhaps"],
    }
}

#[test]
fn every_filter_of_every_list_takes_its_values_in_both_spellings() {
    fn check<L: List>() {
        for filter in L::FILTERS {
            let encoded = filter.name.replace('[', "%5B").replace(']', "%5d");
            for value in values(filter) {
                let (plain, encoded) = (
                    read::<L>(&format!("{}={value}", filter.name)),
                    read::<L>(&format!("{encoded}={value}")),
                );
                assert_eq!(asked(&plain), asked(&encoded));
                let expected = usize::from(filter.matching != Match::Trashed);
                assert_eq!(plain.conditions.len(), expected, "{}={value}", filter.name);
            }
        }
    }
    for_every_list!(check);
}

#[test]
fn every_sort_field_of_every_list_is_taken_in_both_directions() {
    fn check<L: List>() {
        for (word, field) in L::SORT {
            for (text, descending) in [((*word).to_owned(), false), (format!("-{word}"), true)] {
                let query = read::<L>(&format!("sort={text}"));
                assert!(query.sort[0].field == *field && query.sort[0].descending == descending);
                assert_eq!(query.order(), query.sort);
            }
        }
    }
    for_every_list!(check);
}

#[test]
fn every_relation_of_every_list_is_taken_in_its_three_forms() {
    fn check<L: List>() {
        for spec in L::RELATIONS {
            for form in Form::ALL {
                let query = read::<L>(&format!("include={}{}", spec.name, form.suffix()));
                assert_eq!(query.include, [(spec.relation, form)]);
            }
        }
    }
    for_every_list!(check);
}

#[test]
fn everything_can_be_asked_for_at_once() {
    let query = users(
        "filter[email_search]=zoe&filter[created_before]=2026-01-31&filter[trashed]=only&sort=last_name,-created_at\
         &include=manager-user,policy-rulesets-count&page=3&page[size]=200&page[total]=true",
    );
    assert_eq!(
        (query.conditions.len(), query.trashed, query.size, query.total),
        (2, Trashed::Only, 200, true)
    );
    assert_eq!(query.sort_words(), "last_name,-created_at");
    assert_eq!(query.include_words(), "manager-user,policy-rulesets-count");
    assert_eq!(query.page, Selector::Number(3));
}

#[test]
fn a_value_is_taken_literally() {
    for (text, meant) in [
        ("a,b", "a,b"),
        ("a+b", "a b"),
        ("a%2Bb", "a+b"),
        ("100%25_", "100%_"),
        ("a=b", "a=b"),
        ("%00", "\0"),
    ] {
        let query = users(&format!("filter[email]={text}"));
        assert_eq!(query.conditions[0].value, Value::Text(meant.to_owned()));
    }
}

#[test]
fn what_may_be_empty_is_as_if_it_were_not_there() {
    for query in [
        "",
        "&&",
        "sort=",
        "include=",
        "filter[trashed]=",
        "filter[trashed]",
        "sort&include=&",
        "page=1",
        "page=0001",
    ] {
        assert_eq!(
            asked(&users(query)),
            asked(&ListQuery::<DirectoryUsers>::default()),
            "{query}"
        );
    }
}

#[test]
fn trashed_words_other_than_with_and_only_leave_soft_deleted_records_out() {
    for (word, meant) in [
        ("with", Trashed::With),
        ("only", Trashed::Only),
        ("without", Trashed::Without),
        ("ONLY", Trashed::Without),
    ] {
        assert_eq!(users(&format!("filter[trashed]={word}")).trashed, meant, "{word}");
    }
}

#[test]
fn a_repeated_include_is_the_same_as_one() {
    let (twice, once) = (
        users("include=parent-user,manager-user,parent-user"),
        users("include=manager-user,parent-user"),
    );
    assert_eq!(asked(&twice), asked(&once));
}

#[test]
fn the_largest_values_are_taken() {
    for query in [
        format!("filter[email]={}", "%C3%A9".repeat(1024)),
        format!("page=c_{}", "x".repeat(4094)),
        "page=1000000000000".to_owned(),
        format!("filter[created_after]=2026-03-01T09:30:00.{}Z", "1".repeat(43)),
        format!(
            "include={}",
            vec!["parent-user"; 3 * DirectoryUsers::RELATIONS.len()].join(",")
        ),
    ] {
        users(&query);
    }
}
