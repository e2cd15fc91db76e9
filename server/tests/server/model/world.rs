//! A store and its model side by side: whatever is done to one is done to the other, then both must show the same.

use std::collections::BTreeMap;

use proptest::sample::Index;
use rollcall::http::{Conditions, ETag, Json};
use rollcall::lists::{DirectoryAttributes, DirectoryUsers, WorkspaceUsers};
use rollcall::record::Record;
use rollcall_store::change::expiry::expire_due;
use rollcall_store::change::idempotency::Preconditions;
use rollcall_store::change::operations::{activate, deprecate, restore};
use rollcall_store::{Error, Result};
use serde_json::{Value, json};

use super::change::{self, Change, Kind, Operation, Refusal, picked};
use super::compare::{Verdict, given, logs, record, same, whole};
use super::content::shows;
use super::every_list;
use super::home::{Home, Way};
use super::policy::shown_state;
use super::row::{Directory, Row, get, is_live, text, timestamp};
use super::values::NOW;
use super::view::{Given, Pair, View, pair};

/// Both sides.
pub(super) struct World {
    pub(super) home: Home,
    pub(super) directory: Directory,
    given: Given,
    /// When each pair of a user and a rule entered the manifest (P3).
    entered: BTreeMap<Pair, i64>,
    /// The ids of the tokens that may restore workspace users.
    pub(super) restoring: Vec<String>,
    pub(super) now: i64,
}

/// What a log entry must say: what was done, to which record, by whom; what the record belongs to, and whom it is about.
type Entry = [Value; 5];

/// The members of an entry, in its order.
const SAID: [&str; 5] = ["action", "record_id", "actor_id", "parent_id", "subject_id"];

impl World {
    pub(super) fn of(directory: &Directory, way: Way) -> std::result::Result<Self, String> {
        let home = Home::of(directory, way);
        let mut world = Self {
            home,
            directory: directory.clone(),
            given: Given::new(),
            entered: BTreeMap::new(),
            restoring: Vec::new(),
            now: NOW,
        };
        world.enter(&[]);
        world.agree(&[])?;
        Ok(world)
    }

    /// What must be shown now.
    pub(super) fn view(&self) -> View {
        View::of(&self.directory, &self.given, self.now)
    }

    /// The workspace user in whose name everything is done.
    pub(super) fn actor(&self) -> Option<String> {
        self.directory
            .rows("workspace_users")
            .first()
            .map(|row| text(row, "id").to_owned())
    }

    fn manifest(&self) -> Vec<Pair> {
        self.view().rows("manifest").iter().map(pair).collect()
    }

    /// After a write: who was not in the manifest just before it has entered now.
    fn enter(&mut self, before: &[Pair]) {
        let entered = std::mem::take(&mut self.entered);
        let since = |pair: &Pair| {
            entered
                .get(pair)
                .filter(|_| before.contains(pair))
                .copied()
                .unwrap_or(self.now)
        };
        self.entered = self
            .manifest()
            .into_iter()
            .map(|pair| (pair.clone(), since(&pair)))
            .collect();
    }

    /// Both must show the same; `logged` is what the log must have gained.
    pub(super) fn agree(&mut self, logged: &[Entry]) -> Verdict {
        let actual = logs(&self.home)?;
        let known = self.directory.rows("workspace_logs");
        let new: Vec<Row> = actual
            .into_iter()
            .filter(|log| known.iter().all(|known| known["id"] != log["id"]))
            .collect();
        let mut gained: Vec<Entry> = new
            .iter()
            .map(|log| SAID.map(|member| get(log, member).clone()))
            .collect();
        let mut wanted = logged.to_vec();
        gained.sort_by_key(|entry| format!("{entry:?}"));
        wanted.sort_by_key(|entry| format!("{entry:?}"));
        same("new log entries", &gained, &wanted)?;
        let late = new.iter().find(|log| get(log, "created_at") != &json!(self.now));
        same("a log entry of another timestamp", &late, &None)?;
        self.directory
            .tables
            .entry("workspace_logs")
            .or_default()
            .extend(new);
        self.given = given(&self.home, &self.view())?;
        for (pair, timestamp) in &self.entered {
            let shown = self.given.get(pair).map(|given| get(given, "activated_at"));
            if let Some(shown) = shown {
                same(&format!("activated_at of {pair:?}"), shown, &json!(timestamp))?;
            }
        }
        let view = self.view();
        for pair in view.rows("staged").iter().map(pair) {
            let shown = self.given.get(&pair).map(|given| get(given, "activated_at"));
            same(
                &format!("activated_at of {pair:?}, who is staged"),
                &shown,
                &Some(&Value::Null),
            )?;
        }
        every_list!(whole(&self.home, &view));
        Ok(())
    }

    /// Does something to both, and compares.
    pub(super) fn step(&mut self, change: &Change) -> Verdict {
        let before = self.manifest();
        let logged = match change {
            Change::Operate(operation, at) => {
                return self.operate(operation, at, &terms("one", None, 0)).map(drop);
            }
            Change::Later(micros) => return self.wait(*micros),
            Change::ExpireDue => self.expire_due()?,
            other => {
                self.write(other)?;
                Vec::new()
            }
        };
        self.enter(&before);
        self.agree(&logged)
    }

    /// Lets time pass. Whom it takes out of the manifest is out of it, though nothing is written.
    pub(super) fn wait(&mut self, micros: i64) -> Verdict {
        self.now += micros;
        self.home.set_clock(self.now);
        self.agree(&[])
    }

    /// Does an operation to both, and compares; gives the answer, or none where both refuse.
    pub(super) fn operate(&mut self, operation: &Operation, at: &Index, terms: &Preconditions) -> Outcome {
        let Some(id) = picked(&self.directory, operation.kind().table(), at) else {
            return Ok(None);
        };
        let before = self.manifest();
        let mut after = self.directory.clone();
        let expected = operation.act(&mut after, &id, self.now);
        let expected = match expected {
            Ok(_) if operation.shuts_out() && self.is_last_way_in(&id) => Err(Refusal::LastWayIn),
            expected => expected,
        };
        match (expected, self.ask(operation, &id, terms)) {
            (Ok(logged), Ok(answer)) => {
                self.directory = after;
                self.enter(&before);
                let entry = logged.map(|action| self.entry(action, &id, json!(self.actor())));
                let logged: Vec<_> = entry.into_iter().collect();
                self.agree(&logged)?;
                Ok(Some(answer))
            }
            (Err(Refusal::Illegal), Err(Error::Illegal(_)))
            | (Err(Refusal::BadExpiry), Err(Error::BadExpiry(_)))
            | (Err(Refusal::LastWayIn), Err(Error::LastWayIn)) => {
                self.agree(&[])?;
                Ok(None)
            }
            (expected, answer) => Err(format!(
                "{operation:?} of {id}\n  store: {answer:?}\n  model: {expected:?}"
            )),
        }
    }

    /// Whether this workspace user may restore others now, and nobody who stays may (O9).
    fn is_last_way_in(&self, id: &str) -> bool {
        let tokens = self.restoring.iter();
        let tokens = tokens.filter_map(|token| self.directory.row("workspace_items", token));
        let in_use = tokens.filter(|token| {
            is_live(token) && timestamp(token, "expires_at").is_some_and(|end| end > self.now)
        });
        let holders = in_use.map(|token| text(token, "workspace_user_id"));
        let holders = holders.filter_map(|owner| self.directory.row("workspace_users", owner));
        let state = |owner: &Row| shown_state(owner, self.now).to_owned();
        let (own, others): (Vec<_>, Vec<_>) = holders
            .filter(|owner| is_live(owner))
            .partition(|owner| text(owner, "id") == id);
        own.iter()
            .any(|owner| matches!(state(owner).as_str(), "active" | "expiring"))
            && others.iter().all(|owner| state(owner) != "active")
    }

    /// Does an operation to the store alone.
    pub(super) fn ask(&self, operation: &Operation, id: &str, terms: &Preconditions) -> Result<Value> {
        let (operation, id, terms, now) = (operation.clone(), id.to_owned(), terms.clone(), self.now);
        self.home.write(self.actor(), move |unit| {
            let body = |expiry: change::Expiry| serde_json::from_value(expiry.body(now)).unwrap();
            Ok(match operation {
                Operation::Activate(Kind::User) => model_of(activate::<DirectoryUsers>(unit, &terms, &id)?),
                Operation::Activate(Kind::Account) => {
                    model_of(activate::<WorkspaceUsers>(unit, &terms, &id)?)
                }
                Operation::Activate(Kind::Attribute) => {
                    model_of(activate::<DirectoryAttributes>(unit, &terms, &id)?)
                }
                Operation::Deprecate(Kind::Account, expiry) => {
                    model_of(deprecate::<WorkspaceUsers>(unit, &terms, &id, body(expiry))?)
                }
                Operation::Deprecate(_, expiry) => {
                    model_of(deprecate::<DirectoryAttributes>(unit, &terms, &id, body(expiry))?)
                }
                Operation::Restore { roles } => model_of(restore(unit, &terms, &id, roles)?),
            })
        })
    }

    /// An answer must show what the model shows.
    pub(super) fn shows(&self, kind: Kind, answer: &Value) -> Verdict {
        let id = answer["id"].as_str().unwrap_or_default();
        let view = self.view();
        let row = view.rows(kind.table()).iter().find(|row| text(row, "id") == id);
        shows(&view, kind.table(), row.ok_or("no such record")?, answer)
    }

    /// The record as the store shows it, and its entity tag.
    pub(super) fn record(&self, kind: Kind, id: &str) -> std::result::Result<(Value, ETag), String> {
        match kind {
            Kind::User => record::<DirectoryUsers>(&self.home, id),
            Kind::Account => record::<WorkspaceUsers>(&self.home, id),
            Kind::Attribute => record::<DirectoryAttributes>(&self.home, id),
        }
    }

    fn expire_due(&mut self) -> std::result::Result<Vec<Entry>, String> {
        loop {
            let expired = self.home.write(None, expire_due).map_err(|why| why.to_string())?;
            if expired == 0 {
                break;
            }
        }
        let expired = change::expire_due(&mut self.directory, self.now);
        Ok(expired
            .into_iter()
            .map(|id| self.entry("expired", &id, Value::Null))
            .collect())
    }

    /// What the log must say of a change of state, whatever caller made it.
    fn entry(&self, action: &str, id: &str, actor: Value) -> Entry {
        let member = |table: &str, member: &str| {
            let row = self.directory.row(table, id);
            row.map_or(Value::Null, |row| get(row, member).clone())
        };
        let subject = match self.directory.row("directory_users", id) {
            Some(_) => json!(id),
            None => member("workspace_users", "directory_user_id"),
        };
        let parent = match self.directory.row("policy_rules", id) {
            Some(_) => member("policy_rules", "ruleset_id"),
            None => member("directory_attributes", "directory_dimension_id"),
        };
        [json!(action), json!(id), actor, parent, subject]
    }
}

/// What an answer says, read as its model.
fn model_of<R: Record>(answer: Json<R>) -> Value {
    json!(answer.read().expect("an operation answers its record"))
}

/// The record answered, if the operation was not refused.
type Outcome = std::result::Result<Option<Value>, String>;

/// The terms of a request: who sends it, its key, and what distinguishes it from another under that key.
pub(super) fn terms(token: &str, key: Option<&str>, request: u8) -> Preconditions {
    let conditions = Conditions {
        if_match: None,
        idempotency_key: key.map(str::to_owned),
        fingerprint: [request; 32],
    };
    Preconditions {
        token: token.to_owned(),
        conditions,
    }
}
