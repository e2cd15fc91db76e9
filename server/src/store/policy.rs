//! How access follows from the directory (P1, P3, P5): standings from rules. Derived here, typed in nowhere.

use std::collections::{BTreeSet, HashMap};

use rollcall::Timestamp;
use rollcall::model::PolicyUserId;

use crate::ids::Ids;
use crate::lifecycle::{EXPIRED, EXPIRING, shown_state};
use crate::store::Result;
use crate::store::dialect::{Cells, Connection};
use crate::store::org::each_chunk;
use crate::store::sql::Sql;

const ACTIVE: &str = "active";
const STAGED: &str = "staged";

/// When the first of the manifest entries that are not recorded yet lapses, or has lapsed (P5).
pub fn next_lapse(connection: &Connection) -> Result<Option<Timestamp>> {
    let sql =
        "SELECT min(expires_at) FROM policy_users WHERE standing = 'manifest' AND expires_at IS NOT NULL";
    let found = connection.first(&Sql::new(sql), |cells| cells.moment_or_null())?;
    Ok(found.flatten())
}

/// Whether a manifest entry has lapsed that nobody has recorded yet (P5).
pub fn has_lapsed(connection: &Connection, now: Timestamp) -> Result<bool> {
    Ok(next_lapse(connection)?.is_some_and(|lapse| lapse <= now))
}

/// Users under a rule that this attribute is a part of: as the resource of its ruleset or in a condition.
pub fn users_under(connection: &Connection, attribute: &str) -> Result<Vec<String>> {
    let mut sql = Sql::new("SELECT DISTINCT directory_user_id FROM policy_users WHERE attribute_id = ");
    sql.bind(attribute);
    sql.push(" OR rule_id IN (SELECT rule_id FROM policy_conditions WHERE resource_id = ")
        .bind(attribute)
        .push(")");
    connection.query(&sql, |cells| cells.string())
}

/// Works out the standings of all users.
pub fn evaluate_all(connection: &Connection, ids: &mut Ids, now: Timestamp) -> Result<()> {
    let rules = RuleIndex::read(connection, now)?;
    each_chunk(connection, |users| {
        rules.evaluate(connection, ids, users, now).map(drop)
    })
}

/// A state with its end.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Lived {
    state: String,
    expires_at: Option<Timestamp>,
}

impl Lived {
    fn read(cells: &mut Cells<'_, '_>, now: Timestamp) -> Result<Self> {
        let (stored, expires_at) = (cells.string()?, cells.moment_or_null()?);
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
    lived: Lived,
    /// The attributes its conditions ask for; all of them.
    needs: Vec<String>,
}

/// The rules as they are now, ready to be applied to users.
#[derive(Debug)]
pub struct RuleIndex {
    rules: Vec<Rule>,
    attributes: HashMap<String, Lived>,
    /// Rules by the first attribute they need.
    by_need: HashMap<String, Vec<usize>>,
}

/// Which of the three a qualified user is (P1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Manifest(Option<Timestamp>),
    Staged,
    Qualified,
}

impl Standing {
    /// The words kept: standing, and the state a policy user shows (P3).
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Manifest(None) => ("manifest", ACTIVE),
            Self::Manifest(Some(_)) => ("manifest", EXPIRING),
            Self::Staged => ("staged", STAGED),
            Self::Qualified => ("qualified", EXPIRED),
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
    ruleset: String,
    /// The attribute the ruleset decides about.
    resource: String,
    standing: String,
    activated_at: Option<Timestamp>,
    expires_at: Option<Timestamp>,
}

impl Present {
    /// Since when the user is in the manifest. Who has lapsed since has left it, recorded or not.
    fn held_since(&self, now: Timestamp) -> Option<Timestamp> {
        let holds = self.standing == "manifest" && self.expires_at.is_none_or(|end| end > now);
        self.activated_at.filter(|_| holds)
    }
}

impl RuleIndex {
    /// Reads rules, conditions and the attributes they speak of.
    pub fn read(connection: &Connection, now: Timestamp) -> Result<Self> {
        let attributes = Sql::new(
            "SELECT id, state, expires_at FROM directory_attributes WHERE deleted_at IS NULL AND id IN
             (SELECT resource_id FROM policy_conditions UNION SELECT resource_id FROM policy_rulesets)",
        );
        let attributes = connection.query(&attributes, |cells| {
            Ok((cells.string()?, Lived::read(cells, now)?))
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
                lived: Lived::read(cells, now)?,
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

    /// Brings the standings of these users up to date; gives the ids of all records whose counts this changes.
    pub fn evaluate(
        &self,
        connection: &Connection,
        ids: &mut Ids,
        users: &[String],
        now: Timestamp,
    ) -> Result<BTreeSet<String>> {
        let mut touched = BTreeSet::new();
        let has = attributes_of(connection, users)?;
        let mut present = present(connection, users)?;
        let mut sql =
            Sql::new("SELECT id, state, expires_at FROM directory_users WHERE deleted_at IS NULL AND id IN ");
        sql.bind_all(users.iter().map(String::as_str));
        let lived = connection.query(&sql, |cells| Ok((cells.string()?, Lived::read(cells, now)?)))?;
        let none = BTreeSet::new();
        for (user, lived) in &lived {
            let mut mine = present.remove(user).unwrap_or_default();
            for (rule, standing) in self.standings(lived, has.get(user).unwrap_or(&none)) {
                let before = mine
                    .iter()
                    .position(|one| one.rule == rule.id)
                    .map(|place| mine.swap_remove(place));
                if self.upsert_assignment(connection, ids, (user, rule, standing), before, now)? {
                    touched.extend([user, &rule.id, &rule.ruleset, &rule.resource].map(String::clone));
                }
            }
            present.insert(user.clone(), mine);
        }
        // What is left nobody qualifies for any more, soft-deleted users included.
        for (user, gone) in present {
            for one in gone {
                let mut sql = Sql::new("DELETE FROM policy_users WHERE id = ");
                connection.execute(sql.bind(one.id))?;
                // As they were: the rule itself may be gone.
                touched.extend([user.clone(), one.rule, one.ruleset, one.resource]);
            }
        }
        Ok(touched)
    }

    fn standings<'b>(
        &'b self,
        user: &'b Lived,
        has: &'b BTreeSet<String>,
    ) -> impl Iterator<Item = (&'b Rule, Standing)> {
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
        qualified.map(|rule| (rule, self.standing(user, rule)))
    }

    fn standing(&self, user: &Lived, rule: &Rule) -> Standing {
        if user.state == STAGED || rule.lived.state == STAGED {
            return Standing::Staged;
        }
        let attributes = rule
            .needs
            .iter()
            .chain([&rule.resource])
            .map(|attribute| self.attributes.get(attribute));
        let parts: Option<Vec<&Lived>> = attributes.chain([Some(user), Some(&rule.lived)]).collect();
        match parts {
            Some(parts) if parts.iter().all(|part| part.is_live()) => {
                Standing::Manifest(parts.iter().filter_map(|part| part.lapses_at()).min())
            }
            _ => Standing::Qualified,
        }
    }

    /// Writes one standing; whether anything changed.
    fn upsert_assignment(
        &self,
        connection: &Connection,
        ids: &mut Ids,
        (user, rule, standing): (&str, &Rule, Standing),
        before: Option<Present>,
        now: Timestamp,
    ) -> Result<bool> {
        let (word, state) = standing.words();
        let lapses_at = standing.lapses_at();
        let Some(before) = before else {
            let mut sql = Sql::new(
                "INSERT INTO policy_users (id, state, standing, directory_user_id, rule_id, ruleset_id, attribute_id,
                 activated_at, created_at, updated_at, expires_at) VALUES (",
            );
            sql.bind(ids.id::<PolicyUserId>(now))
                .push(", ")
                .bind(state)
                .push(", ")
                .bind(word)
                .push(", ")
                .bind(user);
            sql.push(", ")
                .bind(rule.id.as_str())
                .push(", ")
                .bind(rule.ruleset.as_str())
                .push(", ");
            sql.bind(rule.resource.as_str())
                .push(", ")
                .bind((word == "manifest").then_some(now))
                .push(", ")
                .bind(now)
                .push(", ")
                .bind(now);
            sql.push(", ").bind(lapses_at).push(")");
            connection.execute(&sql)?;
            return Ok(true);
        };
        if before.standing == word && before.expires_at == lapses_at {
            return Ok(false);
        }
        let mut sql = Sql::new("UPDATE policy_users SET state = ");
        sql.bind(state)
            .push(", standing = ")
            .bind(word)
            .push(", expires_at = ")
            .bind(lapses_at);
        let activated_at = (word == "manifest").then(|| before.held_since(now).unwrap_or(now));
        sql.push(", activated_at = ")
            .bind(activated_at)
            .push(", updated_at = ")
            .bind(now);
        sql.push(" WHERE id = ").bind(before.id);
        connection.execute(&sql)?;
        Ok(true)
    }
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
        "SELECT directory_user_id, id, rule_id, ruleset_id, attribute_id, standing, activated_at, expires_at
         FROM policy_users WHERE directory_user_id IN ",
    );
    sql.bind_all(users.iter().map(String::as_str));
    let mut present: HashMap<String, Vec<Present>> = HashMap::new();
    connection.query(&sql, |cells| {
        let user = cells.string()?;
        let one = Present {
            id: cells.string()?,
            rule: cells.string()?,
            ruleset: cells.string()?,
            resource: cells.string()?,
            standing: cells.string()?,
            activated_at: cells.moment_or_null()?,
            expires_at: cells.moment_or_null()?,
        };
        present.entry(user).or_default().push(one);
        Ok(())
    })?;
    Ok(present)
}
