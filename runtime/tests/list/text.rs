//! Any query: what is printed is read as the same query, and any text is a query or refused.

use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use rollcall_runtime::list::{Condition, Value, pairs};

use crate::books::{Field, LONGEST};
use crate::{MOST_FAULTS, Query, read};

/// The text of a query with some parameters in some order.
fn any_query() -> impl Strategy<Value = String> {
    let text = "[a-z é&=+%,#]{1,8}".prop_map(|text| text.chars().take(LONGEST).collect::<String>());
    let sort = subsequence(vec!["title", "-added_at", "is_lent"], 0..=3).prop_map(|words| words.join(","));
    let include = subsequence(vec!["readers-exists", "author", "readers", "author-count"], 0..=4);
    let include = include.prop_map(|words| words.join(","));
    let page = prop_oneof![
        (1..2_000_u64).prop_map(|page| page.to_string()),
        Just("c_a-b_c".to_owned())
    ];
    let word = |words: &'static [&'static str]| select(words).prop_map(str::to_owned);
    let parameters = (
        text.prop_map(|value| ("filter[title]", value)),
        word(&["novel", "poem"]).prop_map(|value| ("filter[kind]", value)),
        word(&["true", "false"]).prop_map(|value| ("filter[late]", value)),
        word(&["2024-02-29", "2024-02-29T12:00:00Z"]).prop_map(|value| ("filter[added_after]", value)),
        word(&["with", "only", "without"]).prop_map(|value| ("filter[trashed]", value)),
        sort.prop_map(|value| ("sort", value)),
        include.prop_map(|value| ("include", value)),
        page.prop_map(|value| ("page", value)),
        (1..=200_u16).prop_map(|size| ("page[size]", size.to_string())),
        word(&["true", "false"]).prop_map(|value| ("page[total]", value)),
    );
    let parameters = parameters.prop_map(|(a, b, c, d, e, f, g, h, i, j)| vec![a, b, c, d, e, f, g, h, i, j]);
    let some = parameters.prop_flat_map(|all| subsequence(all, 0..=10).prop_shuffle());
    some.prop_map(|pairs| {
        let encoded = |text: &str| {
            text.bytes()
                .map(|byte| format!("%{byte:02x}"))
                .collect::<String>()
        };
        let pairs = pairs
            .iter()
            .map(|(name, value)| format!("{}={}", encoded(name), encoded(value)));
        pairs.collect::<Vec<_>>().join("&")
    })
}

proptest! {
    #[test]
    fn a_printed_query_is_read_as_the_same_query(text in any_query()) {
        let query = read(&text);
        let printed = query.print();
        let again = read(&printed);
        prop_assert_eq!(again.print(), printed);
        prop_assert_eq!((again.trashed, again.page, again.size), (query.trashed, query.page, query.size));
        prop_assert_eq!((again.sort, again.include, again.total), (query.sort, query.include, query.total));
        let values = |query: &[Condition<Field>]| -> Vec<(&str, Value)> {
            query.iter().map(|one| (one.filter.name, one.value.clone())).collect()
        };
        prop_assert_eq!(values(&again.conditions), values(&query.conditions));
    }

    #[test]
    fn any_text_is_a_query_or_refused(text in ".{0,60}") {
        match Query::parse(&text) {
            Ok(query) => prop_assert_eq!(read(&query.print()).print(), query.print()),
            Err(faults) => prop_assert!(!faults.is_empty() && faults.len() <= MOST_FAULTS),
        }
    }

    #[test]
    fn names_and_values_come_back_from_any_encoding(name in ".{0,10}", value in ".{0,20}", is_escaped: [bool; 60]) {
        let encode = |text: &str, escaped: &[bool]| -> String {
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~[],:/?".contains(&byte);
            let bytes = text.bytes().zip(escaped.iter().cycle());
            bytes
                .map(|(byte, escaped)| match (byte, escaped) {
                    (b' ', false) => "+".to_owned(),
                    (byte, false) if plain(byte) => char::from(byte).to_string(),
                    (byte, _) => format!("%{byte:02X}"),
                })
                .collect()
        };
        let text = format!("{}={}", encode(&name, &is_escaped), encode(&value, &is_escaped));
        prop_assert_eq!(pairs(&text).unwrap(), [(name, value)]);
    }
}
