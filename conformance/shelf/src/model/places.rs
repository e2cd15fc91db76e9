//! Directory dimensions and their attributes: where people stand in the organization.

use serde_json::{Map, Value, json};

use super::blank::blank;
use super::ids::integration_id;
use super::row::Row;
use super::times::Span;

const DIMENSIONS: [(&str, &str, &str); 4] = [
    ("department", "Department", "active"),
    ("location", "Location", "active"),
    ("cost_center", "Cost center", "staged"),
    ("shift", "Shift 100%", "deactivated"),
];

/// The attributes: dimension, name, state. A name is a dimension's handle elsewhere; people have the first thirteen.
const ATTRIBUTES: [(usize, &str, &str); 16] = [
    (0, "Research", "active"),
    (0, "Sales", "active"),
    (0, "Finance", "expiring"),
    (0, "Location scouting", "active"),
    (0, "Legal_affairs", "staged"),
    (0, "R&D 100%", "active"),
    (1, "Zürich", "active"),
    (1, "Berlin", "active"),
    (1, "São Paulo", "expired"),
    (1, "Department store", "active"),
    (2, "CC-100", "active"),
    (2, "CC-1001", "deactivated"),
    (2, "CC_200", "active"),
    (3, "Night", "active"),
    (0, "Old research", "active"),
    (0, "Unknown", "staged"),
];

pub(super) fn attribute_id(index: usize) -> String {
    format!("dratr_{:03x}a{index:03}", index * 1031 % 4093)
}

fn dimension_id(index: usize) -> String {
    format!("drdim_d{index:04}")
}

/// The attributes of a person, by their place in the table.
fn of_person(index: usize) -> Vec<usize> {
    if index % 11 == 10 {
        return Vec::new();
    }
    let department = (index % 7 != 6).then_some(index % 7);
    let location = (index % 5 != 4).then_some(6 + index % 5);
    let center = (index.is_multiple_of(4)).then_some(10 + index / 4 % 3);
    department.into_iter().chain(location).chain(center).collect()
}

/// The ids of a person's attributes.
pub(super) fn attributes_of(index: usize) -> Vec<String> {
    of_person(index).into_iter().map(attribute_id).collect()
}

/// The organization metadata of a person: the name of the attribute in each dimension.
pub(super) fn org(index: usize) -> Value {
    let members = of_person(index).into_iter().map(|which| {
        let (dimension, name, _) = ATTRIBUTES[which];
        (DIMENSIONS[dimension].0.to_owned(), json!(name))
    });
    members.collect::<Map<_, _>>().into()
}

/// The handle of an attribute's dimension and the attribute's name.
pub(super) fn profile(attribute: usize) -> (&'static str, &'static str) {
    let (dimension, name, _) = ATTRIBUTES[attribute];
    (DIMENSIONS[dimension].0, name)
}

/// The rows of dimensions and of attributes; none where there are no people.
pub(super) fn rows(people: usize) -> (Vec<Row>, Vec<Row>) {
    if people == 0 {
        return (Vec::new(), Vec::new());
    }
    let dimensions = (0..DIMENSIONS.len()).map(dimension).collect();
    (dimensions, (0..ATTRIBUTES.len()).map(attribute).collect())
}

fn dimension(index: usize) -> Row {
    let (handle, name, state) = DIMENSIONS[index];
    let mut row = Row::of(blank("DirectoryDimension", &dimension_id(index), index));
    row.record["state"] = json!(state);
    row.record["name"] = json!(name);
    row.record["handle"] = json!(handle);
    row.record["workspace_integration_id"] = json!((index != 3).then(|| integration_id(index % 3)));
    row.record["timestamp"]["created_at"] =
        json!(Span::since("2016-01-01", 1000).timestamp(index, DIMENSIONS.len() * 3));
    row
}

fn attribute(index: usize) -> Row {
    let (dimension, name, state) = ATTRIBUTES[index];
    let count = ATTRIBUTES.len();
    let mut row = Row::of(blank("DirectoryAttribute", &attribute_id(index), index));
    let record = &mut row.record;
    record["state"] = json!(state);
    record["type"] = json!(match index {
        15 => "catch",
        _ if index % 4 == 3 => "ruleset",
        _ => "integration",
    });
    record["name"] = json!(name);
    record["handle"] = json!(format!("attribute-{index}"));
    record["profile_value"] = json!((index % 3 != 2).then(|| format!("{:.3}", name.to_uppercase())));
    if index % 5 == 1 {
        let (own, other) = (attribute_id(index), dimension_id(dimension));
        record["blueprint_signature"] = json!(format!("0a1b-{other}-{own}-{index}"));
    }
    let times = &mut record["timestamp"];
    times["created_at"] = json!(Span::since("2017-01-01", 1500).timestamp(index, count));
    times["updated_at"] = json!(Span::since("2022-01-01", 900).timestamp(index * 7 % count, count));
    if state != "staged" {
        times["activated_at"] = json!(Span::since("2021-01-01", 300).timestamp(index, count));
    }
    match state {
        "expiring" => times["expires_at"] = json!(Span::ahead(60, 100).timestamp(index, count)),
        "expired" => times["expires_at"] = json!(Span::since("2023-01-01", 300).timestamp(index, count)),
        _ => {}
    }
    if index == 13 {
        times["deleted_at"] = json!("2025-02-03T10:20:30.000405Z");
    }
    row.hidden
        .insert("directory_dimension_id", vec![dimension_id(dimension)]);
    row.hidden
        .insert("workspace_integration_id", vec![integration_id(dimension % 3)]);
    if index == 14 {
        row.hidden.insert("successor_id", vec![attribute_id(0)]);
    }
    row
}

/// Counts what stands in each dimension.
pub(super) fn count(dimensions: &mut [Row], attributes: &[Row]) {
    for (index, row) in dimensions.iter_mut().enumerate() {
        let own = attributes
            .iter()
            .enumerate()
            .filter(|(which, _)| ATTRIBUTES[*which].0 == index);
        let (all, live): (Vec<_>, Vec<_>) = own
            .map(|(_, attribute)| (attribute.id().to_owned(), attribute))
            .unzip();
        let live = live.into_iter().filter(|attribute| !attribute.is_trashed());
        let live: Vec<String> = live.map(|attribute| attribute.id().to_owned()).collect();
        row.record["count"]["attributes"] = json!(live.len());
        row.hidden.insert("attribute_id", all);
        row.related.insert("attributes".to_owned(), live);
    }
}
