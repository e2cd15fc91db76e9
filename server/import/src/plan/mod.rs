//! The first of two readings: who is in the file, who of them the store knows, and what has to be refused.
//!
//! Whatever can be wrong is found here, before anything is written. Held in memory are the keys, emails and references
//! of the file, never its people.

mod dependents;
mod managers;

use std::collections::{BTreeMap, HashMap};
use std::io::BufRead;
use std::sync::Arc;

use rollcall::model::DirectoryUserId;
use rollcall_store::change::unit::Unit;
use rollcall_store::fold::{identity, letter_case};
use rollcall_store::people::directory_sync;

use super::request::{Accepts, Fault, Request};
use super::store_lookup::{StoreLookup, resolve_state};
use super::{
    Entry, Format, Group, Kind, PassedOver, Person, PresentColumns, Reader, Refusal, check, username_of,
};

/// What is known of a file after the first reading.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// The people, in the order of the file.
    pub(super) drafts: Vec<Draft>,
    /// The groups, those of one name as one.
    pub(super) groups: Vec<Listing>,
    /// What the file has a place for.
    pub(super) present: PresentColumns,
    /// What is refused, by line.
    pub(super) refused: Vec<Refusal>,
    /// What a person should know although it stops nothing, by line.
    pub(super) notes: Vec<String>,
    /// What of the file is not read.
    pub(super) passed_over: PassedOver,
    /// People who are soft-deleted in the store.
    pub(super) trashed: u64,
    /// How many people are known by each kind of key.
    pub(super) known_by: BTreeMap<&'static str, u64>,
    /// The domain of the first email.
    pub(super) domain: Option<String>,
    by_key: HashMap<Arc<str>, usize>,
    by_email: HashMap<String, usize>,
    by_user: HashMap<String, usize>,
    /// Of LDIF alone, for `memberUid`; none where two people have the username.
    by_username: HashMap<String, Option<usize>>,
    by_group: HashMap<String, usize>,
}

/// A person of the file.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) line: u64,
    pub(super) key: Arc<str>,
    /// The key by which the store knows the user so far, if it is another one.
    pub(super) known_as: Option<String>,
    /// Whether the store has the DN of the person beside the key.
    pub(super) has_dn: bool,
    /// Whether the store has the email of the person for this user.
    has_email: bool,
    /// The user they are; empty for a new one until [`Plan::number`].
    pub(super) user: String,
    pub(super) status: DraftStatus,
    pub(super) groups: Vec<usize>,
    manager: Manager,
}

/// How a person of the file stands to the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DraftStatus {
    New,
    InStore,
    /// Soft-deleted in the store: left as they are.
    Trashed,
    /// Refused; the flag says whether the store knows them.
    Refused(bool),
}

/// Why a person is none of those whom the file may have.
fn unaccepted(accepts: Accepts, status: DraftStatus) -> Option<&'static str> {
    match (accepts, status) {
        (Accepts::New, DraftStatus::InStore) => Some("is in the directory already"),
        (Accepts::New, DraftStatus::Trashed) => Some("is in the directory already, soft-deleted"),
        (Accepts::Known, DraftStatus::New) => Some("is not in the directory"),
        (Accepts::Known, DraftStatus::Trashed) => Some("is soft-deleted"),
        _ => None,
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Manager {
    None,
    Named(String),
    /// A person of the file, by the key.
    Draft(usize),
    /// A person of the file, by the email that the file gives them.
    Addressed(usize),
    User(String),
}

/// A group of the file.
#[derive(Debug)]
pub(super) struct Listing {
    pub(super) name: String,
    /// Members whom the store knows and the file does not have.
    pub(super) others: Vec<String>,
}

impl Plan {
    /// Reads the file to its end, or to where it can't be read any further.
    pub(super) fn read<R: BufRead>(
        unit: &mut Unit<'_>,
        file: R,
        request: &Request<'_>,
        integration: Option<&str>,
    ) -> Result<Self, Fault> {
        let store = StoreLookup {
            connection: unit.connection(),
            integration,
            now: unit.now(),
        };
        let (mut plan, mut emails, mut groups) = (Self::default(), Vec::new(), Vec::new());
        let mut reader = Reader::new(request.format, file, request.options.clone());
        for entry in reader.by_ref() {
            match entry {
                Err(refusal) => plan.refused.push(refusal),
                Ok(Entry {
                    line,
                    kind: Kind::Group(group),
                }) => groups.push((line, group)),
                Ok(Entry {
                    line,
                    kind: Kind::Person(person),
                }) => {
                    if let (Format::Ldif, Some(username)) = (request.format, &person.username) {
                        let same = plan
                            .by_username
                            .entry(identity(username))
                            .or_insert(Some(plan.drafts.len()));
                        // A username that two people have names neither.
                        *same = same.filter(|first| *first == plan.drafts.len());
                    }
                    emails.extend(
                        plan.add(&store, line, &person, request.accepts)?
                            .map(|owner| (plan.drafts.len() - 1, owner)),
                    );
                }
            }
        }
        plan.present = reader.present_columns().clone();
        plan.passed_over = reader.passed_over();
        plan.find_managers(&store)?;
        plan.refuse_dependents(emails);
        plan.number(unit);
        for (line, group) in groups {
            plan.list(&store, line, group)?;
        }
        plan.refused.sort_by_key(|refusal| refusal.line);
        Ok(plan)
    }

    /// The id of the manager a person is to have.
    pub(super) fn manager<'p>(&'p self, draft: &'p Draft) -> Option<&'p str> {
        match &draft.manager {
            Manager::Draft(place) | Manager::Addressed(place) => Some(&self.drafts[*place].user),
            Manager::User(user) => Some(user),
            Manager::None | Manager::Named(_) => None,
        }
    }

    /// Whether the file has this user, be it that they are refused.
    pub(super) fn has(&self, user: &str) -> bool {
        self.by_user.contains_key(user)
    }

    /// How many people are to be added.
    pub(super) fn new_people(&self) -> usize {
        self.drafts
            .iter()
            .filter(|draft| draft.status == DraftStatus::New)
            .count()
    }

    /// Whether there is nothing to write.
    pub(super) fn is_empty(&self) -> bool {
        let is_written = |draft: &Draft| matches!(draft.status, DraftStatus::New | DraftStatus::InStore);
        self.groups.is_empty() && !self.drafts.iter().any(is_written)
    }

    /// Takes a person in; gives the user outside this integration's hands who has their email already.
    fn add(
        &mut self,
        store: &StoreLookup<'_>,
        line: u64,
        person: &Person,
        accepts: Accepts,
    ) -> Result<Option<String>, Fault> {
        let place = self.drafts.len();
        let known = store.person(person)?;
        let status = known.as_ref().map_or(DraftStatus::New, |known| {
            if known.found.is_trashed {
                DraftStatus::Trashed
            } else {
                DraftStatus::InStore
            }
        });
        let (user, known_as, has_dn) = known.map_or_else(Default::default, |known| {
            (known.found.id, known.known_as, known.has_dn)
        });
        let manager = person.manager.clone().map_or(Manager::None, Manager::Named);
        let key: Arc<str> = person.key.as_str().into();
        let email = identity(&person.email);
        let repeated = self.repeated(person, &user);
        let refusal = match unaccepted(accepts, status)
            .map(str::to_owned)
            .or(repeated.clone())
        {
            None => self.objection(store, person, (&user, &email))?,
            refusal => refusal,
        };
        // A second row of a user says nothing of the user: nobody who is named by it is meant.
        let (user, status) = match repeated {
            Some(_) => (String::new(), DraftStatus::New),
            None => (user, status),
        };
        *self.known_by.entry(person.identified_by).or_default() += 1;
        let dn = person.other_name().map(Arc::from);
        for name in [Some(Arc::clone(&key)), dn].into_iter().flatten() {
            self.by_key.entry(name).or_insert(place);
        }
        if !user.is_empty() {
            self.by_user.entry(user.clone()).or_insert(place);
        }
        let owners = match status {
            DraftStatus::Trashed => Vec::new(),
            _ => store.with_email(&person.email)?,
        };
        let has_email = owners.contains(&user);
        let owner = owners.into_iter().find(|owner| *owner != user);
        self.by_email.entry(email).or_insert(place);
        self.drafts.push(Draft {
            line,
            key,
            known_as,
            has_dn,
            has_email,
            user,
            status,
            groups: Vec::new(),
            manager,
        });
        match (refusal, status) {
            (Some(reason), _) => self.refuse(place, reason),
            (None, DraftStatus::Trashed) => {
                self.trashed += 1;
                let key = check::label(&person.key);
                self.notes.push(format!(
                    "line {line}: {key}: is soft-deleted in the store and left as it is"
                ));
            }
            (None, _) => {
                let domain = || person.email.rsplit_once('@').map(|(_, domain)| domain.to_owned());
                self.domain = self.domain.take().or_else(domain);
            }
        }
        Ok(owner)
    }

    /// The reason to refuse a second row of a person: the line of the first.
    fn repeated(&self, person: &Person, user: &str) -> Option<String> {
        let line = |place: &usize| self.drafts[*place].line;
        let mut names = [Some(person.key.as_str()), person.dn.as_deref()]
            .into_iter()
            .flatten();
        let entry = names.find_map(|name| self.by_key.get(name));
        let entry = entry.map(|first| format!("is the same entry as on line {}", line(first)));
        let user = self.by_user.get(user);
        entry.or_else(|| user.map(|first| format!("is the same user as on line {}", line(first))))
    }

    /// What is wrong with a person, seen from what came before.
    fn objection(
        &self,
        store: &StoreLookup<'_>,
        person: &Person,
        (user, email): (&str, &str),
    ) -> Result<Option<String>, Fault> {
        if let Some(first) = self.by_email.get(email) {
            let line = self.drafts[*first].line;
            return Ok(Some(format!("email: is also that of line {line}")));
        }
        let kept = match (&person.state, person.expires_at, user) {
            (Some(_), None, user) if !user.is_empty() => {
                directory_sync::kept(store.connection, user, store.now)?
            }
            _ => None,
        };
        Ok(resolve_state(person, kept.as_ref(), true, store.now).err())
    }

    fn refuse(&mut self, place: usize, reason: impl AsRef<str>) {
        let draft = &mut self.drafts[place];
        let is_known = match draft.status {
            DraftStatus::New => false,
            DraftStatus::InStore | DraftStatus::Trashed => true,
            DraftStatus::Refused(_) => return,
        };
        draft.status = DraftStatus::Refused(is_known);
        self.refused.push(Refusal::new(draft.line, &draft.key, reason));
    }

    /// Gives new people their ids, in the order of the file.
    fn number(&mut self, unit: &mut Unit<'_>) {
        let now = unit.now();
        for (place, draft) in self.drafts.iter_mut().enumerate() {
            if draft.status == DraftStatus::New {
                draft.user = unit.ids.id::<DirectoryUserId>(now);
                self.by_user.insert(draft.user.clone(), place);
            }
        }
    }

    fn list(&mut self, store: &StoreLookup<'_>, line: u64, group: Group) -> Result<(), Fault> {
        let next = self.groups.len();
        let place = *self.by_group.entry(letter_case(&group.name)).or_insert(next);
        if place == next {
            self.groups.push(Listing {
                name: group.name.clone(),
                others: Vec::new(),
            });
        }
        let (mut unknown, mut example) = (0_u64, String::new());
        for member in group.members {
            let username = username_of(&member);
            let named =
                username.and_then(|username| self.by_username.get(&identity(username)).copied().flatten());
            match self.by_key.get(member.as_str()).copied().or(named) {
                Some(draft) if !matches!(self.drafts[draft].status, DraftStatus::Refused(false)) => {
                    let groups = &mut self.drafts[draft].groups;
                    if !groups.contains(&place) {
                        groups.push(place);
                    }
                    continue;
                }
                Some(_) => {}
                None => {
                    let found = store.member(&member, username)?;
                    if let Some(user) = found {
                        self.groups[place].others.push(user);
                        continue;
                    }
                }
            }
            unknown += 1;
            if example.is_empty() {
                example = check::label(&member);
            }
        }
        if unknown > 0 {
            let name = check::label(&group.name);
            let note = format!(
                "line {line}: {name}: {unknown} of its members are no people of the directory, {example} for one"
            );
            self.notes.push(note);
        }
        Ok(())
    }
}
