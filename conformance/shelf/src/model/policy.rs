//! Rules of attributes, and to whom they apply: everything here follows from the attributes people have.

use std::collections::HashMap;

use rollcall_contract::Counted;
use serde_json::{Value, json};

use super::CONTRACT;
use super::blank::blank;
use super::places::profile;
use super::row::Row;

/// A rule with what it belongs to.
struct Rule {
    attribute: String,
    ruleset: String,
    condition: String,
    id: String,
    staged: bool,
}

/// Makes the rules of the attributes and derives from them what people have.
pub(super) fn derive(users: &mut [Row], attributes: &mut [Row], others: &mut HashMap<String, Value>) {
    let mut rules: HashMap<String, Vec<Rule>> = HashMap::new();
    for (index, attribute) in attributes.iter_mut().enumerate() {
        let own = rules_of(index, attribute, others);
        attribute.record["count"]["attribute_conditions"] = json!(own.len());
        attribute.record["count"]["policy_rules"] = json!(own.len());
        let ids = |of: fn(&Rule) -> &String| own.iter().map(of).cloned().collect::<Vec<_>>();
        attribute
            .hidden
            .insert("policy_ruleset_id", ids(|rule| &rule.ruleset));
        attribute
            .hidden
            .insert("condition_id", ids(|rule| &rule.condition));
        rules.insert(attribute.id().to_owned(), own);
    }
    for (index, user) in users.iter_mut().enumerate() {
        apply(index, user, &rules, others);
    }
    for index in 0..attributes.len() {
        let id = attributes[index].id().to_owned();
        let live = || users.iter().filter(|user| !user.is_trashed());
        let with = |name: &str| live().filter(|user| user.hidden[name].contains(&id)).count();
        let before = attributes
            .iter()
            .filter(|one| one.hidden.get("successor_id") == Some(&vec![id.clone()]))
            .count();
        let who = users
            .iter()
            .filter(|user| user.hidden["directory_attribute_id"].contains(&id));
        let who = who.map(|user| user.id().to_owned()).collect();
        let counts = [
            ("manifest_users", with("manifest_attribute_id")),
            ("qualified_users", with("qualified_attribute_id")),
            ("staged_users", with("staged_attribute_id")),
            ("attribute_predecessors", before),
        ];
        let attribute = &mut attributes[index];
        for (member, count) in counts {
            attribute.record["count"][member] = json!(count);
        }
        attribute.hidden.insert("directory_user_id", who);
    }
}

/// The rules of an attribute: none, one or two, all in one ruleset.
fn rules_of(index: usize, attribute: &Row, others: &mut HashMap<String, Value>) -> Vec<Rule> {
    let ruleset = format!("plset_{index:04}s");
    let mut rules = Vec::new();
    for nth in 0..(index + 1) % 3 {
        let rule = Rule {
            attribute: attribute.id().to_owned(),
            ruleset: ruleset.clone(),
            condition: format!("plcnd_{index:04}c{nth}"),
            id: format!("plrul_{index:04}r{nth}"),
            staged: index % 4 == 1 && nth == 1,
        };
        let mut set = blank("PolicyRulesetSummary", &ruleset, index);
        set["resource_id"] = json!(rule.attribute);
        set["expires_after_days"] = json!(90);
        others.insert(ruleset.clone(), set);
        let mut shown = blank("PolicyRuleSummary", &rule.id, index);
        shown["state"] = json!(if rule.staged { "staged" } else { "active" });
        shown["role_name"] = json!(format!("Role {index}"));
        shown["role_handle"] = json!(format!("role-{index}"));
        shown["priority"] = json!(10 * nth);
        others.insert(rule.id.clone(), shown);
        let (key, value) = profile(index);
        let mut condition = blank("PolicyConditionSummary", &rule.condition, index);
        condition["ruleset_id"] = json!(ruleset);
        condition["rule_id"] = json!(rule.id);
        condition["resource_id"] = json!(rule.attribute);
        condition["profile_key"] = json!(key);
        condition["profile_value"] = json!(value);
        others.insert(rule.condition.clone(), condition);
        rules.push(rule);
    }
    rules
}

/// Relates one person to all rules that the person's attributes qualify for.
fn apply(
    index: usize,
    user: &mut Row,
    rules: &HashMap<String, Vec<Rule>>,
    others: &mut HashMap<String, Value>,
) {
    let state = user.record["state"].as_str().unwrap_or_default().to_owned();
    let attributes = user.hidden["directory_attribute_id"].clone();
    let qualified: Vec<&Rule> = attributes.iter().flat_map(|id| &rules[id]).collect();
    let is_on = ["active", "expiring"].contains(&state.as_str());
    let manifest = |rule: &&&Rule| is_on && !rule.staged;
    let staged = |rule: &&&Rule| rule.staged || state == "staged";
    let mut members = Vec::new();
    for (nth, rule) in qualified
        .iter()
        .enumerate()
        .filter(|(_, rule)| manifest(rule) || staged(rule))
    {
        let id = format!("plusr_{index:05}u{nth}");
        let mut member = blank("PolicyUserSummary", &id, index);
        member["state"] = json!(if rule.staged { "staged" } else { state.as_str() });
        others.insert(id.clone(), member);
        members.push(id);
    }
    let ids = |of: fn(&Rule) -> &String, which: &dyn Fn(&&&Rule) -> bool| {
        let mut ids: Vec<String> = qualified
            .iter()
            .filter(which)
            .map(|rule| of(rule).clone())
            .collect();
        ids.dedup();
        ids
    };
    let id: fn(&Rule) -> &String = |rule| &rule.id;
    let attribute: fn(&Rule) -> &String = |rule| &rule.attribute;
    user.hidden.insert("policy_user_id", members.clone());
    user.hidden
        .insert("manifest_attribute_id", ids(attribute, &manifest));
    user.hidden
        .insert("qualified_attribute_id", ids(attribute, &|_| true));
    user.hidden.insert("staged_attribute_id", ids(attribute, &staged));
    let related = [
        ("policy_users", members),
        ("policy_conditions", ids(|rule| &rule.condition, &|_| true)),
        ("policy_rulesets", ids(|rule| &rule.ruleset, &|_| true)),
        ("policy_rules_manifest", ids(id, &manifest)),
        ("policy_rules_qualified", ids(id, &|_| true)),
        ("policy_rules_staged", ids(id, &staged)),
    ];
    for (member, ids) in related {
        user.related.insert(member.to_owned(), ids);
    }
    user.record["count"]["directory_attributes"] = json!(attributes.len());
    settle(user);
}

/// Sets every count that equals the size of a relation.
fn settle(user: &mut Row) {
    let (_, list) = CONTRACT.lists().next().unwrap();
    for relation in &list.relations {
        if let Some(count) = &relation.count {
            user.record["count"][count] = json!(user.related_ids(&relation.member).len());
        }
    }
    debug_assert!(
        CONTRACT
            .counts(&list.record)
            .unwrap()
            .iter()
            .all(|count| count.counted == Counted::External || user.record["count"][&count.member].is_u64())
    );
}
