//! The second reading: what the plan found good is written.
//!
//! A record is changed only where the file has a place for something else, so the same file twice changes nothing. Who is
//! missing from a later file is left alone; nothing is deleted or restored here.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io::BufRead;

use rollcall::model::{
    DirectoryIdentity, DirectoryIdentityId, DirectoryUser, DirectoryUserState as State, LogAction,
};
use rollcall_store::change::fields::Fields;
use rollcall_store::change::log::LogEntry;
use rollcall_store::change::unit::Unit;
use rollcall_store::fold::searchable;
use rollcall_store::people::directory_sync::{self, Identity, PersonRow};
use rollcall_store::people::name_resolution;
use rollcall_store::tables::table::Stored;
use serde_json::Value;

use super::column::ORG;
use super::dictionary::{Attribute, Dictionary};
use super::merge::{Merge, emptied};
use super::plan::{Draft, DraftStatus, Plan};
use super::request::{Fault, Report, Request};
use super::{Entry, Kind, Membership, Person, Reader, dimension};

/// Writes what a plan found good.
pub(super) struct Writer<'w, 'c> {
    pub(super) unit: &'w mut Unit<'c>,
    pub(super) plan: &'w Plan,
    pub(super) request: &'w Request<'w>,
    pub(super) dictionary: Dictionary,
    /// The attribute of each group of the plan.
    pub(super) groups: Vec<Attribute>,
    /// Their ids.
    pub(super) listed: HashSet<String>,
    /// Whether the integration had names for people beside their keys before.
    pub(super) has_names: bool,
    pub(super) integration: String,
    pub(super) vendor: String,
    pub(super) report: Report,
}

impl Writer<'_, '_> {
    /// Reads the file again and writes; gives the report with what was done.
    pub(super) fn write(mut self, file: impl BufRead) -> Result<Report, Fault> {
        self.groups()?;
        self.people(file)?;
        self.others()?;
        Ok(self.report)
    }

    fn groups(&mut self) -> Result<(), Fault> {
        for listing in &self.plan.groups {
            let membership = Membership {
                dimension: dimension::GROUPS.to_owned(),
                name: listing.name.clone(),
            };
            let attribute = self.dictionary.attribute(self.unit, &membership)?;
            self.listed.insert(attribute.id.clone());
            self.groups.push(attribute);
        }
        Ok(())
    }

    fn people(&mut self, file: impl BufRead) -> Result<(), Fault> {
        let mut drafts = self.plan.drafts.iter();
        for entry in Reader::new(self.request.format, file, self.request.options.clone()) {
            let Ok(Entry {
                line,
                kind: Kind::Person(person),
            }) = entry
            else {
                continue;
            };
            let draft = drafts
                .next()
                .filter(|draft| draft.line == line && *draft.key == *person.key);
            let draft = draft.ok_or(Fault::Changed)?;
            match draft.status {
                DraftStatus::New => self.create(draft, &person)?,
                DraftStatus::InStore => self.update(draft, &person)?,
                DraftStatus::Trashed | DraftStatus::Refused(_) => {}
            }
        }
        match drafts.next() {
            None => Ok(()),
            Some(_) => Err(Fault::Changed),
        }
    }

    fn create(&mut self, draft: &Draft, person: &Person) -> Result<(), Fault> {
        let (user, now) = (draft.user.as_str(), self.unit.now());
        let wanted = self.merge().row(person, self.plan.manager(draft), None)?;
        let attributes = self.attributes(draft, person)?;
        // What follows from the memberships anyway; written at once, the row is indexed for searching once.
        let org = org(attributes.values().cloned().map(Attribute::named).collect());
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
            directory_sync::add_membership(self.unit, user, attribute)?;
        }
        self.identify(draft, person, None, &wanted, org)?;
        self.unit.mark_memberships_dirty(user);
        self.log(
            LogAction::Imported,
            user,
            format!("Imported from {}.", self.request.integration),
        )?;
        self.report.created += 1;
        Ok(())
    }

    fn update(&mut self, draft: &Draft, person: &Person) -> Result<(), Fault> {
        let (user, now) = (draft.user.as_str(), self.unit.now());
        let before = directory_sync::kept(self.unit.connection(), user, now)?.ok_or(Fault::Changed)?;
        let known = self.identity(draft)?;
        let mut wanted = self
            .merge()
            .row(person, self.plan.manager(draft), Some(&before))?;
        if is_let_in_again(person, known.as_ref()) {
            (wanted.state, wanted.expires_at) = (State::Active, None);
        }
        for name in emptied(&before, &wanted) {
            *self.report.emptied.entry(name).or_default() += 1;
        }
        let (fields, mut names) = wanted.changes(Some(&before), now);
        let (regrouped, org) = self.regroup(draft, person)?;
        if regrouped {
            self.unit.mark_memberships_dirty(user);
            names.push("attributes");
        }
        if self.identify(draft, person, known, &wanted, org)? {
            names.push("identity");
        }
        if names.is_empty() {
            self.report.unchanged += 1;
            return Ok(());
        }
        self.unit
            .update(DirectoryUser::TABLE, user, &fields.set("updated_at", now))?;
        self.unit.mark_user_dirty(user);
        self.updated(user, &names)
    }

    fn merge(&self) -> Merge<'_> {
        Merge {
            present: &self.plan.present,
            now: self.unit.now(),
        }
    }

    fn updated(&mut self, user: &str, names: &[&str]) -> Result<(), Fault> {
        self.report.updated += 1;
        let message = format!(
            "An import from {} changed: {}.",
            self.request.integration,
            names.join(", ")
        );
        self.log(LogAction::Updated, user, message)
    }

    fn log(&mut self, action: LogAction, user: &str, message: String) -> Result<(), Fault> {
        let (parent, related) = (None, None);
        self.unit.log(&LogEntry {
            action,
            record: user,
            parent,
            related,
            subject: Some(user),
            message,
        })?;
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

    /// Brings the memberships of a person to what the file says, where it says something. Whether any changed, and org.
    fn regroup(&mut self, draft: &Draft, person: &Person) -> Result<(bool, Value), Fault> {
        let user = draft.user.as_str();
        let mut wanted = self.attributes(draft, person)?;
        let (mut changed, mut names) = (false, Vec::new());
        let mut lost = BTreeSet::new();
        for has in directory_sync::memberships(self.unit.connection(), [user])? {
            let is_present =
                self.plan.present.has_dimension(&has.dimension) || self.listed.contains(&has.attribute);
            if wanted.remove(&has.attribute).is_none() && is_present {
                directory_sync::remove_membership(self.unit, user, &has.attribute)?;
                lost.insert(has.dimension);
                changed = true;
            } else {
                names.push((has.dimension, has.name));
            }
        }
        for (id, attribute) in wanted {
            directory_sync::add_membership(self.unit, user, &id)?;
            names.push(attribute.named());
            changed = true;
        }
        for dimension in lost {
            if names.iter().all(|(kept, _)| *kept != dimension) {
                *self
                    .report
                    .emptied
                    .entry(format!("{ORG}.{dimension}"))
                    .or_default() += 1;
            }
        }
        Ok((changed, org(names)))
    }

    /// The identity by which the integration knows a person so far.
    fn identity(&self, draft: &Draft) -> Result<Option<(String, Identity)>, Fault> {
        let key = draft.known_as.as_deref().unwrap_or(&draft.key);
        let now = self.unit.now();
        Ok(directory_sync::identity(
            self.unit.connection(),
            &self.integration,
            key,
            now,
        )?)
    }

    /// Brings the identity of a person to what the file says.
    fn identify(
        &mut self,
        draft: &Draft,
        person: &Person,
        before: Option<(String, Identity)>,
        wanted: &PersonRow,
        org: Value,
    ) -> Result<bool, Fault> {
        let now = self.unit.now();
        // A state the file doesn't give is the API's doing: the source knows nothing of it.
        let is_let_in = is_let_in_again(person, before.as_ref());
        let (state, expires_at) = match (&before, &person.state, person.expires_at) {
            (Some((_, before)), None, None) if !is_let_in => (before.state, before.expires_at),
            (_, None, None) => (State::Active, None),
            _ => (wanted.state, wanted.expires_at),
        };
        let identity = Identity {
            user: draft.user.clone(),
            state,
            expires_at,
            full_name: wanted.full_name.clone(),
            email: wanted.email.clone(),
            org,
        };
        if let Some(dn) = person.other_name().filter(|_| !draft.has_dn) {
            if self.has_names {
                directory_sync::forget_names(self.unit, &self.integration, &draft.user, dn)?;
            }
            directory_sync::call(self.unit, &self.integration, &draft.user, dn)?;
        }
        let mut fields = identity.changes(before.as_ref().map(|(_, before)| before));
        if draft.known_as.is_some() {
            fields = fields.set("vendor_id", &*draft.key);
        }
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
        Ok(true)
    }

    /// Brings the groups of the file to their members among those the file does not have.
    fn others(&mut self) -> Result<(), Fault> {
        let mut changed = BTreeSet::new();
        for (listing, attribute) in self.plan.groups.iter().zip(&self.groups) {
            let wanted: BTreeSet<&String> = listing
                .others
                .iter()
                .filter(|user| !self.plan.has(user))
                .collect();
            for user in name_resolution::members(self.unit.connection(), &attribute.id, &self.integration)? {
                if !self.plan.has(&user) && !wanted.contains(&user) {
                    directory_sync::remove_membership(self.unit, &user, &attribute.id)?;
                    changed.insert(user);
                }
            }
            for user in wanted {
                let has = directory_sync::memberships(self.unit.connection(), [user.as_str()])?;
                if !has.iter().any(|has| has.attribute == attribute.id) {
                    directory_sync::add_membership(self.unit, user, &attribute.id)?;
                    changed.insert(user.clone());
                }
            }
        }
        for user in changed {
            let fields = Fields::new().set("updated_at", self.unit.now());
            self.unit.update(DirectoryUser::TABLE, &user, &fields)?;
            self.unit.mark_memberships_dirty(&user);
            let has = directory_sync::memberships(self.unit.connection(), [user.as_str()])?;
            let org = org(has.into_iter().map(|has| (has.dimension, has.name)).collect());
            directory_sync::describe_identities(self.unit, &user, &self.integration, &org)?;
            self.updated(&user, &["attributes"])?;
        }
        Ok(())
    }
}

/// Whether the source, which kept a person out when the integration heard of them last, does so no more. What an operation of the
/// API did is left alone.
fn is_let_in_again(person: &Person, known: Option<&(String, Identity)>) -> bool {
    let is_silent = (&person.state, person.expires_at) == (&None, None);
    is_silent
        && match known.map(|(_, identity)| identity.state) {
            None | Some(State::Active) => false,
            // An LDIF entry that is staged no more stands among the others now.
            Some(State::Staged) if person.dn.is_some() => true,
            Some(_) => person.is_open,
        }
}

/// The names of attributes by dimension, as records show them (P2).
fn org(mut names: Vec<(String, String)>) -> Value {
    names.sort_unstable();
    let dimensions = names.chunk_by(|one, other| one.0 == other.0);
    let org = dimensions.map(|same| {
        let names: Vec<&str> = same.iter().map(|(_, name)| name.as_str()).collect();
        (same[0].0.clone(), names.join(", ").into())
    });
    Value::Object(org.collect())
}
