//! What a file says of a person, held against what the store knows of them.

use rollcall::Timestamp;
use rollcall::model::{DirectoryUserId, DirectoryUserState as State};
use rollcall_store::dialect::Connection;
use rollcall_store::fold::identity;
use rollcall_store::people::directory_sync::PersonRow;
use rollcall_store::people::name_resolution::{self, Found};

use super::Person;
use super::column::Field;
use super::request::Fault;

/// The store as a name is looked up in it.
pub(super) struct StoreLookup<'s> {
    pub(super) connection: &'s Connection,
    pub(super) integration: Option<&'s str>,
    pub(super) now: Timestamp,
}

/// A user whom a person of the file is.
pub(super) struct KnownUser {
    pub(super) found: Found,
    /// The key under which the integration has the user so far, if it is another one.
    pub(super) known_as: Option<String>,
    /// Whether the user is known by the DN of the person, too.
    pub(super) has_dn: bool,
}

impl KnownUser {
    fn of(found: Found) -> Self {
        Self {
            found,
            known_as: None,
            has_dn: false,
        }
    }
}

impl StoreLookup<'_> {
    /// The user whom a person of the file is.
    ///
    /// The key of the person decides, also if it is the id of a user, as in an export. Else an LDIF entry is the user whom the
    /// integration has under its DN, and a row is the user whom the integration has under its address.
    pub(super) fn person(&self, person: &Person) -> Result<Option<KnownUser>, Fault> {
        let dn = person.other_name();
        if let Some((found, has_dn)) = self.identified(&person.key, dn.unwrap_or_default())? {
            return Ok(Some(KnownUser {
                has_dn,
                ..KnownUser::of(found)
            }));
        }
        if let Some(dn) = dn
            && let Some((found, _)) = self.identified(dn, "")?
        {
            return Ok(Some(KnownUser {
                known_as: Some(dn.to_owned()),
                ..KnownUser::of(found)
            }));
        }
        if let (Some(found), None) = (self.with_id(&person.key)?, &person.dn) {
            return Ok(Some(KnownUser::of(found)));
        }
        self.known_by_address(person)
    }

    /// The user whom the integration has under the address of a row.
    fn known_by_address(&self, person: &Person) -> Result<Option<KnownUser>, Fault> {
        let (None, Some(integration)) = (&person.dn, self.integration) else {
            return Ok(None);
        };
        for id in self.with_email(&person.email)? {
            let keys = name_resolution::keys(self.connection, integration, &id)?;
            if let Some(key) = keys
                .into_iter()
                .find(|key| identity(key) == identity(&person.email))
            {
                let is_trashed = false;
                return Ok(Some(KnownUser {
                    known_as: Some(key),
                    ..KnownUser::of(Found { id, is_trashed })
                }));
            }
        }
        Ok(None)
    }

    /// The user with this name: a key, a DN, or the id of a user.
    pub(super) fn user(&self, name: &str) -> Result<Option<Found>, Fault> {
        if let Some((found, _)) = self.identified(name, "")? {
            return Ok(Some(found));
        }
        let called = self
            .integration
            .map(|integration| name_resolution::named(self.connection, integration, name));
        match called.transpose()?.flatten() {
            Some(found) => Ok(Some(found)),
            None => self.with_id(name),
        }
    }

    /// The user whom the integration has under this key, and whether it has the user under this name, too.
    fn identified(&self, key: &str, name: &str) -> Result<Option<(Found, bool)>, Fault> {
        let found = self
            .integration
            .map(|integration| name_resolution::identified(self.connection, integration, key, name));
        Ok(found.transpose()?.flatten())
    }

    fn with_id(&self, id: &str) -> Result<Option<Found>, Fault> {
        match id.parse::<DirectoryUserId>() {
            Ok(_) => Ok(name_resolution::with_id(self.connection, id)?),
            Err(_) => Ok(None),
        }
    }

    /// The first two users of the integration with this email.
    pub(super) fn with_email(&self, email: &str) -> Result<Vec<String>, Fault> {
        let users = self
            .integration
            .map(|integration| name_resolution::with_email(self.connection, integration, email));
        Ok(users.transpose()?.unwrap_or_default())
    }

    /// The user a member of a group stands for.
    pub(super) fn member(&self, key: &str, username: Option<&str>) -> Result<Option<String>, Fault> {
        let found = self.user(key)?.filter(|found| !found.is_trashed);
        let named = match (found, username, self.integration) {
            (Some(found), _, _) => return Ok(Some(found.id)),
            (None, Some(username), Some(integration)) => {
                name_resolution::with_username(self.connection, integration, username)?
            }
            (None, _, _) => Vec::new(),
        };
        // A username that two users have names neither.
        Ok(<[String; 1]>::try_from(named).ok().map(|[user]| user))
    }
}

/// The state and expiry a person is to have. `kept` is what the store has, `dated` whether the file has a place for a date.
pub(super) fn resolve_state(
    person: &Person,
    kept: Option<&PersonRow>,
    dated: bool,
    now: Timestamp,
) -> Result<(State, Option<Timestamp>), String> {
    let field = Field::State.name();
    let stated = person.state.as_deref().map(str::parse::<State>).transpose();
    let stated = stated.map_err(|why| format!("{field}: {why}"))?;
    let before = kept.map(|kept| (kept.state, kept.expires_at));
    match (stated, person.expires_at) {
        (None, None) => Ok(before.unwrap_or((State::Active, None))),
        (Some(State::Active), Some(_)) => Err(format!(
            "{field}: who is active does not expire; leave expires_at out"
        )),
        (Some(State::Expired), Some(expiry)) if expiry > now => {
            Err(format!("{field}: is expired, but expires_at lies ahead"))
        }
        // Time may have gone on since the file was written.
        (None | Some(State::Expiring | State::Expired), Some(expiry)) => Ok((
            if expiry > now {
                State::Expiring
            } else {
                State::Expired
            },
            Some(expiry),
        )),
        (Some(state @ (State::Expiring | State::Expired)), None) => match before {
            Some(before) if before.0 == state || (before.0, state) == (State::Expired, State::Expiring) => {
                Ok(before)
            }
            _ => Err(format!("{field}: is {state}, but there is no expires_at")),
        },
        (Some(State::Active), None) => Ok((State::Active, None)),
        (Some(state), None) if !dated => Ok((state, before.and_then(|(_, expiry)| expiry))),
        (Some(state), expiry) => Ok((state, expiry)),
    }
}
