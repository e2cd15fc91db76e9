//! The records that a target shows when it is asked in a plain way. What it always shows is its data: another email is no
//! violation as long as every other answer goes with it.

use std::mem::discriminant;

use serde_json::Value;

use super::answer::{Answer, answer, canonical};
use super::invariant;
use super::question::{Look, Question};
use crate::Model;
use crate::model::{Rows, USERS};
use crate::mutation::Sample;

/// The rows of the sample, with what a target shows of them.
pub(super) struct Shown {
    pub(super) rows: Rows,
    /// Whether they are those of the sample.
    pub(super) is_sample: bool,
}

impl Shown {
    /// What a target shows, or what makes a record wrong whatever it says of whom.
    pub(super) fn by(target: &Model) -> Result<Self, String> {
        let mut shown = Self {
            rows: Sample::get().rows.clone(),
            is_sample: true,
        };
        let Some(records) = all(target, None) else {
            return Err("the list of all users cannot be read".to_owned());
        };
        for record in records {
            shown.user(record)?;
        }
        for relation in &Sample::get().list.relations {
            let joined = relation.join.as_ref().and_then(|join| join.theirs.last());
            for record in all(target, Some(&relation.name)).into_iter().flatten() {
                match &record["included"][&relation.member] {
                    Value::Array(related) => related.iter().for_each(|one| shown.related(one, joined)),
                    one => shown.related(one, joined),
                }
            }
        }
        Ok(shown)
    }

    fn user(&mut self, record: Value) -> Result<(), String> {
        let mut rows = self.rows.of(USERS).iter_mut();
        let Some(row) = rows.find(|row| record["id"] == row.record["id"]) else {
            return Err(format!("an unknown record is listed: {}", record["id"]));
        };
        if canonical(&row.record) != canonical(&record) {
            if let Some(broken) = invariant::broken(&row.record, &record) {
                return Err(format!("{}: {broken}", row.id()));
            }
            self.is_sample = false;
            row.record = record;
        }
        Ok(())
    }

    /// Takes over what is shown of a related record that is no user. Its id and what joins it are proved by other answers.
    fn related(&mut self, shown: &Value, joined: Option<&str>) {
        let (Some(id), Some(members)) = (shown["id"].as_str(), shown.as_object()) else {
            return;
        };
        let is_account = !self.rows.others.contains_key(id);
        let stored = if is_account {
            let mut accounts = self.rows.of("/workspace/users").iter_mut();
            accounts.find(|row| row.id() == id).map(|row| &mut row.record)
        } else {
            self.rows.others.get_mut(id)
        };
        let Some(stored) = stored else {
            return;
        };
        for (name, value) in members {
            let is_proved = name == "id" || Some(name.as_str()) == joined || is_account && name == "state";
            let is_alike =
                discriminant(value) == discriminant(&stored[name]) && (!value.is_number() || value.is_u64());
            if !is_proved && is_alike && stored[name] != *value {
                stored[name] = value.clone();
                self.is_sample = false;
            }
        }
    }
}

/// All users in a plain order, with a relation.
fn all(target: &Model, relation: Option<&str>) -> Option<Vec<Value>> {
    let mut query = vec![("filter[trashed]", "with"), ("sort", "id")];
    query.extend(relation.map(|name| ("include", name)));
    match answer(target, &Question::of(USERS, &query, Look::Walk)) {
        Answer::List { records, .. } => Some(records),
        Answer::Refused | Answer::Broken(_) => None,
    }
}
