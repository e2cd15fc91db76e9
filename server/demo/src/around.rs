//! What belongs to a person: attributes, identities, resources elsewhere, and entries of the log.

use rollcall::list::Counted;
use rollcall::model::{
    DirectoryIdentity, DirectoryIdentityId, DirectoryUser, DirectoryUserState as State, LogAction,
};
use rollcall::record::{Part as JsonPart, Record as _};
use rollcall_store::Result;
use rollcall_store::change::fields::Fields;
use rollcall_store::change::log::LogEntry;
use rollcall_store::tables::table::Stored;
use serde_json::json;

use super::author::Author;
use super::cast::Part;
use super::catalogue::{Attribute, Catalogue, membership, vendor_org};
use super::dimensions::{ACCESS, COST_CENTER, DEPARTMENT, DIVISION, LOCATION, TITLE};
use super::person::Person;

const DIMENSIONS: [&str; 5] = [DEPARTMENT, LOCATION, TITLE, COST_CENTER, DIVISION];
/// Which user has which attribute.
const MEMBERSHIPS: &str = "user_attributes";

/// What there is to belong to somebody.
pub(super) struct Around<'c> {
    catalogue: &'c Catalogue,
    /// The usual attributes of each of the dimensions, then the unusual ones.
    attributes: Vec<(Vec<&'c Attribute>, Vec<&'c Attribute>)>,
    access: Vec<&'c Attribute>,
    /// Kinds of resources elsewhere.
    kinds: Vec<&'static str>,
}

impl<'c> Around<'c> {
    pub(super) fn new(catalogue: &'c Catalogue) -> Self {
        let kinds = DirectoryUser::PARTS.iter().filter_map(|part| match part {
            JsonPart::Count(spec) if spec.counted == Counted::External => Some(spec.member),
            _ => None,
        });
        Self {
            catalogue,
            attributes: DIMENSIONS
                .iter()
                .map(|dimension| (catalogue.usual(dimension), catalogue.unusual(dimension)))
                .collect(),
            access: catalogue.usual(ACCESS),
            kinds: kinds.collect(),
        }
    }

    /// Writes it all.
    pub(super) fn write(&self, author: &mut Author<'_, '_>, part: &Part, person: &Person) -> Result<()> {
        let mut department = None;
        for (dimension, (usual, unusual)) in DIMENSIONS.iter().zip(&self.attributes) {
            let attribute = match (
                part.attribute.filter(|_| *dimension == DEPARTMENT),
                author.rng.below(100),
            ) {
                (Some(place), _) => usual.get(place).copied(),
                (None, 0..3) => self.catalogue.catch(dimension),
                (None, 3..6) if !unusual.is_empty() => Some(author.rng.pick(unusual)),
                (None, 6..8) => None,
                // The first are had by more people than the last.
                (None, _) => {
                    let place = author.rng.place(usual.len());
                    usual.get(place.min(author.rng.place(usual.len()))).copied()
                }
            };
            if let Some(attribute) = attribute {
                author.insert(MEMBERSHIPS, &membership(&person.id, attribute))?;
                department = department.or(attribute.is_of(DEPARTMENT).then_some(attribute));
            }
        }
        if part.attribute == Some(0) || author.rng.once_in(8) {
            let first = author.rng.place(self.access.len());
            let number = if author.rng.once_in(3) { 2 } else { 1 };
            for place in first..first + number {
                if let Some(attribute) = self.access.get(place % self.access.len()) {
                    author.insert(MEMBERSHIPS, &membership(&person.id, attribute))?;
                }
            }
        }
        self.write_identities(author, part, person, department)?;
        self.write_elsewhere(author, person)?;
        if part.attribute.is_some() || author.rng.once_in(4) {
            self.write_log(author, person, department)?;
        }
        Ok(())
    }

    fn write_identities(
        &self,
        author: &mut Author<'_, '_>,
        part: &Part,
        person: &Person,
        department: Option<&Attribute>,
    ) -> Result<()> {
        let (own, other) = self.catalogue.origins(person.number);
        let both = [own, other];
        let known_to = match author.rng.below(30) {
            0 if part.attribute.is_none() => &both[..0],
            1..4 => &both[..],
            _ if person.number == 1 => &both[..],
            _ => &both[..1],
        };
        for integration in known_to {
            let fields = person
                .life
                .fields()
                .set("id", author.id::<DirectoryIdentityId>(person.life.created_at))
                .set("workspace_integration_id", integration.id.as_str())
                .set("directory_user_id", person.id.as_str())
                .set("integration_vendor", integration.vendor.to_string())
                .set("integration_handle", integration.handle)
                .set("vendor_id", format!("{}-{}", integration.handle, person.number))
                .text("full_name", &person.full_name)
                .text("email", &person.email)
                .set(
                    "org",
                    department.map_or_else(|| json!({}), vendor_org).to_string(),
                );
            author.insert(DirectoryIdentity::TABLE, &fields)?;
        }
        Ok(())
    }

    /// Resources outside this service: for the chief one of each kind, for every third person a few.
    fn write_elsewhere(&self, author: &mut Author<'_, '_>, person: &Person) -> Result<()> {
        let (first, number) = match person.number {
            0 => (0, self.kinds.len()),
            _ if author.rng.once_in(3) => (author.rng.place(self.kinds.len()), 1 + author.rng.place(4)),
            _ => (0, 0),
        };
        for place in first..first + number {
            let fields = Fields::new()
                .set("directory_user_id", person.id.as_str())
                .set("kind", self.kinds[place % self.kinds.len()])
                .set("name", format!("resource {}", author.rng.below(1_000)));
            author.insert("external_resources", &fields)?;
        }
        Ok(())
    }

    fn write_log(
        &self,
        author: &mut Author<'_, '_>,
        person: &Person,
        department: Option<&Attribute>,
    ) -> Result<()> {
        let life = person.life;
        let operator = author.operator.clone();
        let (integration, _) = self.catalogue.origins(person.number);
        let entry = |action, message: &str| LogEntry {
            action,
            record: &person.id,
            parent: None,
            related: None,
            subject: Some(&person.id),
            message: message.to_owned(),
        };
        let imported = LogEntry {
            parent: Some(&integration.id),
            ..entry(LogAction::Imported, "Directory user was imported.")
        };
        author.log(None, life.created_at, &imported)?;
        if let Some(attribute) = department {
            let given = LogEntry {
                related: Some(&attribute.id),
                ..entry(
                    LogAction::Updated,
                    "Directory user was moved to another department.",
                )
            };
            author.log(Some(&operator), life.updated_at, &given)?;
            let taken = LogEntry {
                record: &attribute.id,
                related: Some(&person.id),
                parent: person.account.manager.as_deref(),
                ..entry(LogAction::Updated, "Attribute got another member.")
            };
            author.log(Some(&operator), life.updated_at, &taken)?;
        }
        let ended = match (life.deleted_at, life.state, life.expires_at) {
            (Some(at), ..) => Some((at, entry(LogAction::Deleted, "Directory user was soft-deleted."))),
            (None, State::Expired, Some(at)) => {
                Some((at, entry(LogAction::Expired, "Directory user expired.")))
            }
            (None, State::Expiring, _) => Some((
                life.updated_at,
                entry(LogAction::Deprecated, "Directory user was deprecated."),
            )),
            (None, State::Active, _) => Some((
                life.updated_at,
                entry(LogAction::Activated, "Directory user was activated."),
            )),
            _ => None,
        };
        ended.map_or(Ok(()), |(at, entry)| author.log(None, at, &entry))
    }
}
