//! The row of a person: what the file says, and what the store has where the file has no place for it.

use rollcall::Timestamp;
use rollcall_store::people::directory_sync::PersonRow;
use serde_json::Value;

use super::column::{Field, METADATA};
use super::request::Fault;
use super::store_lookup::resolve_state;
use super::{Person, PresentColumns};

/// Merges people of a file with what the store has.
pub(super) struct Merge<'m> {
    /// What the file has a place for.
    pub(super) present: &'m PresentColumns,
    pub(super) now: Timestamp,
}

impl Merge<'_> {
    /// What the row of a person is to be; `kept` is what the store has.
    pub(super) fn row(
        &self,
        person: &Person,
        manager: Option<&str>,
        kept: Option<&PersonRow>,
    ) -> Result<PersonRow, Fault> {
        let present = self.present;
        let given = |field: Field, given: &Option<String>, kept: Option<&Option<String>>| match kept {
            Some(kept) if !present.has_field(field) => kept.clone(),
            _ => given.clone(),
        };
        let dated = present.has_field(Field::ExpiresAt);
        let (state, expires_at) = resolve_state(person, kept, dated, self.now).map_err(|_| Fault::Changed)?;
        let manager = manager.map(str::to_owned);
        Ok(PersonRow {
            state,
            expires_at,
            first_name: person.first_name.clone(),
            last_name: person.last_name.clone(),
            full_name: self.full_name(person, kept),
            email: person.email.clone(),
            username: self.username(person, kept),
            badge_id: given(Field::BadgeId, &person.badge_id, kept.map(|kept| &kept.badge_id)),
            employee_id: given(
                Field::EmployeeId,
                &person.employee_id,
                kept.map(|kept| &kept.employee_id),
            ),
            employee_alt_id: given(
                Field::EmployeeAltId,
                &person.employee_alt_id,
                kept.map(|kept| &kept.employee_alt_id),
            ),
            manager_id: given(Field::Manager, &manager, kept.map(|kept| &kept.manager_id)),
            metadata: self.metadata(person, kept),
        })
    }

    fn full_name(&self, person: &Person, kept: Option<&PersonRow>) -> String {
        let joined = |first: &str, last: &str| format!("{first} {last}");
        let is_kept = |kept: &&PersonRow| {
            !self.present.has_field(Field::FullName)
                && kept.full_name != joined(&kept.first_name, &kept.last_name)
        };
        match (&person.full_name, kept.filter(is_kept)) {
            (Some(given), _) => given.clone(),
            (None, Some(kept)) => kept.full_name.clone(),
            (None, None) => joined(&person.first_name, &person.last_name),
        }
    }

    fn username(&self, person: &Person, kept: Option<&PersonRow>) -> String {
        let is_kept = !self.present.has_field(Field::Username);
        match (&person.username, kept.filter(|_| is_kept)) {
            (Some(given), _) => given.clone(),
            (None, Some(kept)) => kept.username.clone(),
            (None, None) => person.email.split('@').next().unwrap_or_default().to_owned(),
        }
    }

    fn metadata(&self, person: &Person, kept: Option<&PersonRow>) -> Value {
        let mut metadata = person.metadata.clone();
        let before = kept
            .and_then(|kept| kept.metadata.as_object())
            .into_iter()
            .flatten();
        let left_out = before.filter(|(key, _)| !self.present.has_metadata(key));
        metadata.extend(left_out.map(|(key, value)| (key.clone(), value.clone())));
        metadata.into()
    }
}

/// The columns that a person had a value in and has no more; only those that a person may be without.
pub(super) fn emptied(before: &PersonRow, after: &PersonRow) -> Vec<String> {
    let fields = [
        (Field::BadgeId, &before.badge_id, &after.badge_id),
        (Field::EmployeeId, &before.employee_id, &after.employee_id),
        (
            Field::EmployeeAltId,
            &before.employee_alt_id,
            &after.employee_alt_id,
        ),
        (Field::Manager, &before.manager_id, &after.manager_id),
    ];
    let lost = fields
        .into_iter()
        .filter(|(_, before, after)| before.is_some() && after.is_none());
    let fields = lost.map(|(field, ..)| field.name().to_owned());
    let keys = before
        .metadata
        .as_object()
        .into_iter()
        .flat_map(|metadata| metadata.keys());
    let lost = keys.filter(|key| after.metadata.get(key).is_none());
    fields
        .chain(lost.map(|key| format!("{METADATA}.{key}")))
        .collect()
}
