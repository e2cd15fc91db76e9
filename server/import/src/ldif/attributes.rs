//! The attributes that say who a person or a group is, and the columns of an import that they stand for.

use super::placement;
use super::record::Record;
use super::unique_id;
use crate::column::Field;
use crate::dn::short_name;
use crate::mapping::{Mapping, Target};
use crate::passed_over::Names;
use crate::{OTHER_MAIL, Options, PresentColumns, dimension, standing};

/// What of an attribute is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    /// All its values.
    All,
    /// The first of its values.
    First,
}

/// The attributes that say who a person or a group is, as short names in lower case: what is kept of each, and the columns it
/// stands for.
const ATTRIBUTES: &[(&str, Kept, &[Column])] = &[
    ("objectclass", Kept::All, &[]),
    ("cn", Kept::First, &[Column::Field(Field::FullName)]),
    ("sn", Kept::First, &[]),
    ("givenname", Kept::First, &[]),
    ("mail", Kept::All, &[Column::OtherMail]),
    ("userprincipalname", Kept::First, &[]),
    ("uid", Kept::First, &[Column::Field(Field::Username)]),
    ("samaccountname", Kept::First, &[Column::Field(Field::Username)]),
    (
        "employeenumber",
        Kept::First,
        &[
            Column::Field(Field::EmployeeId),
            Column::Field(Field::EmployeeAltId),
        ],
    ),
    (
        "employeeid",
        Kept::First,
        &[
            Column::Field(Field::EmployeeId),
            Column::Field(Field::EmployeeAltId),
        ],
    ),
    ("manager", Kept::First, &[Column::Field(Field::Manager)]),
    (
        "departmentnumber",
        Kept::All,
        &[Column::Org(dimension::DEPARTMENT_NUMBER)],
    ),
    ("ou", Kept::All, &[Column::Org(dimension::DEPARTMENT)]),
    ("department", Kept::All, &[Column::Org(dimension::DEPARTMENT)]),
    ("l", Kept::All, &[Column::Org(dimension::LOCATION)]),
    ("title", Kept::All, &[Column::Org(dimension::TITLE)]),
    ("memberof", Kept::All, &[Column::Org(dimension::GROUPS)]),
    ("member", Kept::All, &[]),
    ("uniquemember", Kept::All, &[]),
    ("memberuid", Kept::All, &[]),
];

/// A column of a person that an attribute stands for.
#[derive(Clone, Copy)]
enum Column {
    Field(Field),
    Org(&'static str),
    OtherMail,
}

/// Whether the values of an attribute (short name in lower case) are kept: it has a meaning here, or the mapping gives it one.
pub(super) fn keeps(name: &str, mapping: &Mapping) -> bool {
    match mapping.target(name) {
        Some(target) => *target != Target::Ignored,
        None => reads(name),
    }
}

/// A mapping by short names. An attribute that has a meaning here gets no other one; what only describes a person can be ignored.
///
/// # Errors
/// When it gives such an attribute a meaning, or ignores one that says who a person is or whether they may come in.
pub(crate) fn mapping(mapping: Mapping) -> Result<Mapping, String> {
    mapping.renamed(|name, target| {
        let name = short_name(name);
        let describes = ATTRIBUTES
            .iter()
            .any(|(known, _, columns)| *known == name && !columns.is_empty());
        match target {
            Target::Ignored if describes || !reads(&name) => Ok(name),
            Target::Ignored => Err("an import of LDIF needs this attribute".to_owned()),
            Target::Read(_) if reads(&name) => {
                Err("an import of LDIF reads this attribute by itself; leave it out".to_owned())
            }
            Target::Read(_) => Ok(name),
        }
    })
}

/// Whether an attribute (short name in lower case) has a meaning here.
fn reads(name: &str) -> bool {
    ATTRIBUTES.iter().any(|(known, _, _)| *known == name)
        || standing::reads(name)
        || placement::reads(name)
        || unique_id::reads(name)
}

/// The attributes whose values are names of a dimension, and the handle of the dimension.
pub(super) fn dimensions() -> impl Iterator<Item = (&'static str, &'static str)> {
    let columns = ATTRIBUTES
        .iter()
        .flat_map(|(name, _, columns)| columns.iter().map(move |column| (*name, column)));
    columns.filter_map(|(name, column)| match column {
        Column::Org(dimension) => Some((name, *dimension)),
        Column::Field(_) | Column::OtherMail => None,
    })
}

/// Notes what a file has a place for, seen from one of its people or groups.
pub(super) fn mark_present(record: &Record, options: &Options, present: &mut PresentColumns) {
    for value in &record.values {
        match options.mapping.target(&value.name) {
            None => mark(&value.name, present),
            Some(Target::Ignored) => {}
            Some(Target::Read(source)) => present.add(&source.column),
        }
    }
}

/// Notes what an LDIF file can have a place for.
pub(super) fn mark_all(options: &Options, present: &mut PresentColumns) {
    let kept = ATTRIBUTES
        .iter()
        .filter(|(name, _, _)| keeps(name, &options.mapping));
    kept.for_each(|(name, _, _)| mark(name, present));
}

fn mark(attribute: &str, present: &mut PresentColumns) {
    present.account(attribute);
    let known = ATTRIBUTES.iter().find(|(name, _, _)| *name == attribute);
    for column in known.map_or(&[][..], |(_, _, columns)| columns) {
        match column {
            Column::Field(field) => present.field(*field),
            Column::Org(handle) => present.dimension(handle),
            Column::OtherMail => present.metadata(OTHER_MAIL),
        }
    }
}

/// Counts the values of attributes of which only the first is kept.
pub(super) fn count_second_values(record: &Record, passed_over: &mut Names) {
    for (name, _, _) in ATTRIBUTES.iter().filter(|(_, kept, _)| *kept == Kept::First) {
        for value in record.given(name).into_iter().skip(1) {
            passed_over.add(&format!("{name} (second value)"), value.line);
        }
    }
}
