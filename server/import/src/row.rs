//! A CSV row or a JSON line, taken apart but not yet judged.

use rollcall::Timestamp;
use rollcall::model::DirectoryUserState as State;
use rollcall_store::fold::identity;
use serde_json::{Map, Value};

use super::column::Field;
use super::dn::Dn;
use super::standing::Standing;
use super::{KnownBy, Membership, Options, Person, check, in_order};

/// Whether an identifier is a name in a directory, in which there are names of people.
fn is_dn(value: &str) -> bool {
    value.contains('=') && Dn::parse(value).is_ok()
}

/// What a row says, by field.
#[derive(Default)]
pub(super) struct Row {
    fields: [Option<String>; Field::ALL.len()],
    pub(super) attributes: Vec<Membership>,
    pub(super) metadata: Map<String, Value>,
    /// Attributes of a directory server that say how the account stands, in small letters, and their values.
    pub(super) account: Vec<(String, String)>,
}

impl Row {
    pub(super) fn set(&mut self, field: Field, value: String) {
        self.fields[field as usize] = Some(value);
    }

    /// What a person recognises the row by.
    pub(super) fn label(&self) -> &str {
        let known =
            [Field::Email, Field::Id, Field::Username].map(|field| self.fields[field as usize].as_deref());
        known
            .into_iter()
            .flatten()
            .find(|value| !value.is_empty())
            .unwrap_or("(no email)")
    }

    fn name(&self, field: Field) -> Result<Option<String>, String> {
        self.fields[field as usize]
            .as_deref()
            .map_or(Ok(None), |value| match field {
                Field::FullName => check::full_name(field.name(), value),
                _ if field.is_identifier() && !is_dn(value) => check::identifier(field.name(), value),
                _ => check::name(field.name(), value),
            })
    }

    fn required(&self, field: Field) -> Result<String, String> {
        self.name(field)?
            .ok_or_else(|| format!("has no {}", field.name()))
    }

    /// What the person is known by, and what that is called.
    fn key(&self, options: &Options, email: &str) -> Result<(&'static str, String), String> {
        let known_by = options.known_by.map(|known_by| match known_by {
            KnownBy::EmployeeId => Field::EmployeeId,
            KnownBy::EmployeeAltId => Field::EmployeeAltId,
            KnownBy::Username => Field::Username,
        });
        for field in [Some(Field::Id), known_by].into_iter().flatten() {
            if let Some(key) = self.name(field)? {
                return Ok((field.name(), key));
            }
        }
        match known_by {
            Some(field) => Err(format!(
                "{}: is empty, and --known-by names this column",
                field.name()
            )),
            None => Ok((Field::Email.name(), identity(email))),
        }
    }

    fn expires_at(&self) -> Result<Option<Timestamp>, String> {
        let given = self.name(Field::ExpiresAt)?;
        let timestamp = given.as_deref().map(Timestamp::read_any).transpose();
        timestamp.map_err(|_| {
            format!(
                "{}: is no date or timestamp like 2026-03-01T09:30:00Z",
                Field::ExpiresAt.name()
            )
        })
    }

    /// The person a row describes, or the reason it describes none.
    pub(super) fn person(self, options: &Options) -> Result<Person, String> {
        let username = self.name(Field::Username)?;
        let given = self.name(Field::Email)?;
        let email = check::email_of(
            (Field::Email.name(), given.as_deref()),
            (Field::Username.name(), username.as_deref()),
            options,
        )?;
        let state = self.name(Field::State)?;
        if let Some(state) = state
            .as_deref()
            .filter(|state| !options.states.iter().any(|known| known == state))
        {
            return Err(check::unknown(
                Field::State.name(),
                state,
                options.states.iter().map(String::as_str),
            ));
        }
        check::metadata(&self.metadata)?;
        let account = self
            .account
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()));
        let standing = Standing::of(account)?;
        // The strictest counts.
        let state = match standing.state {
            Some(kept_out) if state != Some(State::Deactivated.to_string()) => Some(kept_out.to_string()),
            _ => state,
        };
        let expires_at = self.expires_at()?.or(standing.expires_at);
        let (identified_by, key) = self.key(options, &email)?;
        Ok(Person {
            identified_by,
            key,
            email,
            username,
            first_name: self.required(Field::FirstName)?,
            last_name: self.required(Field::LastName)?,
            full_name: self.name(Field::FullName)?,
            badge_id: self.name(Field::BadgeId)?,
            employee_id: self.name(Field::EmployeeId)?,
            employee_alt_id: self.name(Field::EmployeeAltId)?,
            manager: self.name(Field::Manager)?,
            attributes: in_order(self.attributes),
            metadata: self.metadata,
            state,
            expires_at,
            is_open: standing.is_open(),
            ..Person::default()
        })
    }
}
