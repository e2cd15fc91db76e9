//! How access follows from the directory (P1, P3, P5): standings from rules. Derived here, typed in nowhere.

use std::collections::{BTreeSet, HashMap};

use rollcall::Timestamp;
use rollcall::model::{PolicyUser, PolicyUserId};

use crate::change::chunks::{CHUNK, each_chunk};
use crate::change::fields::Fields;
use crate::change::unit::Unit;
use crate::dialect::{Cells, Connection};
use crate::error::Result;
use crate::lifecycle::{ACTIVE, EXPIRED, EXPIRING, shown_state};
use crate::sql::{Sql, Word};
use crate::tables::state::{MANIFEST, QUALIFIED, STAGED};
use crate::tables::table::Stored;

const POLICY_USERS: &str = <PolicyUser as Stored>::TABLE;

/// When the first of the manifest entries that are not recorded yet lapses, or has lapsed (P5).
pub fn next_lapse(connection: &Connection) -> Result<Option<Timestamp>> {
    let mut sql = Sql::new("SELECT min(expires_at) FROM policy_users WHERE standing = ");
    sql.push(Word(MANIFEST)).push(" AND expires_at IS NOT NULL");
    let found = connection.first(&sql, |cells| cells.timestamp_or_null())?;
    Ok(found.flatten())
}

/// Whether a manifest entry has lapsed that nobody has recorded yet (P5).
pub fn has_lapsed(connection: &Connection, now: Timestamp) -> Result<bool> {
    Ok(next_lapse(connection)?.is_some_and(|lapse| lapse <= now))
}

/// The rules that this attribute is a part of: as the resource of their ruleset or in a condition.
pub fn rules_of(connection: &Connection, attribute: &str) -> Result<Vec<String>> {
    let mut sql = Sql::new("SELECT rule_id FROM policy_conditions WHERE resource_id = ");
    sql.bind(attribute)
        .push(" UNION SELECT r.id FROM policy_rulesets s JOIN policy_rules r ON r.ruleset_id = s.id WHERE s.resource_id = ")
        .bind(attribute);
    connection.query(&sql, |cells| cells.string())
}

/// The first so many users after an id who qualify for a rule, in order of ids.
pub fn users_of(connection: &Connection, rule: &str, after: &str, most: usize) -> Result<Vec<String>> {
    let mut sql = Sql::new("SELECT directory_user_id FROM policy_users WHERE rule_id = ");
    sql.bind(rule).push(" AND directory_user_id > ").bind(after);
    sql.push(" ORDER BY directory_user_id LIMIT ")
        .bind(i64::try_from(most).unwrap_or(i64::MAX));
    connection.query(&sql, |cells| cells.string())
}

/// Whether a rule can grant anything now.
pub fn is_live(connection: &Connection, rule: &str, now: Timestamp) -> Result<bool> {
    let rules = RuleIndex::read(connection, now)?;
    let rule = rules.rules.iter().find(|known| known.id == rule);
    Ok(rule.is_some_and(|rule| rules.parts(rule).is_some_and(|parts| are_live(&parts))))
}

/// Works out the standings of these users.
pub fn evaluate(unit: &mut Unit<'_>, users: &[String]) -> Result<()> {
    if users.is_empty() {
        return Ok(());
    }
    let rules = RuleIndex::read(unit.connection(), unit.now())?;
    for users in users.chunks(CHUNK) {
        rules.evaluate(unit, users)?;
    }
    Ok(())
}

/// Works out the standings of all users.
pub fn evaluate_all(unit: &mut Unit<'_>) -> Result<()> {
    let rules = RuleIndex::read(unit.connection(), unit.now())?;
    each_chunk(unit.connection(), |users| rules.evaluate(unit, users))
}

/// A state with its end.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TimedState {
    state: String,
    expires_at: Option<Timestamp>,
}

impl TimedState {
    fn read(cells: &mut Cells<'_, '_>, now: Timestamp) -> Result<Self> {
        let (stored, expires_at) = (cells.string()?, cells.timestamp_or_null()?);
        let state = shown_state(&stored, expires_at, now).to_owned();
        Ok(Self { state, expires_at })
    }

    fn is_live(&self) -> bool {
        self.state == ACTIVE || self.state == EXPIRING
    }

    /// When it stops being live, if it is going to.
    fn lapses_at(&self) -> Option<Timestamp> {
        self.expires_at.filter(|_| self.state == EXPIRING)
    }
}

#[derive(Debug)]
struct Rule {
    id: String,
    ruleset: String,
    /// The attribute the ruleset decides about.
    resource: String,
    timed_state: TimedState,
    /// The attributes its conditions ask for; all of them.
    needs: Vec<String>,
}

/// The rules as they are now, ready to be applied to users.
#[derive(Debug)]
struct RuleIndex {
    rules: Vec<Rule>,
    attributes: HashMap<String, TimedState>,
    /// Rules by the first attribute they need.
    by_need: HashMap<String, Vec<usize>>,
}

/// Which of the three a qualified user is (P1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PolicyAssignment {
    Manifest(Option<Timestamp>),
    Staged,
    Qualified,
}

impl PolicyAssignment {
    /// The words kept: standing, and the state a policy user shows (P3).
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Manifest(None) => (MANIFEST, ACTIVE),
            Self::Manifest(Some(_)) => (MANIFEST, EXPIRING),
            Self::Staged => (STAGED, STAGED),
            Self::Qualified => (QUALIFIED, EXPIRED),
        }
    }

    fn lapses_at(self) -> Option<Timestamp> {
        match self {
            Self::Manifest(lapses_at) => lapses_at,
            Self::Staged | Self::Qualified => None,
        }
    }
}

struct Present {
    id: String,
    rule: String,
    standing: String,
    activated_at: Option<Timestamp>,
    expires_at: Option<Timestamp>,
}

impl Present {
    /// Since when the user is in the manifest. Who has lapsed since has left it, recorded or not.
    fn held_since(&self, now: Timestamp) -> Option<Timestamp> {
        let holds = self.standing == MANIFEST && self.expires_at.is_none_or(|end| end > now);
        self.activated_at.filter(|_| holds)
    }
}

impl RuleIndex {
    /// Reads rules, conditions and the attributes they speak of.
    fn read(connection: &Connection, now: Timestamp) -> Result<Self> {
        let attributes = Sql::new(
            "SELECT id, state, expires_at FROM directory_attributes WHERE deleted_at IS NULL AND id IN
             (SELECT resource_id FROM policy_conditions UNION SELECT resource_id FROM policy_rulesets)",
        );
        let attributes = connection.query(&attributes, |cells| {
            Ok((cells.string()?, TimedState::read(cells, now)?))
        })?;
        let rules = Sql::new(
            "SELECT r.id, r.ruleset_id, s.resource_id, r.state, r.expires_at FROM policy_rules r
             JOIN policy_rulesets s ON s.id = r.ruleset_id AND s.deleted_at IS NULL
             WHERE r.deleted_at IS NULL ORDER BY r.id",
        );
        let mut rules = connection.query(&rules, |cells| {
            Ok(Rule {
                id: cells.string()?,
                ruleset: cells.string()?,
                resource: cells.string()?,
                timed_state: TimedState::read(cells, now)?,
                needs: Vec::new(),
            })
        })?;
        let conditions = Sql::new(
            "SELECT rule_id, resource_id FROM policy_conditions WHERE deleted_at IS NULL ORDER BY id",
        );
        let mut needs: HashMap<String, Vec<String>> = HashMap::new();
        connection.query(&conditions, |cells| {
            needs.entry(cells.string()?).or_default().push(cells.string()?);
            Ok(())
        })?;
        let mut by_need: HashMap<String, Vec<usize>> = HashMap::new();
        for (place, rule) in rules.iter_mut().enumerate() {
            rule.needs = needs.remove(&rule.id).unwrap_or_default();
            // A rule without conditions qualifies nobody.
            if let Some(first) = rule.needs.first() {
                by_need.entry(first.clone()).or_default().push(place);
            }
        }
        Ok(Self {
            rules,
            attributes: attributes.into_iter().collect(),
            by_need,
        })
    }

    /// Brings the standings of these users up to date.
    fn evaluate(&self, unit: &mut Unit<'_>, users: &[String]) -> Result<()> {
        let connection = unit.connection();
        let has = attributes_of(connection, users)?;
        let mut present = present(connection, users)?;
        let mut sql =
            Sql::new("SELECT id, state, expires_at FROM directory_users WHERE deleted_at IS NULL AND id IN ");
        sql.bind_all(users.iter().map(String::as_str));
        let now = unit.now();
        let users_now =
            connection.query(&sql, |cells| Ok((cells.string()?, TimedState::read(cells, now)?)))?;
        let none = BTreeSet::new();
        for (user, user_state) in &users_now {
            let mut mine = present.remove(user).unwrap_or_default();
            for (rule, standing) in self.assignments(user_state, has.get(user).unwrap_or(&none)) {
                let before = mine
                    .iter()
                    .position(|one| one.rule == rule.id)
                    .map(|place| mine.swap_remove(place));
                upsert_assignment(unit, (user, rule, standing), before)?;
            }
            present.insert(user.clone(), mine);
        }
        // What is left nobody qualifies for any more, soft-deleted users included.
        for gone in present.into_values().flatten() {
            unit.delete(POLICY_USERS, &Fields::new().set("id", gone.id))?;
        }
        Ok(())
    }

    fn assignments<'b>(
        &'b self,
        user: &'b TimedState,
        has: &'b BTreeSet<String>,
    ) -> impl Iterator<Item = (&'b Rule, PolicyAssignment)> {
        let candidates = has
            .iter()
            .filter_map(|attribute| self.by_need.get(attribute))
            .flatten();
        let rules = candidates.map(|place| &self.rules[*place]);
        let qualified = rules.filter(|rule| {
            rule.needs
                .iter()
                .all(|need| has.contains(need) && self.attributes.contains_key(need))
        });
        qualified.map(|rule| (rule, self.assignment(user, rule)))
    }

    fn assignment(&self, user: &TimedState, rule: &Rule) -> PolicyAssignment {
        if user.state == STAGED || rule.timed_state.state == STAGED {
            return PolicyAssignment::Staged;
        }
        let parts = self.parts(rule).map(|mut parts| {
            parts.push(user);
            parts
        });
        match parts {
            Some(parts) if are_live(&parts) => {
                PolicyAssignment::Manifest(parts.iter().filter_map(|part| part.lapses_at()).min())
            }
            _ => PolicyAssignment::Qualified,
        }
    }

    /// What has to be live for a rule to grant something: itself and the attributes it speaks of. None if one is missing.
    fn parts<'b>(&'b self, rule: &'b Rule) -> Option<Vec<&'b TimedState>> {
        let attributes = rule.needs.iter().chain([&rule.resource]);
        let attributes = attributes.map(|attribute| self.attributes.get(attribute));
        attributes.chain([Some(&rule.timed_state)]).collect()
    }
}

fn are_live(parts: &[&TimedState]) -> bool {
    parts.iter().all(|part| part.is_live())
}

/// Writes one standing, if it is another one than before.
fn upsert_assignment(
    unit: &mut Unit<'_>,
    (user, rule, standing): (&str, &Rule, PolicyAssignment),
    before: Option<Present>,
) -> Result<()> {
    let (word, state) = standing.words();
    let (now, lapses_at) = (unit.now(), standing.lapses_at());
    if before
        .as_ref()
        .is_some_and(|before| before.standing == word && before.expires_at == lapses_at)
    {
        return Ok(());
    }
    let held_since = before.as_ref().and_then(|before| before.held_since(now));
    let fields = Fields::new()
        .set("state", state)
        .set("standing", word)
        .set(
            "activated_at",
            (word == MANIFEST).then(|| held_since.unwrap_or(now)),
        )
        .set("updated_at", now)
        .set("expires_at", lapses_at);
    if let Some(before) = before {
        return unit.update(POLICY_USERS, &before.id, &fields);
    }
    let id = unit.ids.id::<PolicyUserId>(now);
    let fields = fields
        .set("id", id)
        .set("directory_user_id", user)
        .set("rule_id", rule.id.as_str())
        .set("ruleset_id", rule.ruleset.as_str())
        .set("attribute_id", rule.resource.as_str())
        .set("created_at", now);
    unit.insert(POLICY_USERS, &fields)
}

fn attributes_of(connection: &Connection, users: &[String]) -> Result<HashMap<String, BTreeSet<String>>> {
    let mut sql = Sql::new(
        "SELECT directory_user_id, directory_attribute_id FROM user_attributes WHERE directory_user_id IN ",
    );
    sql.bind_all(users.iter().map(String::as_str));
    let mut has: HashMap<String, BTreeSet<String>> = HashMap::new();
    connection.query(&sql, |cells| {
        has.entry(cells.string()?).or_default().insert(cells.string()?);
        Ok(())
    })?;
    Ok(has)
}

fn present(connection: &Connection, users: &[String]) -> Result<HashMap<String, Vec<Present>>> {
    let mut sql = Sql::new(
        "SELECT directory_user_id, id, rule_id, standing, activated_at, expires_at
         FROM policy_users WHERE directory_user_id IN ",
    );
    sql.bind_all(users.iter().map(String::as_str));
    let mut present: HashMap<String, Vec<Present>> = HashMap::new();
    connection.query(&sql, |cells| {
        let user = cells.string()?;
        let one = Present {
            id: cells.string()?,
            rule: cells.string()?,
            standing: cells.string()?,
            activated_at: cells.timestamp_or_null()?,
            expires_at: cells.timestamp_or_null()?,
        };
        present.entry(user).or_default().push(one);
        Ok(())
    })?;
    Ok(present)
}
