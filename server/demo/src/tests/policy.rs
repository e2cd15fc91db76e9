//! Standings against a brute force of the rules (P1, P3, P5), and `org` against the attributes (P2).

use std::collections::{BTreeMap, BTreeSet};

use rollcall_store::sql::Value;

use super::{Made, made};

/// State now and end, by id, of the rows that are not soft-deleted.
fn lives(made: &Made, table: &str) -> BTreeMap<String, (String, Option<i64>)> {
    let rows = made.rows(
        &format!("SELECT id, state, expires_at FROM {table} WHERE deleted_at IS NULL"),
        3,
    );
    rows.into_iter()
        .map(|row| match &row[..] {
            [Value::Text(id), Value::Text(state), Value::Null] => (id.clone(), (state.clone(), None)),
            [Value::Text(id), Value::Text(state), Value::Int(end)] => {
                (id.clone(), (state.clone(), Some(*end)))
            }
            other => panic!("{other:?}"),
        })
        .collect()
}

/// Pairs of texts.
fn pairs(made: &Made, sql: &str) -> BTreeSet<(String, String)> {
    let rows = made.rows(sql, 2);
    rows.into_iter()
        .map(|row| match &row[..] {
            [Value::Text(one), Value::Text(other)] => (one.clone(), other.clone()),
            other => panic!("{other:?}"),
        })
        .collect()
}

type Standings = BTreeSet<(String, String, String, String, Option<i64>)>;

fn expected(made: &Made) -> Standings {
    let users = lives(made, "directory_users");
    let rules = lives(made, "policy_rules");
    let rulesets = lives(made, "policy_rulesets");
    let attributes = lives(made, "directory_attributes");
    let has = pairs(
        made,
        "SELECT directory_user_id, directory_attribute_id FROM user_attributes",
    );
    let set_of = pairs(made, "SELECT id, ruleset_id FROM policy_rules");
    let decides = pairs(made, "SELECT id, resource_id FROM policy_rulesets");
    let asks = pairs(
        made,
        "SELECT rule_id, resource_id FROM policy_conditions WHERE deleted_at IS NULL",
    );
    let mut standings = Standings::new();
    for (rule, set) in &set_of {
        if !rules.contains_key(rule) || !rulesets.contains_key(set) {
            continue;
        }
        let needs: Vec<&String> = asks
            .iter()
            .filter(|(of, _)| of == rule)
            .map(|(_, need)| need)
            .collect();
        let resource = &decides.iter().find(|(of, _)| of == set).unwrap().1;
        for (user, life) in &users {
            let meets = |need: &&String| {
                has.contains(&(user.clone(), (*need).clone())) && attributes.contains_key(*need)
            };
            if needs.is_empty() || !needs.iter().all(meets) {
                continue;
            }
            let mut parts = vec![Some(life), rules.get(rule), attributes.get(resource)];
            parts.extend(needs.iter().map(|need| attributes.get(*need)));
            let live = |part: &Option<&(String, Option<i64>)>| {
                part.is_some_and(|(state, _)| state == "active" || state == "expiring")
            };
            let (standing, state, end) = if life.0 == "staged" || rules[rule].0 == "staged" {
                ("staged", "staged", None)
            } else if parts.iter().all(live) {
                let ends = parts.iter().flatten().filter(|(state, _)| state == "expiring");
                let end = ends.filter_map(|(_, end)| *end).min();
                ("manifest", if end.is_some() { "expiring" } else { "active" }, end)
            } else {
                ("qualified", "expired", None)
            };
            standings.insert((
                user.clone(),
                rule.clone(),
                standing.to_owned(),
                state.to_owned(),
                end,
            ));
        }
    }
    standings
}

#[test]
fn standings_follow_from_the_rules() {
    for (users, seed) in [(20, 1), (300, 2)] {
        let made = made(users, seed);
        let rows = made.rows(
            "SELECT directory_user_id, rule_id, standing, state, expires_at FROM policy_users",
            5,
        );
        let kept: Standings = rows
            .into_iter()
            .map(|row| match &row[..] {
                [
                    Value::Text(user),
                    Value::Text(rule),
                    Value::Text(standing),
                    Value::Text(state),
                    end,
                ] => {
                    let end = match end {
                        Value::Int(end) => Some(*end),
                        _ => None,
                    };
                    (user.clone(), rule.clone(), standing.clone(), state.clone(), end)
                }
                other => panic!("{other:?}"),
            })
            .collect();
        assert!(kept.len() > 10, "{}", kept.len());
        assert_eq!(kept, expected(&made));
        let odd = "SELECT count(*) FROM policy_users p JOIN policy_rules r ON r.id = p.rule_id
             JOIN policy_rulesets s ON s.id = r.ruleset_id WHERE p.ruleset_id <> s.id OR p.attribute_id <> s.resource_id
             OR (p.standing = 'manifest') <> (p.activated_at IS NOT NULL)";
        assert_eq!(made.number(odd), 0);
    }
}

#[test]
fn org_follows_from_the_attributes() {
    let made = made(200, 1);
    let all = pairs(&made, "SELECT u.id, u.org FROM directory_users u");
    for (user, org) in all {
        let org: BTreeMap<String, String> = serde_json::from_str(&org).unwrap();
        let attributes = pairs(
            &made,
            &format!(
                "SELECT d.handle, a.name FROM user_attributes x JOIN directory_attributes a ON a.id = x.directory_attribute_id
                 JOIN directory_dimensions d ON d.id = a.directory_dimension_id
                 WHERE a.deleted_at IS NULL AND x.directory_user_id = '{user}'"
            ),
        );
        let mut expected: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (dimension, name) in attributes {
            expected.entry(dimension).or_default().push(name);
        }
        let expected: BTreeMap<String, String> = expected
            .into_iter()
            .map(|(dimension, names)| (dimension, names.join(", ")))
            .collect();
        assert_eq!(org, expected);
    }
}
