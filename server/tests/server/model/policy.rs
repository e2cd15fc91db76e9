//! How access follows from the directory, as P1, P2 and P5 say it.

use serde_json::{Map, Value, json};

use super::row::{Directory, Row, get, is_live, text, timestamp};

/// The state shown at one timestamp: an expiry that has passed has passed (O1).
pub(super) fn shown_state(row: &Row, now: i64) -> &str {
    match text(row, "state") {
        "expiring" if timestamp(row, "expires_at").is_some_and(|expiry| expiry <= now) => "expired",
        state => state,
    }
}

/// The live attributes of a user.
fn attributes<'d>(directory: &'d Directory, user: &str) -> Vec<&'d Row> {
    let links = directory
        .rows("user_attributes")
        .iter()
        .filter(|link| text(link, "directory_user_id") == user);
    let attributes =
        links.filter_map(|link| directory.row("directory_attributes", text(link, "directory_attribute_id")));
    attributes.filter(|attribute| is_live(attribute)).collect()
}

/// `org` of a user (P2).
pub(super) fn org(directory: &Directory, user: &str) -> Value {
    let mut org = Map::new();
    for dimension in directory.rows("directory_dimensions") {
        let of_dimension = |row: &&&Row| text(row, "directory_dimension_id") == text(dimension, "id");
        let attributes = attributes(directory, user);
        let mut names: Vec<_> = attributes
            .iter()
            .filter(of_dimension)
            .map(|row| text(row, "name"))
            .collect();
        names.sort_unstable();
        if !names.is_empty() {
            org.insert(text(dimension, "handle").to_owned(), json!(names.join(", ")));
        }
    }
    Value::Object(org)
}

/// Every pair of a user and a rule the user qualifies for, with its standing: `manifest`, `staged` or `qualified` (P1).
pub(super) fn standings(directory: &Directory, now: i64) -> Vec<Row> {
    let mut standings = Vec::new();
    for user in directory
        .rows("directory_users")
        .iter()
        .filter(|user| is_live(user))
    {
        for rule in directory.rows("policy_rules").iter().filter(|rule| is_live(rule)) {
            standings.extend(standing(directory, user, rule, now));
        }
    }
    standings
}

fn standing(directory: &Directory, user: &Row, rule: &Row, now: i64) -> Option<Row> {
    let ruleset = directory.row("policy_rulesets", text(rule, "ruleset_id"));
    let ruleset = ruleset.filter(|ruleset| is_live(ruleset))?;
    let conditions = directory.rows("policy_conditions").iter();
    let conditions: Vec<_> = conditions
        .filter(|one| is_live(one) && get(one, "rule_id") == &rule["id"])
        .collect();
    let has = attributes(directory, text(user, "id"));
    let asked = |condition: &&Row| {
        has.iter()
            .find(|attribute| get(condition, "resource_id") == &attribute["id"])
            .copied()
    };
    let met: Option<Vec<&Row>> = conditions.iter().map(asked).collect();
    // A rule without conditions qualifies nobody.
    let met = met.filter(|met| !met.is_empty())?;
    let staged = [user, rule].iter().any(|row| shown_state(row, now) == "staged");
    let decided = directory.row("directory_attributes", text(ruleset, "resource_id"))?;
    let parts: Vec<&Row> = met.into_iter().chain([decided, user, rule]).collect();
    let holds = |row: &&Row| is_live(row) && matches!(shown_state(row, now), "active" | "expiring");
    let ends = parts.iter().filter(|row| shown_state(row, now) == "expiring");
    let ends = ends.filter_map(|row| timestamp(row, "expires_at")).min();
    let (standing, state, ends) = match (staged, parts.iter().all(holds)) {
        (true, _) => ("staged", "staged", None),
        (false, true) if ends.is_some() => ("manifest", "expiring", ends),
        (false, true) => ("manifest", "active", None),
        (false, false) => ("qualified", "", None),
    };
    Some(Row::from([
        ("standing", json!(standing)),
        ("state", json!(state)),
        ("expires_at", json!(ends)),
        ("directory_user_id", user["id"].clone()),
        ("rule_id", rule["id"].clone()),
        ("ruleset_id", ruleset["id"].clone()),
        ("attribute_id", ruleset["resource_id"].clone()),
    ]))
}
