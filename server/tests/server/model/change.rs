//! Random changes: what the rulings say comes of each (O1–O9), as the model does it to its rows.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

use super::policy::shown_state;
use super::row::{Directory, Row, get, is_live, text, timestamp};
use super::values::DAY;

/// What has a lifecycle of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    User,
    Account,
    Attribute,
}

impl Kind {
    /// What can be deprecated in its place.
    fn deprecated(self) -> Self {
        match self {
            Self::User | Self::Attribute => Self::Attribute,
            Self::Account => Self::Account,
        }
    }

    pub(super) fn table(self) -> &'static str {
        match self {
            Self::User => "directory_users",
            Self::Account => "workspace_users",
            Self::Attribute => "directory_attributes",
        }
    }
}

/// When a body says that something expires.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expiry {
    /// Microseconds from now.
    at: Option<i64>,
    days: Option<i64>,
    /// Whether what is not given is null rather than absent.
    nulls: bool,
}

/// An operation of the API.
#[derive(Clone, Debug)]
pub(super) enum Operation {
    Activate(Kind),
    Deprecate(Kind, Expiry),
    Restore { roles: bool },
}

/// Something that happens.
#[derive(Clone, Debug)]
pub(super) enum Change {
    Operate(Operation, Index),
    Assign(Index, Index),
    Unassign(Index),
    Report(Index, Option<Index>),
    Belong(Index, Option<Index>),
    Trash(Kind, Index),
    Recover(Kind, Index),
    Stage(Index),
    Later(i64),
    ExpireDue,
}

pub(super) fn operation() -> impl Strategy<Value = (Operation, Index)> {
    let kind = select(&[Kind::User, Kind::Account, Kind::Attribute][..]);
    let deprecated = select(&[Kind::Account, Kind::Attribute, Kind::Attribute][..]);
    let at = prop::option::weighted(0.4, select(&[-DAY, -1, 0, 1, DAY, 3 * DAY][..]));
    let days = prop::option::weighted(0.4, select(&[0_i64, 1, 2, 1095][..]));
    let expiry = (at, days, any::<bool>()).prop_map(|(at, days, nulls)| Expiry { at, days, nulls });
    let operation = prop_oneof![
        2 => kind.prop_map(Operation::Activate),
        3 => (deprecated, expiry).prop_map(|(kind, expiry)| Operation::Deprecate(kind, expiry)),
        2 => any::<bool>().prop_map(|roles| Operation::Restore { roles }),
    ];
    (operation, any::<Index>())
}

fn change() -> impl Strategy<Value = Change> {
    let kind = select(&[Kind::User, Kind::Account, Kind::Attribute][..]);
    let later = select(&[1, 1_000_000, DAY / 2, DAY, 2 * DAY, 40 * DAY][..]);
    prop_oneof![
        8 => operation().prop_map(|(operation, at)| Change::Operate(operation, at)),
        2 => any::<(Index, Index)>().prop_map(|(user, attribute)| Change::Assign(user, attribute)),
        1 => any::<Index>().prop_map(Change::Unassign),
        1 => any::<(Index, Option<Index>)>().prop_map(|(user, manager)| Change::Report(user, manager)),
        1 => any::<(Index, Option<Index>)>().prop_map(|(user, parent)| Change::Belong(user, parent)),
        1 => (kind.clone(), any::<Index>()).prop_map(|(kind, at)| Change::Trash(kind, at)),
        1 => (kind, any::<Index>()).prop_map(|(kind, at)| Change::Recover(kind, at)),
        1 => any::<Index>().prop_map(Change::Stage),
        4 => later.prop_map(Change::Later),
        2 => Just(Change::ExpireDue),
    ]
}

/// A few changes in a row; often those through which a record goes out of use and comes back, with time passing between.
pub(super) fn changes() -> impl Strategy<Value = Vec<Change>> {
    let round = (
        operation(),
        any::<(bool, bool)>(),
        select(&[1, DAY, 3 * DAY][..]),
        operation(),
    );
    let round = round.prop_map(|((leave, at), (settled, wait), later, (back, _))| {
        let leave = match leave {
            Operation::Activate(kind) => Operation::Deprecate(
                kind.deprecated(),
                Expiry {
                    at: None,
                    days: Some(1),
                    nulls: false,
                },
            ),
            other => other,
        };
        let back = match back {
            Operation::Restore { roles } if leave.kind() == Kind::Account => Operation::Restore { roles },
            _ => Operation::Activate(leave.kind()),
        };
        let settled = settled.then_some(Change::ExpireDue);
        let wait = wait.then_some(Change::Later(later));
        let changes = [
            Some(Change::Operate(leave, at)),
            wait,
            settled,
            Some(Change::Operate(back, at)),
        ];
        changes.into_iter().flatten().collect()
    });
    let one = change().prop_map(|change| vec![change]);
    prop::collection::vec(prop_oneof![2 => one, 1 => round], 1..6).prop_map(|changes| changes.concat())
}

/// A row of a table, if it has any: its id.
pub(super) fn picked(directory: &Directory, table: &str, at: &Index) -> Option<String> {
    let rows = directory.rows(table);
    (!rows.is_empty()).then(|| text(at.get(rows), "id").to_owned())
}

/// Why an operation is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    Illegal,
    BadExpiry,
    LastWayIn,
}

impl Expiry {
    /// The body of a request.
    pub(super) fn body(self, now: i64) -> Value {
        let at = self
            .at
            .map(|from_now| json!(super::home::at(now + from_now).to_string()));
        let members = [
            ("expires_at", at),
            ("expires_after_days", self.days.map(|days| json!(days))),
        ];
        let given = members.into_iter().filter_map(|(member, value)| {
            let value = if self.nulls {
                Some(value.unwrap_or(Value::Null))
            } else {
                value
            };
            Some((member.to_owned(), value?))
        });
        Value::Object(given.collect())
    }

    /// The timestamp it means (O4–O6).
    fn timestamp(self, now: i64) -> Result<i64, Refusal> {
        match (self.at, self.days) {
            (Some(_), Some(_)) => Err(Refusal::BadExpiry),
            (Some(from_now), None) => Ok(now + from_now),
            (None, Some(days)) => Ok(now + days * DAY),
            (None, None) => Ok(now),
        }
    }
}

impl Operation {
    pub(super) fn kind(&self) -> Kind {
        match self {
            Self::Activate(kind) | Self::Deprecate(kind, _) => *kind,
            Self::Restore { .. } => Kind::Account,
        }
    }

    /// Whether it takes a workspace user out of use, now or later.
    pub(super) fn shuts_out(&self) -> bool {
        matches!(self, Self::Deprecate(Kind::Account, _))
    }

    /// Does it to the model; gives what the log calls it, or nothing where nothing changes.
    pub(super) fn act(
        &self,
        directory: &mut Directory,
        id: &str,
        now: i64,
    ) -> Result<Option<&'static str>, Refusal> {
        let table = self.kind().table();
        let row = directory
            .row(table, id)
            .expect("it was picked from the rows")
            .clone();
        let state = shown_state(&row, now);
        let live = is_live(&row);
        match self {
            Self::Activate(_) if !live || state == "suspended" => Err(Refusal::Illegal),
            Self::Activate(_) if state == "active" => Ok(None),
            Self::Activate(kind) => {
                enliven(directory, table, id, now);
                if *kind == Kind::Attribute {
                    directory.set(table, id, [("activated_at", json!(now))]);
                }
                Ok(Some("activated"))
            }
            Self::Deprecate(kind, expiry) => {
                let expires_at = expiry.timestamp(now)?;
                if !live || matches!(state, "staged" | "suspended" | "deactivated") {
                    return Err(Refusal::Illegal);
                }
                let state = if expires_at > now { "expiring" } else { "expired" };
                let members = [
                    ("state", json!(state)),
                    ("expires_at", json!(expires_at)),
                    ("updated_at", json!(now)),
                ];
                directory.set(table, id, members);
                if *kind == Kind::Account {
                    let held = |role: &Row| role["is_attached"] == true;
                    roles(
                        directory,
                        id,
                        held,
                        [("is_attached", json!(false)), ("updated_at", json!(now))],
                    );
                }
                Ok(Some("deprecated"))
            }
            Self::Restore { .. } if live && !matches!(state, "deactivated" | "expiring" | "expired") => {
                Err(Refusal::Illegal)
            }
            Self::Restore { roles: again } => {
                enliven(directory, table, id, now);
                // The roles held when deprecated come back, or are given up for good (O8).
                if *again {
                    let kept = |role: &Row| role["is_attached"] == false && is_live(role);
                    roles(
                        directory,
                        id,
                        kept,
                        [("is_attached", json!(true)), ("updated_at", json!(now))],
                    );
                } else {
                    roles(
                        directory,
                        id,
                        is_live,
                        [("is_attached", json!(false)), ("deleted_at", json!(now))],
                    );
                }
                Ok(Some("restored"))
            }
        }
    }
}

/// Active, with neither expiry nor deletion (O2, O7).
fn enliven(directory: &mut Directory, table: &str, id: &str, now: i64) {
    let none =
        ["expires_at", "deleted_at", "expired_at", "deactivated_at"].map(|member| (member, Value::Null));
    directory.set(table, id, none);
    directory.set(
        table,
        id,
        [("state", json!("active")), ("updated_at", json!(now))],
    );
}

fn roles<const N: usize>(
    directory: &mut Directory,
    user: &str,
    which: impl Fn(&Row) -> bool,
    members: [(&'static str, Value); N],
) {
    let items = directory.tables.get_mut("workspace_items").into_iter().flatten();
    let roles = items.filter(|item| text(item, "kind") == "role" && text(item, "workspace_user_id") == user);
    roles
        .filter(|role| which(role))
        .for_each(|role| role.extend(members.clone()));
}

/// Writes down what time has done (O1); gives the records that have expired.
pub(super) fn expire_due(directory: &mut Directory, now: i64) -> Vec<String> {
    let mut expired = Vec::new();
    for table in [
        "directory_users",
        "workspace_users",
        "directory_attributes",
        "policy_rules",
    ] {
        for row in directory.tables.get_mut(table).into_iter().flatten() {
            if text(row, "state") == "expiring"
                && timestamp(row, "expires_at").is_some_and(|expiry| expiry <= now)
            {
                let expires_at = get(row, "expires_at").clone();
                row.extend([
                    ("state", json!("expired")),
                    ("updated_at", json!(now)),
                    ("expired_at", expires_at),
                ]);
                expired.push(text(row, "id").to_owned());
            }
        }
    }
    expired
}
