//! What a list refuses, and what it says (L2, L3, L6 to L8, L13 to L15, L20): never a wider result, never a panic.

use proptest::prelude::*;
use rollcall::FaultCode;
use rollcall::list::{List, ListQuery, Match, pairs};
use rollcall::lists::{DirectoryUsers, WorkspaceDevices};
use rollcall::model::{ProblemCode, ProblemError};

use super::for_every_list;
use super::queries::asked;

fn faults(query: &str) -> Vec<ProblemError> {
    let faults = ListQuery::<DirectoryUsers>::parse(query).expect_err(query);
    faults.into_iter().map(ProblemError::from).collect()
}

/// Each query has one fault, of this code and in this parameter.
fn refused(cases: &[(&str, ProblemCode, &str)]) {
    for (query, code, parameter) in cases {
        let faults = faults(query);
        let found: Vec<_> = faults
            .iter()
            .map(|one| (one.code, one.parameter.as_deref().unwrap_or_default()))
            .collect();
        assert_eq!(found, [(*code, *parameter)], "{query}: {faults:?}");
    }
}

#[test]
fn a_parameter_that_does_not_exist_is_refused() {
    use ProblemCode::UnknownParameter as Unknown;
    refused(&[
        ("filter[]=x", Unknown, "filter[]"),
        ("filter[a][b]=c", Unknown, "filter[a][b]"),
        ("filter[email][]=x", Unknown, "filter[email][]"),
        ("filter[EMAIL]=x", Unknown, "filter[EMAIL]"),
        ("filter%5Bemial%5D=x", Unknown, "filter[emial]"),
        ("email=x", Unknown, "email"),
        ("page[number]=2", Unknown, "page[number]"),
        ("=x", Unknown, ""),
        ("%00=x", Unknown, "\0"),
    ]);
}

#[test]
fn a_repeated_parameter_is_refused_in_whichever_spelling() {
    use ProblemCode::RepeatedParameter as Repeated;
    refused(&[
        ("filter[email]=a&filter[email]=b", Repeated, "filter[email]"),
        ("filter[email]=a&filter%5Bemail%5D=a", Repeated, "filter[email]"),
        ("sort=&sort=", Repeated, "sort"),
        ("page=1&page=2", Repeated, "page"),
        (
            "filter[trashed]=with&filter[trashed]=only",
            Repeated,
            "filter[trashed]",
        ),
        ("sort=id,-id", Repeated, "sort"),
    ]);
}

#[test]
fn an_empty_value_is_refused_where_it_would_widen_the_result() {
    for filter in DirectoryUsers::FILTERS
        .iter()
        .filter(|filter| filter.matching != Match::Trashed)
    {
        for query in [format!("{}=", filter.name), filter.name.to_owned()] {
            refused(&[(&query, ProblemCode::EmptyValue, filter.name)]);
        }
    }
    refused(&[
        ("sort=id,,state", ProblemCode::EmptyValue, "sort"),
        ("include=,manager-user", ProblemCode::EmptyValue, "include"),
        ("include=manager-user,", ProblemCode::EmptyValue, "include"),
        ("page=", ProblemCode::InvalidPage, "page"),
        ("page[size]=", ProblemCode::InvalidPage, "page[size]"),
        ("page[total]=", ProblemCode::InvalidValue, "page[total]"),
    ]);
}

#[test]
fn a_badly_encoded_query_is_refused() {
    use ProblemCode::InvalidEncoding as Encoding;
    refused(&[
        ("filter[email]=%", Encoding, "filter[email]"),
        ("filter[email]=%4", Encoding, "filter[email]"),
        ("filter[email]=%zz", Encoding, "filter[email]"),
        ("filter[email]=%C3", Encoding, "filter[email]"),
        ("filter[email]=%FF%FE", Encoding, "filter[email]"),
        ("filter[email]=%ED%A0%80", Encoding, "filter[email]"),
        ("filter[email]=%C0%AF", Encoding, "filter[email]"),
        ("%FF=x", Encoding, "%FF"),
        ("%+2=x", Encoding, "%+2"),
    ]);
}

#[test]
fn a_page_is_a_number_from_1_or_a_cursor() {
    let million_digits = "9".repeat(4096);
    let long = format!("page=c_{}", "x".repeat(4095));
    for page in [
        "0",
        "-1",
        "abc",
        "1.5",
        "1e3",
        "+1",
        "%2B1",
        "1%20",
        "٣",
        "C_x",
        "1000000000001",
        &million_digits,
    ] {
        refused(&[(&format!("page={page}"), ProblemCode::InvalidPage, "page")]);
    }
    refused(&[
        (
            &format!("page=1{}", "0".repeat(30)),
            ProblemCode::InvalidPage,
            "page",
        ),
        (&long, ProblemCode::InvalidPage, "page"),
    ]);
    for size in [
        "0",
        "201",
        "-1",
        "1.5",
        "%2B5",
        "1e2",
        "abc",
        "99999999999999999999999",
    ] {
        refused(&[(
            &format!("page[size]={size}"),
            ProblemCode::InvalidPage,
            "page[size]",
        )]);
    }
}

#[test]
fn a_value_of_the_wrong_kind_is_refused() {
    use ProblemCode::{InvalidValue, UnknownWord};
    refused(&[
        ("filter[state]=gone", UnknownWord, "filter[state]"),
        ("filter[state]=Active", UnknownWord, "filter[state]"),
        ("filter[manager]=1", InvalidValue, "filter[manager]"),
        ("filter[manager]=TRUE", InvalidValue, "filter[manager]"),
        ("page[total]=yes", InvalidValue, "page[total]"),
        (
            "filter[created_after]=yesterday",
            InvalidValue,
            "filter[created_after]",
        ),
        (
            "filter[created_after]=2026-02-30",
            InvalidValue,
            "filter[created_after]",
        ),
        (
            "filter[created_after]=2026-03-01T00:00:00+01:00",
            InvalidValue,
            "filter[created_after]",
        ),
        ("sort=salary", UnknownWord, "sort"),
        ("sort=--id", UnknownWord, "sort"),
        ("sort=id,%20state", UnknownWord, "sort"),
        ("include=manager-user-counts", UnknownWord, "include"),
        ("include=manager_user", UnknownWord, "include"),
    ]);
}

#[test]
fn an_over_long_value_is_refused() {
    use ProblemCode::ValueTooLong as Long;
    let query = |name: &str, letter: &str, count| format!("{name}={}", letter.repeat(count));
    refused(&[
        (&query("filter[email]", "%C3%A9", 1025), Long, "filter[email]"),
        (&query("filter", "x", 1025), Long, "filter"),
        (&query("filter[trashed]", "x", 1025), Long, "filter[trashed]"),
        (&query("sort", "id,", DirectoryUsers::SORT.len()), Long, "sort"),
        (
            &query("include", "parent-user,", 3 * DirectoryUsers::RELATIONS.len()),
            Long,
            "include",
        ),
        (
            &format!("filter[created_after]=2026-03-01T09:30:00.{}Z", "1".repeat(44)),
            Long,
            "filter[created_after]",
        ),
    ]);
}

#[test]
fn an_unknown_name_is_answered_with_the_nearest_and_all_that_is_allowed() {
    for (query, nearest, allowed) in [
        (
            "filter[emial]=x",
            "filter[email]",
            DirectoryUsers::FILTERS.len() + DirectoryUsers::ROLES.len(),
        ),
        (
            "pagesize=3",
            "page[size]",
            DirectoryUsers::FILTERS.len() + DirectoryUsers::ROLES.len(),
        ),
        ("sort=-lastname", "last_name", DirectoryUsers::SORT.len()),
        (
            "include=manager-users",
            "manager-user",
            3 * DirectoryUsers::RELATIONS.len(),
        ),
        ("filter[state]=activ", "active", 6),
    ] {
        let fault = faults(query).remove(0);
        assert!(
            fault.detail.ends_with(&format!("did you mean {nearest}?")),
            "{}",
            fault.detail
        );
        assert_eq!(fault.allowed.unwrap().len(), allowed, "{query}");
    }
    let fault = faults("filter[zzzzzzzzzzzzzzzzzzzzzzzzzzz]=x").remove(0);
    assert!(!fault.detail.contains("did you mean"), "{}", fault.detail);
}

#[test]
fn a_misspelt_parameter_of_any_list_is_told_the_right_one() {
    fn check<L: List>() {
        for filter in L::FILTERS.iter().filter(|filter| filter.name.len() > 12) {
            let typo = filter.name.replacen('_', "-", 1).replace("[i", "[l");
            if typo != filter.name {
                let faults = ListQuery::<L>::parse(&format!("{typo}=x")).unwrap_err();
                assert!(
                    faults[0]
                        .detail
                        .ends_with(&format!("did you mean {}?", filter.name)),
                    "{}",
                    faults[0].detail
                );
            }
        }
    }
    for_every_list!(check);
}

#[test]
fn a_list_without_relations_takes_no_include() {
    let faults = ListQuery::<WorkspaceDevices>::parse("include=roles").unwrap_err();
    assert_eq!(faults[0].code, FaultCode::UnknownParameter);
    let allowed = faults[0].allowed.as_deref().unwrap_or_default();
    assert!(allowed.iter().any(|name| name == "sort"), "{allowed:?}");
    assert!(!allowed.iter().any(|name| name == "include"), "{allowed:?}");
}

#[test]
fn all_faults_are_named_at_once_but_no_more_than_a_reader_needs() {
    let found: Vec<_> = faults("page=0&filter[x]=1&sort=a,b&filter[state]=")
        .into_iter()
        .map(|one| one.code)
        .collect();
    use ProblemCode::{EmptyValue, InvalidPage, UnknownParameter, UnknownWord};
    assert_eq!(
        found,
        [
            InvalidPage,
            UnknownParameter,
            UnknownWord,
            UnknownWord,
            EmptyValue
        ]
    );
    let many: String = (0..5000).map(|number| format!("x{number}=1&")).collect();
    let words = vec!["x"; 900].join(",");
    let long = [
        many,
        "%=&".repeat(9000),
        format!("sort={words}"),
        format!("include={words}"),
        format!("sort={words}&include={words}"),
    ];
    for query in long {
        assert!(faults(&query).len() <= 20);
    }
}

/// Text that looks like a query, more or less.
fn texts() -> impl Strategy<Value = String> {
    let names = DirectoryUsers::FILTERS.iter().map(|filter| filter.name);
    let mut pieces: Vec<&str> = names
        .chain(DirectoryUsers::ROLES.iter().map(|(name, _)| *name))
        .collect();
    pieces.extend([
        "=", "=", "=", "&", "&", "&", "%", "+", ",", "-", "[", "]", "%5B", "%FF", "true", "only", "id",
        "active",
    ]);
    pieces.extend(["2026-03-01", "manager-user", "-count", "c_", "1", "0", "é"]);
    let pieced = prop::collection::vec(prop::sample::select(pieces), 0..24).prop_map(|all| all.concat());
    prop_oneof![pieced, "\\PC{0,60}", any::<String>()]
}

proptest! {
    #![proptest_config(crate::properties(600))]
    #[test]
    fn no_text_is_a_panic_and_nothing_of_an_accepted_text_was_ignored(text in texts()) {
        match ListQuery::<DirectoryUsers>::parse(&text) {
            Err(faults) => {
                prop_assert!((1..=20).contains(&faults.len()));
                prop_assert!(faults.iter().all(|one| one.parameter.is_some() && !one.detail.is_empty()));
            }
            Ok(query) => {
                let pairs = pairs(&text).unwrap();
                let filters = pairs.iter().filter(|(name, _)| name.starts_with("filter") && name != "filter[trashed]");
                prop_assert_eq!(query.conditions.len(), filters.count());
                prop_assert_eq!(asked(&ListQuery::<DirectoryUsers>::parse(&query.print()).unwrap()), asked(&query));
            }
        }
    }
}
