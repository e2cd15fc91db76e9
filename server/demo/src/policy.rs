//! Who gets access to what: rulesets, rules and conditions. Who they apply to follows by itself.

use rollcall::model::{
    ConditionOperator, ConditionType, DirectoryUserState as State, PolicyCondition, PolicyConditionId,
    PolicyRule, PolicyRuleId, PolicyRuleset, PolicyRulesetId, RulesetState, RulesetType,
};
use rollcall_store::Result;
use rollcall_store::tables::table::Stored;

use super::author::Author;
use super::catalogue::{Attribute, Catalogue};
use super::dimensions::{ACCESS, COST_CENTER, DEPARTMENT, DIVISION, LOCATION, TITLE};

/// The rules that decide about one attribute.
struct Ruleset {
    attribute: (&'static str, &'static str),
    state: RulesetState,
    trashed: bool,
    rules: &'static [Rule],
}

const fn set(
    attribute: (&'static str, &'static str),
    state: RulesetState,
    rules: &'static [Rule],
) -> Ruleset {
    Ruleset {
        attribute,
        state,
        trashed: false,
        rules,
    }
}

/// A role, and the attributes that give it.
struct Rule {
    role: &'static str,
    state: State,
    trashed: bool,
    conditions: &'static [(&'static str, &'static str)],
}

const fn rule(role: &'static str, state: State, conditions: &'static [(&'static str, &'static str)]) -> Rule {
    Rule {
        role,
        state,
        trashed: false,
        conditions,
    }
}

const ENGINEERING: (&str, &str) = (DEPARTMENT, "Engineering");
const RESEARCH: (&str, &str) = (DEPARTMENT, "Research");
const FINANCE: (&str, &str) = (DEPARTMENT, "Finance");
const OPERATIONS: (&str, &str) = (DEPARTMENT, "Operations");

const RULESETS: [Ruleset; 13] = [
    set(
        (ACCESS, "VPN"),
        RulesetState::Unmanaged,
        &[
            rule("VPN user", State::Active, &[(DIVISION, "Products")]),
            rule("VPN guest", State::Expiring, &[(LOCATION, "100% Remote")]),
            rule("VPN observer", State::Active, &[RESEARCH, (LOCATION, "London")]),
        ],
    ),
    set(
        (ACCESS, "Source control"),
        RulesetState::Active,
        &[
            rule("Developer", State::Active, &[ENGINEERING]),
            rule(
                "Maintainer",
                State::Active,
                &[ENGINEERING, (TITLE, "Senior Engineer")],
            ),
            rule("Reader", State::Staged, &[RESEARCH]),
            Rule {
                trashed: true,
                ..rule("Committer", State::Active, &[ENGINEERING])
            },
        ],
    ),
    set(
        (ACCESS, "Payroll"),
        RulesetState::Unmanaged,
        &[
            rule("Payroll clerk", State::Active, &[FINANCE]),
            rule(
                "Payroll approver",
                State::Active,
                &[FINANCE, (TITLE, "Manager"), (COST_CENTER, "CC-1000")],
            ),
        ],
    ),
    set(
        (ACCESS, "On-call"),
        RulesetState::Staged,
        &[
            rule("On-call", State::Active, &[OPERATIONS]),
            rule(
                "On-call, second line",
                State::Staged,
                &[OPERATIONS, (TITLE, "Engineer")],
            ),
        ],
    ),
    set(
        (ACCESS, "Production"),
        RulesetState::Expiring,
        &[
            rule("Operator", State::Active, &[OPERATIONS, (LOCATION, "Zürich")]),
            rule("Break-glass", State::Deactivated, &[(TITLE, "Director")]),
        ],
    ),
    set(
        (ACCESS, "Customer data"),
        RulesetState::Expired,
        &[
            rule("Support agent", State::Expired, &[(DEPARTMENT, "Support")]),
            rule(
                "Support lead",
                State::Active,
                &[(DEPARTMENT, "Support"), (TITLE, "Manager")],
            ),
        ],
    ),
    // Nobody qualifies for a rule that asks for nothing (P1).
    set(
        (ACCESS, "Audit"),
        RulesetState::Deactivated,
        &[
            rule(
                "Auditor",
                State::Active,
                &[(DEPARTMENT, "Legal"), (DIVISION, "Corporate")],
            ),
            rule("Everybody", State::Active, &[]),
        ],
    ),
    set(
        (ACCESS, "Office badge"),
        RulesetState::Unmanaged,
        &[rule("Badge holder", State::Active, &[(LOCATION, "Zürich")])],
    ),
    set(
        (ACCESS, "Fax gateway"),
        RulesetState::Unmanaged,
        &[rule("Fax sender", State::Active, &[(DIVISION, "Corporate")])],
    ),
    set(
        (ACCESS, "Robot arm"),
        RulesetState::Unmanaged,
        &[rule("Robot minder", State::Active, &[RESEARCH, (ACCESS, "VPN")])],
    ),
    set(
        RESEARCH,
        RulesetState::Unmanaged,
        &[
            rule("Lab access", State::Active, &[RESEARCH]),
            rule("Lab access, Bonn", State::Active, &[RESEARCH, (LOCATION, "Bonn")]),
        ],
    ),
    set(
        (LOCATION, "Oslo"),
        RulesetState::Unmanaged,
        &[rule("Oslo desk", State::Active, &[(LOCATION, "Oslo")])],
    ),
    Ruleset {
        trashed: true,
        ..set(
            (DEPARTMENT, "Sales"),
            RulesetState::Unmanaged,
            &[rule("Seller", State::Active, &[(DEPARTMENT, "Sales")])],
        )
    },
];

/// Timestamps of the past; policy grew behind the catalogue, from the thirtieth on.
const PARTS: u64 = 100;
const FIRST_PART: u64 = 30;
/// Days until access ends, where a rule says nothing else.
const EXPIRY_DAYS: [i64; 4] = [0, 30, 365, 1095];

/// Writes them all, spread over the past.
pub(super) fn write(author: &mut Author<'_, '_>, catalogue: &Catalogue) -> Result<()> {
    let mut part = FIRST_PART;
    for ruleset in &RULESETS {
        let (dimension, name) = ruleset.attribute;
        let Some(resource) = catalogue.find(dimension, name) else {
            continue;
        };
        part += 1;
        let at = author.timestamp(part, PARTS);
        let id = author.id::<PolicyRulesetId>(at);
        let days = author.rng.pick(&EXPIRY_DAYS);
        let life = author.life(record_state(ruleset.state), at, ruleset.trashed);
        let fields = life
            .unstated_fields()
            .set("id", id.as_str())
            .set("state", ruleset.state.to_string())
            .set("type", RulesetType::DirectoryAttribute.to_string())
            .set("resource_id", resource.id.as_str())
            .set("is_authoritative", part.is_multiple_of(3))
            .set("expires_after_days", days);
        author.insert(PolicyRuleset::TABLE, &fields)?;
        author.log_created(at, &id, Some(&resource.id), "Ruleset")?;
        for (priority, rule) in (1_i64..).zip(ruleset.rules) {
            part += 1;
            let place = Place {
                ruleset: &id,
                days,
                priority: priority * 10,
                part,
            };
            write_rule(author, catalogue, rule, &place)?;
        }
    }
    Ok(())
}

/// The state whose timestamps a ruleset has.
fn record_state(state: RulesetState) -> State {
    match state {
        RulesetState::Unmanaged | RulesetState::Active => State::Active,
        RulesetState::Staged => State::Staged,
        RulesetState::Expiring => State::Expiring,
        RulesetState::Expired => State::Expired,
        RulesetState::Deactivated => State::Deactivated,
    }
}

struct Place<'p> {
    ruleset: &'p str,
    days: i64,
    priority: i64,
    part: u64,
}

fn write_rule(
    author: &mut Author<'_, '_>,
    catalogue: &Catalogue,
    rule: &Rule,
    place: &Place<'_>,
) -> Result<()> {
    let at = author.timestamp(place.part, PARTS);
    let id = author.id::<PolicyRuleId>(at);
    let inherited = place.part.is_multiple_of(2);
    let days = if inherited { place.days } else { 90 };
    let imported = place.part.is_multiple_of(5);
    let fields = author
        .life(rule.state, at, rule.trashed)
        .fields()
        .set("id", id.as_str())
        .set("ruleset_id", place.ruleset)
        .text("role_name", rule.role)
        .set("role_handle", super::names::plain(rule.role, "_"))
        .set("is_imported", imported)
        .set("description", format!("Gives the role {:?}.", rule.role))
        .set("expires_after_days", days)
        .set("expires_after_days_inherited", inherited)
        .set("priority", place.priority);
    author.insert(PolicyRule::TABLE, &fields)?;
    author.log_created(at, &id, Some(place.ruleset), "Rule")?;
    for (dimension, name) in rule.conditions {
        if let Some(attribute) = catalogue.find(dimension, name) {
            write_condition(author, attribute, (&id, place), imported)?;
        }
    }
    // A condition that was taken away asks for nothing any more.
    if rule.conditions.len() > 2
        && let Some(attribute) = catalogue.find(LOCATION, "London")
    {
        let fields = condition(author, attribute, (&id, place), imported, true).1;
        author.insert(PolicyCondition::TABLE, &fields)?;
    }
    Ok(())
}

fn write_condition(
    author: &mut Author<'_, '_>,
    attribute: &Attribute,
    of: (&str, &Place<'_>),
    imported: bool,
) -> Result<()> {
    let (id, fields) = condition(author, attribute, of, imported, false);
    author.insert(PolicyCondition::TABLE, &fields)?;
    author.log_created(author.timestamp(of.1.part, PARTS), &id, Some(of.0), "Condition")
}

fn condition(
    author: &mut Author<'_, '_>,
    attribute: &Attribute,
    (rule, place): (&str, &Place<'_>),
    imported: bool,
    trashed: bool,
) -> (String, rollcall_store::change::fields::Fields) {
    let at = author.timestamp(place.part, PARTS);
    let id = author.id::<PolicyConditionId>(at);
    let fields = author
        .life(State::Active, at, trashed)
        .unstated_fields()
        .set("id", id.as_str())
        .set("is_imported", imported)
        .set("type", ConditionType::Attribute.to_string())
        .set("ruleset_id", place.ruleset)
        .set("rule_id", rule)
        .set("resource_id", attribute.id.as_str())
        .text("profile_key", attribute.dimension)
        .set("profile_operator", ConditionOperator::Equals.to_string())
        .text("profile_value", attribute.name)
        .set(
            "description",
            format!("Has the {} {:?}.", attribute.dimension, attribute.name),
        );
    (id, fields)
}
