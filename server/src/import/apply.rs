//! The second reading: what the plan found good is written, in one transaction, to the last person or not at all.
//!
//! A record is changed only where the file has a place for something else, so the same file twice changes nothing. Who is
//! missing from a later file is left alone; nothing is deleted or restored here.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead};

use rollcall::model::{
    DirectoryIdentity, DirectoryIdentityId, DirectoryUser, DirectoryUserState as State, IntegrationVendor, LogAction,
    WorkspaceIntegration, WorkspaceIntegrationId,
};
use serde_json::Value;

use super::column::Field;
use super::dictionary::{Attribute, Dictionary};
use super::plan::{Draft, Plan, Standing, life};
use super::{Entry, Format, Kind, Membership, Options, Person, Reader, Refusal, dimension};
use crate::ids::Ids;
use crate::store::dialect::Connection;
use crate::store::fold::searchable;
use crate::store::people::{self, Identity, Kept};
use crate::store::resource::Readable;
use crate::store::unit::{Entry as LogEntry, Fields, Unit};
use crate::store::{Error, Written, lookup};

/// What is to be imported, and how.
#[derive(Clone, Debug)]
pub struct Request<'r> {
    /// The format of the file.
    pub format: Format,
    /// What its reader has to know.
    pub options: Options,
    /// The handle of the integration the people come from; made where there is none.
    pub integration: &'r str,
    /// Whether good records are written although others are refused.
    pub keep_going: bool,
    /// Whether all is undone in the end.
    pub dry_run: bool,
}

/// What an import has done, or in a dry run would do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// People who are new.
    pub created: u64,
    /// People of whom something has changed, those too who joined or left a group without being in the file.
    pub updated: u64,
    /// People who were already as the file says.
    pub unchanged: u64,
    /// Entries that are neither person nor group, and people who are soft-deleted in the store.
    pub skipped: u64,
    /// What was refused, by line.
    pub refused: Vec<Refusal>,
    /// What a person should know although it stops nothing.
    pub notes: Vec<String>,
    /// Whether the file could be read to its end.
    pub complete: bool,
    /// Whether what is counted above was written, or in a dry run would be.
    pub written: bool,
}

/// Why an import could not be done; nothing is written then.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] Error),
    /// The file could not be opened a second time.
    #[error("the file can't be read: {0}")]
    File(#[from] io::Error),
    /// The second reading found other people than the first.
    #[error("the file changed while it was read; nothing was imported")]
    Changed,
    /// Not a fault: the way out of a transaction that is not to be kept.
    #[error("undone")]
    Undone(Box<Report>),
}

/// Imports a file, which `open` opens twice.
///
/// # Errors
/// When the store or the file fail. Refused records are no error but part of the report.
pub fn import<R: BufRead>(
    connection: &Connection,
    ids: &mut Ids,
    written: Written<'_>,
    open: impl FnMut() -> io::Result<R>,
    request: &Request<'_>,
) -> Result<Report, Fault> {
    match Unit::attempt(connection, ids, written, |unit| run(unit, open, request)) {
        Err(Fault::Undone(report)) => Ok(*report),
        outcome => outcome,
    }
}

fn run<R: BufRead>(
    unit: &mut Unit<'_>,
    mut open: impl FnMut() -> io::Result<R>,
    request: &Request<'_>,
) -> Result<Report, Fault> {
    let found = lookup::integration(unit.connection(), request.integration)?;
    let mut plan = Plan::read(unit, open()?, request, found.as_ref().map(|(id, _)| id.as_str()))?;
    let mut report = Report {
        skipped: plan.skipped,
        refused: std::mem::take(&mut plan.refused),
        notes: std::mem::take(&mut plan.notes),
        ..Report::default()
    };
    report.complete = !report.refused.iter().any(|refusal| refusal.fatal);
    if !report.complete || (!request.keep_going && !report.refused.is_empty()) {
        return Err(Fault::Undone(Box::new(report)));
    }
    report.written = true;
    if plan.accepted() == 0 && plan.groups.is_empty() {
        return Ok(report);
    }
    let is_large = is_large(unit.connection(), plan.accepted())?;
    if is_large {
        unit.follow_for_all();
        unit.connection().drop_search(DirectoryUser::TABLE)?;
    }
    let (integration, vendor) = match found {
        Some(found) => found,
        None => create_integration(unit, request.integration, plan.domain.as_deref())?,
    };
    let dictionary = Dictionary::new(&integration, request.format == Format::Ldif);
    let mut writer = Writer { unit, plan: &plan, dictionary, groups: Vec::new(), integration, vendor, request, report };
    writer.groups()?;
    writer.people(open()?)?;
    writer.others()?;
    let report = writer.report;
    if is_large {
        create_search(unit.connection())?;
    }
    if request.dry_run {
        return Err(Fault::Undone(Box::new(report)));
    }
    Ok(report)
}

/// Whether so many people come in that working everything out anew costs less than doing it person by person.
fn is_large(connection: &Connection, people: usize) -> Result<bool, Error> {
    let there = usize::try_from(lookup::users(connection)?).unwrap_or(usize::MAX);
    Ok(people >= LARGE && people >= there / 4)
}

/// The least people for whom it is worth while.
const LARGE: usize = 1_000;

fn create_search(connection: &Connection) -> Result<(), Error> {
    let searched = crate::resources::searched_tables();
    let users = searched.into_iter().filter(|(table, _)| *table == DirectoryUser::TABLE);
    users.into_iter().try_for_each(|(table, columns)| connection.create_search(table, columns))
}

fn create_integration(
    unit: &mut Unit<'_>,
    handle: &str,
    domain: Option<&str>,
) -> Result<(String, String), Error> {
    let now = unit.now();
    let id = unit.ids.id::<WorkspaceIntegrationId>(now);
    let vendor = IntegrationVendor::Import.to_string();
    let fields = Fields::new()
        .set("id", id.as_str())
        .set("state", State::Active.to_string())
        .set("is_primary", !lookup::has_integration(unit.connection())?)
        .set("vendor", vendor.as_str())
        .set("handle", handle)
        .set("domain", domain.unwrap_or_default())
        .set("created_at", now)
        .set("updated_at", now);
    unit.insert(WorkspaceIntegration::TABLE, &fields)?;
    let message = "Integration was created by an import.".to_owned();
    unit.log(&LogEntry {
        action: LogAction::Created,
        record: &id,
        parent: None,
        related: None,
        subject: None,
        message,
    })?;
    Ok((id, vendor))
}

struct Writer<'w, 'c> {
    unit: &'w mut Unit<'c>,
    plan: &'w Plan,
    request: &'w Request<'w>,
    dictionary: Dictionary,
    /// The attribute of each group of the plan.
    groups: Vec<Attribute>,
    integration: String,
    vendor: String,
    report: Report,
}

impl Writer<'_, '_> {
    fn groups(&mut self) -> Result<(), Fault> {
        for listing in &self.plan.groups {
            let membership = Membership { dimension: dimension::GROUPS.to_owned(), name: listing.name.clone() };
            self.groups.push(self.dictionary.attribute(self.unit, &membership)?);
        }
        Ok(())
    }

    fn people(&mut self, file: impl BufRead) -> Result<(), Fault> {
        let mut drafts = self.plan.drafts.iter();
        for entry in Reader::new(self.request.format, file, self.request.options.clone()) {
            let Ok(Entry { line, kind: Kind::Person(person) }) = entry else {
                continue;
            };
            let draft = drafts.next().filter(|draft| draft.line == line && *draft.key == *person.key);
            let draft = draft.ok_or(Fault::Changed)?;
            match draft.standing {
                Standing::New => self.create(draft, &person)?,
                Standing::Known => self.update(draft, &person)?,
                Standing::Trashed => self.report.skipped += 1,
                Standing::Refused(_) => {}
            }
        }
        match drafts.next() {
            None => Ok(()),
            Some(_) => Err(Fault::Changed),
        }
    }

    fn create(&mut self, draft: &Draft, person: &Person) -> Result<(), Fault> {
        let (user, now) = (draft.user.as_str(), self.unit.now());
        let wanted = self.wanted(draft, person, None)?;
        let attributes = self.attributes(draft, person)?;
        let mut names: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for attribute in attributes.values() {
            names.entry(&attribute.dimension).or_default().insert(&attribute.name);
        }
        // What follows from the memberships anyway; written at once, the row is indexed for searching once.
        let org = org(names);
        let (fields, _) = wanted.changes(None, now);
        let fields = fields
            .set("id", user)
            .set("workspace_integration_id", self.integration.as_str())
            .set("org", org.to_string())
            .set("org_folded", searchable(&org))
            .set("created_at", now)
            .set("updated_at", now)
            .set("provisioned_at", now);
        self.unit.insert(DirectoryUser::TABLE, &fields)?;
        for attribute in attributes.keys() {
            people::join(self.unit, user, attribute)?;
        }
        self.identify(draft, person, &wanted)?;
        self.unit.touch_attributes_of(user)?;
        self.log(LogAction::Imported, user, format!("Imported from {}.", self.request.integration))?;
        self.report.created += 1;
        Ok(())
    }

    fn update(&mut self, draft: &Draft, person: &Person) -> Result<(), Fault> {
        let (user, now) = (draft.user.as_str(), self.unit.now());
        let before = people::kept(self.unit.connection(), user, now)?.ok_or(Fault::Changed)?;
        let wanted = self.wanted(draft, person, Some(&before))?;
        let (fields, mut names) = wanted.changes(Some(&before), now);
        if self.regroup(draft, person)? {
            self.unit.touch_attributes_of(user)?;
            names.push("attributes");
        }
        if self.identify(draft, person, &wanted)? {
            names.push("identity");
        }
        if names.is_empty() {
            self.report.unchanged += 1;
            return Ok(());
        }
        self.unit.update(DirectoryUser::TABLE, user, &fields.set("updated_at", now))?;
        before.manager_id.iter().for_each(|manager| self.unit.touch(manager));
        self.unit.touch_user(user)?;
        self.updated(user, &names)
    }

    fn updated(&mut self, user: &str, names: &[&str]) -> Result<(), Fault> {
        self.report.updated += 1;
        let message = format!("An import from {} changed: {}.", self.request.integration, names.join(", "));
        self.log(LogAction::Updated, user, message)
    }

    fn log(&mut self, action: LogAction, user: &str, message: String) -> Result<(), Fault> {
        let (parent, related) = (None, None);
        self.unit.log(&LogEntry { action, record: user, parent, related, subject: Some(user), message })?;
        Ok(())
    }

    /// The attributes a person is to have by what the file says, by id.
    fn attributes(&mut self, draft: &Draft, person: &Person) -> Result<BTreeMap<String, Attribute>, Fault> {
        let mut attributes = BTreeMap::new();
        for membership in &person.attributes {
            let attribute = self.dictionary.attribute(self.unit, membership)?;
            attributes.insert(attribute.id.clone(), attribute);
        }
        for group in &draft.groups {
            let attribute = self.groups[*group].clone();
            attributes.insert(attribute.id.clone(), attribute);
        }
        Ok(attributes)
    }

    /// Brings the memberships of a person to what the file says, where it says something.
    fn regroup(&mut self, draft: &Draft, person: &Person) -> Result<bool, Fault> {
        let user = draft.user.as_str();
        let mut wanted = self.attributes(draft, person)?;
        let mut changed = false;
        for has in people::memberships(self.unit.connection(), [user])? {
            let is_spoken_of = self.plan.spoken.has_dimension(&has.dimension)
                || self.groups.iter().any(|group| group.id == has.attribute);
            if wanted.remove(&has.attribute).is_none() && is_spoken_of {
                people::part(self.unit, user, &has.attribute)?;
                changed = true;
            }
        }
        for attribute in wanted.keys() {
            people::join(self.unit, user, attribute)?;
            changed = true;
        }
        Ok(changed)
    }

    /// Brings the identity of a person to what the file says.
    fn identify(&mut self, draft: &Draft, person: &Person, wanted: &Kept) -> Result<bool, Fault> {
        let now = self.unit.now();
        let before = match draft.standing {
            Standing::New => None,
            _ => people::identity(self.unit.connection(), &self.integration, &draft.key, now)?,
        };
        let mut names: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for membership in &person.attributes {
            names.entry(&membership.dimension).or_default().insert(&membership.name);
        }
        // A state the file doesn't give is the API's doing: the source knows nothing of it.
        let (state, expires_at) = match (&before, &person.state, person.expires_at) {
            (Some((_, before)), None, None) => (before.state, before.expires_at),
            (None, None, None) => (State::Active, None),
            _ => (wanted.state, wanted.expires_at),
        };
        let identity = Identity {
            user: draft.user.clone(),
            state,
            expires_at,
            full_name: wanted.full_name.clone(),
            email: wanted.email.clone(),
            org: org(names),
        };
        let fields = identity.changes(before.as_ref().map(|(_, before)| before));
        if fields.is_empty() {
            return Ok(false);
        }
        let fields = fields.set("updated_at", now);
        if let Some((id, _)) = before {
            self.unit.update(DirectoryIdentity::TABLE, &id, &fields)?;
            return Ok(true);
        }
        let id = self.unit.ids.id::<DirectoryIdentityId>(now);
        let fields = fields
            .set("id", id)
            .set("workspace_integration_id", self.integration.as_str())
            .set("integration_vendor", self.vendor.as_str())
            .set("integration_handle", self.request.integration)
            .set("vendor_id", &*draft.key)
            .set("created_at", now);
        self.unit.insert(DirectoryIdentity::TABLE, &fields)?;
        self.unit.touch(&self.integration);
        Ok(true)
    }

    /// What a person's row is to be.
    fn wanted(&self, draft: &Draft, person: &Person, kept: Option<&Kept>) -> Result<Kept, Fault> {
        let spoken = &self.plan.spoken;
        let given = |field: Field, given: &Option<String>, kept: Option<&Option<String>>| match kept {
            Some(kept) if !spoken.has_field(field) => kept.clone(),
            _ => given.clone(),
        };
        let dated = spoken.has_field(Field::ExpiresAt);
        let (state, expires_at) = life(person, kept, dated, self.unit.now()).map_err(|_| Fault::Changed)?;
        let manager = self.plan.manager(draft).map(str::to_owned);
        Ok(Kept {
            state,
            expires_at,
            first_name: person.first_name.clone(),
            last_name: person.last_name.clone(),
            full_name: self.full_name(person, kept),
            email: person.email.clone(),
            username: self.username(person, kept),
            badge_id: given(Field::BadgeId, &person.badge_id, kept.map(|kept| &kept.badge_id)),
            employee_id: given(Field::EmployeeId, &person.employee_id, kept.map(|kept| &kept.employee_id)),
            employee_alt_id: given(
                Field::EmployeeAltId,
                &person.employee_alt_id,
                kept.map(|kept| &kept.employee_alt_id),
            ),
            manager_id: given(Field::Manager, &manager, kept.map(|kept| &kept.manager_id)),
            metadata: self.metadata(person, kept),
        })
    }

    fn full_name(&self, person: &Person, kept: Option<&Kept>) -> String {
        let joined = |first: &str, last: &str| format!("{first} {last}");
        let is_kept = |kept: &&Kept| {
            !self.plan.spoken.has_field(Field::FullName)
                && kept.full_name != joined(&kept.first_name, &kept.last_name)
        };
        match (&person.full_name, kept.filter(is_kept)) {
            (Some(given), _) => given.clone(),
            (None, Some(kept)) => kept.full_name.clone(),
            (None, None) => joined(&person.first_name, &person.last_name),
        }
    }

    fn username(&self, person: &Person, kept: Option<&Kept>) -> String {
        let is_kept = !self.plan.spoken.has_field(Field::Username);
        match (&person.username, kept.filter(|_| is_kept)) {
            (Some(given), _) => given.clone(),
            (None, Some(kept)) => kept.username.clone(),
            (None, None) => person.email.split('@').next().unwrap_or_default().to_owned(),
        }
    }

    fn metadata(&self, person: &Person, kept: Option<&Kept>) -> Value {
        let mut metadata = person.metadata.clone();
        let before = kept.and_then(|kept| kept.metadata.as_object()).into_iter().flatten();
        let unspoken = before.filter(|(key, _)| !self.plan.spoken.has_metadata(key));
        metadata.extend(unspoken.map(|(key, value)| (key.clone(), value.clone())));
        metadata.into()
    }

    /// Brings the groups of the file to their members among those the file does not have.
    fn others(&mut self) -> Result<(), Fault> {
        let mut changed = BTreeSet::new();
        for (listing, attribute) in self.plan.groups.iter().zip(&self.groups) {
            let wanted: BTreeSet<&String> = listing.others.iter().filter(|user| !self.plan.has(user)).collect();
            for user in lookup::members(self.unit.connection(), &attribute.id, &self.integration)? {
                if !self.plan.has(&user) && !wanted.contains(&user) {
                    people::part(self.unit, &user, &attribute.id)?;
                    changed.insert(user);
                }
            }
            for user in wanted {
                let has = people::memberships(self.unit.connection(), [user.as_str()])?;
                if !has.iter().any(|has| has.attribute == attribute.id) {
                    people::join(self.unit, user, &attribute.id)?;
                    changed.insert(user.clone());
                }
            }
        }
        for user in changed {
            let fields = Fields::new().set("updated_at", self.unit.now());
            self.unit.update(DirectoryUser::TABLE, &user, &fields)?;
            self.unit.touch_attributes_of(&user)?;
            self.updated(&user, &["attributes"])?;
        }
        Ok(())
    }
}

/// The names of attributes by dimension, as records show them (P2).
fn org(names: BTreeMap<&str, BTreeSet<&str>>) -> Value {
    let joined = |names: BTreeSet<&str>| names.into_iter().collect::<Vec<_>>().join(", ");
    let org = names.into_iter().map(|(dimension, names)| (dimension.to_owned(), joined(names).into()));
    Value::Object(org.collect())
}
