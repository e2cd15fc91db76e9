//! §4.1, §4.4.2: each fault of exact filters is found.

use rollcall_conformance::our_contract;
use rollcall_contract::{Match, ValueKind};

use crate::model::Switch;
use crate::{failed, found, judge};

#[tokio::test]
async fn an_ignored_filter_is_found_whatever_it_looks_at() {
    let contract = our_contract().unwrap();
    let users = contract.lists().next().unwrap().0;
    let exact = users
        .filters()
        .filter(|(parameter, filter)| filter.matching == Match::Exact && !parameter.origin.extension);
    for (parameter, filter) in exact {
        let name = parameter
            .name
            .trim_start_matches("filter[")
            .trim_end_matches(']')
            .to_owned();
        let report = judge(Switch::Ignored(name.leak())).await;
        let mut expected = vec!["E1", "E3", "E4", "E5"];
        if parameter.name.contains("[id]") {
            expected.push("E7");
        }
        if parameter.name.contains("[manager_id]") {
            expected.push("E8");
        }
        if matches!(filter.value, ValueKind::Text { .. }) {
            expected.push("E10");
        }
        assert_eq!(failed(&report), expected, "{}", parameter.name);
    }
}

#[tokio::test]
async fn filters_that_compare_in_another_way_are_found() {
    found(&[
        (Switch::Contains("email"), &["E3"]),
        (Switch::StartsWith("username"), &["E3"]),
        (Switch::EndsWith("employee_id"), &["E3"]),
        (Switch::Contains("state"), &["E3"]),
        (Switch::Wildcards("badge_id"), &["E10"]),
        (Switch::Wildcards("email"), &["E10"]),
        (
            Switch::OtherMember("first_name", "last_name"),
            &["E2", "E6", "E10"],
        ),
        (Switch::OtherMember("employee_alt_id", "badge_id"), &["E2", "E6"]),
        (Switch::IdInPart, &["E1", "E3", "E7", "E10"]),
        (Switch::ManagerHimself, &["E1", "E2", "E6", "E8"]),
        (Switch::ManagerOfManager, &["E1", "E8"]),
    ])
    .await;
}

#[tokio::test]
async fn filters_that_lose_or_invent_rows_are_found() {
    found(&[
        (Switch::DropsRow("last_name"), &["E2", "E9", "E10"]),
        (Switch::DropsRow("parent_id"), &["E2", "E6", "E9"]),
        (Switch::DropsNonAscii, &["E2", "E6", "E10"]),
        (Switch::StateRefused, &["E2", "E6"]),
        (Switch::UnknownFindsAll, &["E3", "E4", "E8", "E10"]),
        (Switch::Flaky, &["E9", "E11"]),
    ])
    .await;
}

#[tokio::test]
async fn values_that_become_part_of_a_query_are_found() {
    found(&[
        (Switch::QuoteFails, &["E2", "E6", "E10"]),
        (Switch::QuoteInjects, &["E10"]),
        (Switch::BackslashFails, &["E2", "E10"]),
    ])
    .await;
}

#[tokio::test]
async fn a_filter_that_wins_over_another_is_found() {
    found(&[
        (Switch::FirstFilterWins, &["E9"]),
        (Switch::LastFilterWins, &["E9"]),
    ])
    .await;
}
