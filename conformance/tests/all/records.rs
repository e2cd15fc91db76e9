//! §2: each fault of records is found.

use crate::found;
use crate::model::Switch;

#[tokio::test]
async fn faults_of_lists_are_found() {
    found(&[
        (Switch::DimensionsGone, &["N1"]),
        (Switch::DimensionsNoList, &["N1"]),
        (Switch::TrashedFails, &["N1"]),
        (Switch::HtmlType, &["S11"]),
    ])
    .await;
}

#[tokio::test]
async fn faults_of_members_are_found() {
    found(&[
        (Switch::MissingMember, &["S1"]),
        (Switch::NullEmail, &["S1"]),
        (Switch::NumberForString, &["S1"]),
        (Switch::BadState, &["S2"]),
        (Switch::BadProvider, &["S2"]),
        (Switch::WrongPrefix, &["S3"]),
        (Switch::CapitalId, &["S3"]),
        (Switch::OrgAsArray, &["S7"]),
        (Switch::MetadataNull, &["S7"]),
    ])
    .await;
}

#[tokio::test]
async fn faults_of_timestamps_are_found() {
    found(&[
        (Switch::LocalTime, &["S4"]),
        (Switch::NoZone, &["S4"]),
        (Switch::DateOnly, &["S4"]),
        (Switch::MissingTimestamp, &["S4"]),
        (Switch::ImpossibleMoment, &["S4"]),
        (Switch::Milliseconds, &["S4"]),
    ])
    .await;
}

#[tokio::test]
async fn faults_of_counts_and_links_are_found() {
    found(&[
        (Switch::CountMissing, &["S5"]),
        (Switch::CountNegative, &["S5"]),
        (Switch::CountQuoted, &["S5"]),
        (Switch::LinkMissing, &["S6"]),
        (Switch::LinkNull, &["S6"]),
    ])
    .await;
}

#[tokio::test]
async fn records_that_differ_between_answers_are_found() {
    found(&[
        (Switch::DuplicateRow, &["S8"]),
        (Switch::StaleById, &["S9"]),
        (Switch::StaleUnderInclude, &["S9"]),
        (Switch::StaleSingle, &["S9"]),
    ])
    .await;
}
