//! What can be written: restoring and deprecating, §4.2 and §4.3.

use rollcall_contract::Operation;
use serde_json::{Map, Value, json};

use super::super::Asked;
use super::super::percent_decoded;
use super::super::reply::Reply;
use super::find::Refused;
use super::table::Table;
use super::timestamp::{from_now, parse, print};
use super::{CONTRACT, Model, Row, TABLES};

const DAY: i64 = 86_400;
const MOST_DAYS: i64 = 1095;

/// A write that was judged and not yet carried out.
#[derive(Clone)]
pub struct Write {
    /// The operation, by its `operationId`.
    pub operation: &'static str,
    /// The id of the record to write to.
    pub id: String,
    /// The body; empty if it was none.
    pub body: Map<String, Value>,
    /// The status it is refused with; none if it is carried out.
    pub refused: Option<u16>,
    /// Whether it is carried out although it is refused.
    pub stores_anyway: bool,
    /// The row as the write leaves it, also if it is refused; none if there is no such record.
    pub after: Option<Row>,
}

impl Model {
    /// Judges a write and carries it out.
    pub(super) fn write(&self, asked: &mut Asked) -> Result<Reply, Refused> {
        let (operation, id) = operation(&asked.path).ok_or(Refused(404))?;
        let activates = operation.id.starts_with("activate");
        if activates && !self.hooks.settings.activates {
            return Err(Refused(404));
        }
        if let Some(status) = self
            .hooks
            .settings
            .without_extensions
            .filter(|_| operation.origin.extension)
        {
            return Err(Refused(status));
        }
        let schema = operation.answer.schema.as_deref();
        let mut tables = TABLES.iter();
        let table = tables
            .find(|table| Some(table.list.record.as_str()) == schema)
            .ok_or(Refused(404))?;
        let mut body = asked.body.clone();
        for hook in &self.hooks.body {
            hook(asked, &mut body);
        }
        let before = self
            .rows
            .read()
            .unwrap()
            .row(&id)
            .filter(|_| id.starts_with(prefix(table)))
            .cloned();
        let judged = judge(operation, asked, before.as_ref(), body.as_ref());
        let body = body
            .as_ref()
            .and_then(Value::as_object)
            .cloned()
            .unwrap_or_default();
        let mut write = Write {
            operation: &operation.id,
            after: before.map(|row| after(operation, row, &body)),
            id,
            body,
            refused: judged.err(),
            stores_anyway: false,
        };
        for hook in &self.hooks.write {
            hook(asked, &mut write);
        }
        self.carry_out(table, asked, write)
    }

    fn carry_out(&self, table: &Table, asked: &Asked, write: Write) -> Result<Reply, Refused> {
        let mut stored = self.rows.write().unwrap();
        if let (Some(after), true) = (&write.after, write.refused.is_none() || write.stores_anyway)
            && let Some(index) = stored.position(&write.id)
        {
            stored.change(table, index, |row| *row = after.clone());
        }
        if let Some(status) = write.refused {
            return Err(Refused(status));
        }
        let row = stored.row(&write.id).ok_or(Refused(404))?;
        let text = self.text(table, &stored, asked, &[], row);
        Ok(Reply::written(self.hooks.settings.written.unwrap_or(200), text))
    }
}

/// The write under a path, and the id in the path.
fn operation(path: &str) -> Option<(&'static Operation, String)> {
    let (rest, verb) = path.rsplit_once('/')?;
    let (list, id) = rest.rsplit_once('/')?;
    let id = percent_decoded(id);
    let named = |operation: &&Operation| {
        let (own, last) = operation.path.rsplit_once('/').unwrap_or_default();
        let own = own.rsplit_once("/{").map(|(own, _)| own);
        last == verb && own == Some(list)
    };
    let mut operations = CONTRACT.operations.iter();
    operations.find(named).map(|operation| (operation, id))
}

fn prefix(table: &Table) -> &'static str {
    CONTRACT.id_prefix(&table.list.record).unwrap_or_default()
}

/// Whether a write may be carried out, else the status it is refused with.
fn judge(operation: &Operation, asked: &Asked, row: Option<&Row>, body: Option<&Value>) -> Result<(), u16> {
    if operation.id.starts_with("activate") {
        return row.map(drop).ok_or(404);
    }
    if asked
        .content_type
        .as_deref()
        .is_none_or(|kind| !kind.starts_with("application/json"))
    {
        return Err(415);
    }
    let body = body.ok_or(400u16)?;
    let members = body.as_object().ok_or(422u16)?;
    let row = row.ok_or(404u16)?;
    let state = row.text_of("state").unwrap_or_default();
    match operation.id.starts_with("restore") {
        true => {
            if members.len() != 1 || !members.get("roles").is_some_and(Value::is_boolean) {
                return Err(422);
            }
            let is_deprecated = row.is_trashed() || ["deactivated", "expiring", "expired"].contains(&state);
            if is_deprecated { Ok(()) } else { Err(409) }
        }
        false => {
            expiry(members).ok_or(422u16)?;
            if row.is_trashed() || state == "deactivated" {
                Err(409)
            } else {
                Ok(())
            }
        }
    }
}

/// When a body says that a record expires, in microseconds; none if it says nothing valid.
fn expiry(members: &Map<String, Value>) -> Option<i64> {
    let known = |name: &String| ["expires_at", "expires_after_days"].contains(&name.as_str());
    if !members.keys().all(known) {
        return None;
    }
    let given = |name: &str| members.get(name).filter(|value| !value.is_null());
    match (given("expires_at"), given("expires_after_days")) {
        (Some(_), Some(_)) => None,
        (Some(timestamp), None) => date_time(timestamp.as_str()?),
        (None, Some(days)) => {
            let days = days.as_i64().filter(|days| (0..=MOST_DAYS).contains(days))?;
            parse(&from_now(days * DAY))
        }
        (None, None) => parse(&from_now(0)),
    }
}

/// A date-time with its offset, in microseconds.
fn date_time(text: &str) -> Option<i64> {
    let timestamp: jiff::Timestamp = text.parse().ok()?;
    text.contains(['T', 't']).then(|| timestamp.as_microsecond())
}

/// The row as a write leaves it, as far as its body makes sense.
fn after(operation: &Operation, mut row: Row, body: &Map<String, Value>) -> Row {
    let roles = "kept_roles";
    let record = &mut row.record;
    record["timestamp"]["updated_at"] = json!(from_now(0));
    if operation.id.starts_with("activate") {
        record["state"] = json!("active");
        record["timestamp"]["expires_at"] = Value::Null;
        return row;
    }
    if operation.id.starts_with("restore") {
        record["state"] = json!("active");
        record["timestamp"]["expires_at"] = Value::Null;
        record["timestamp"]["deleted_at"] = Value::Null;
        let kept = row.hidden.remove(roles).unwrap_or_default();
        if let (Some(kept), Some(Value::Bool(true))) = (kept.first(), body.get("roles")) {
            record["count"]["workspace_roles"] = json!(kept.parse::<u64>().unwrap_or_default());
        }
        return row;
    }
    let days = || {
        let days = body.get("expires_after_days").and_then(Value::as_f64);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "days are few, or they are refused"
        )]
        days.and_then(|days| parse(&from_now((days.clamp(-9e4, 9e4) * 86_400.0) as i64)))
    };
    let at = body.get("expires_at").and_then(Value::as_str).and_then(parse);
    let now = || jiff::Timestamp::now().as_microsecond();
    let expires = expiry(body).or(at).or_else(days).unwrap_or_else(now);
    // Read only now: what expires at once has expired.
    let now = now();
    record["timestamp"]["expires_at"] = json!(print(jiff::Timestamp::from_microsecond(expires).unwrap()));
    record["state"] = json!(if expires > now { "expiring" } else { "expired" });
    if let Some(count) = record["count"]["workspace_roles"].as_u64() {
        record["count"]["workspace_roles"] = json!(0);
        row.hidden.insert(roles, vec![count.to_string()]);
    }
    row
}
