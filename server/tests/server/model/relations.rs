//! What counts count, relations relate and filters lead through, in the words of the contract (L18, R10, R15).

use std::sync::LazyLock;

/// How a relation is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// The one record, or null.
    One,
    /// The oldest of several, or null (R10).
    First,
    /// All of them.
    Many,
}

/// A count: as many as a list shows under a filter.
pub(super) struct Count {
    pub(super) of: &'static str,
    pub(super) member: &'static str,
    pub(super) list: &'static str,
    pub(super) filter: &'static str,
}

/// A relation: the records of a list that its filter finds for our member.
pub(super) struct Relation {
    pub(super) of: &'static str,
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    pub(super) list: &'static str,
    pub(super) filter: &'static str,
    pub(super) ours: &'static str,
}

/// A filter that looks at another table: a row is kept if that table has one whose `theirs` is the value and whose `ours`
/// is our `key`.
pub(super) struct Way {
    pub(super) list: &'static str,
    pub(super) filter: &'static str,
    pub(super) table: &'static str,
    pub(super) theirs: &'static str,
    pub(super) ours: &'static str,
    pub(super) key: &'static str,
}

/// The words of each line of a table.
fn read<T, const N: usize>(table: &'static str, row: fn([&'static str; N]) -> T) -> Vec<T> {
    let words = |line: &'static str| line.split_whitespace().collect::<Vec<_>>();
    let rows = table
        .trim()
        .lines()
        .map(|line| words(line).try_into().expect("a word for each column"));
    rows.map(row).collect()
}

pub(super) static COUNTS: LazyLock<Vec<Count>> = LazyLock::new(|| {
    read(COUNTED, |[of, member, list, filter]| Count {
        of,
        member,
        list,
        filter,
    })
});

pub(super) static RELATIONS: LazyLock<Vec<Relation>> = LazyLock::new(|| {
    read(RELATED, |[of, name, shape, list, filter, ours]| {
        let shape = match shape {
            "one" => Shape::One,
            "first" => Shape::First,
            _ => Shape::Many,
        };
        Relation {
            of,
            name,
            shape,
            list,
            filter,
            ours,
        }
    })
});

pub(super) static WAYS: LazyLock<Vec<Way>> = LazyLock::new(|| {
    read(LED, |[list, filter, table, theirs, ours, key]| Way {
        list,
        filter,
        table,
        theirs,
        ours,
        key,
    })
});

/// Of which record, the member, the list, its filter.
const COUNTED: &str = "
    directory_users         secondary_users         directory_users       parent_id
    directory_users         direct_report_users     directory_users       manager_id
    directory_users         directory_identities    directory_identities  directory_user_id
    directory_users         policy_conditions       policy_conditions     directory_user_id
    directory_users         policy_users            policy_users          directory_user_id
    directory_users         policy_rulesets         policy_rulesets       directory_user_id
    directory_users         manifest_rules          policy_rules          manifest_user_id
    directory_users         qualified_rules         policy_rules          qualified_user_id
    directory_users         staged_rules            policy_rules          staged_user_id
    directory_users         directory_attributes    directory_attributes  directory_user_id
    directory_attributes    attribute_conditions    policy_conditions     resource_id
    directory_attributes    attribute_predecessors  directory_attributes  successor_id
    directory_attributes    policy_rules            policy_rules          attribute_id
    directory_attributes    manifest_users          directory_users       manifest_attribute_id
    directory_attributes    qualified_users         directory_users       qualified_attribute_id
    directory_attributes    staged_users            directory_users       staged_attribute_id
    directory_dimensions    attributes              directory_attributes  directory_dimension_id
    workspace_users         workspace_devices       workspace_devices     workspace_user_id
    workspace_users         workspace_roles         workspace_roles       workspace_user_id
    workspace_users         workspace_services      workspace_services    workspace_user_id
    workspace_integrations  directory_users         directory_users       workspace_integration_id
    workspace_integrations  directory_identities    directory_identities  workspace_integration_id
    workspace_integrations  directory_dimensions    directory_dimensions  workspace_integration_id
    policy_rulesets         policy_rules            policy_rules          ruleset_id
    policy_rulesets         policy_conditions       policy_conditions     ruleset_id
    policy_rulesets         policy_users            policy_users          ruleset_id
    policy_rules            policy_conditions       policy_conditions     rule_id
    policy_rules            policy_users            policy_users          rule_id
";

/// Of which record, the relation, its shape, the list, its filter, our member.
const RELATED: &str = "
    directory_users       manager-user            one    directory_users         id                      manager_id
    directory_users       workspace-user          one    workspace_users         directory_user_id       id
    directory_users       parent-user             one    directory_users         id                      parent_id
    directory_users       secondary-users         first  directory_users         parent_id               id
    directory_users       direct-report-users     many   directory_users         manager_id              id
    directory_users       workspace-integration   one    workspace_integrations  id                      workspace_integration_id
    directory_users       directory-identities    many   directory_identities    directory_user_id       id
    directory_users       policy-conditions       many   policy_conditions       directory_user_id       id
    directory_users       policy-users            many   policy_users            directory_user_id       id
    directory_users       policy-rules-manifest   many   policy_rules            manifest_user_id        id
    directory_users       policy-rules-qualified  many   policy_rules            qualified_user_id       id
    directory_users       policy-rules-staged     many   policy_rules            staged_user_id          id
    directory_users       policy-rulesets         many   policy_rulesets         directory_user_id       id
    directory_dimensions  attributes              many   directory_attributes    directory_dimension_id  id
    policy_users          directory-user          one    directory_users         id                      directory_user_id
    policy_users          policy-ruleset          one    policy_rulesets         id                      ruleset_id
    policy_users          policy-rule             one    policy_rules            id                      rule_id
";

/// The list, its filter, the other table, its member that is the value, its member that points to us, our member.
const LED: &str = "
    directory_users         workspace_user_id       workspace_users       id                      directory_user_id         id
    directory_users         directory_attribute_id  user_attributes       directory_attribute_id  directory_user_id         id
    directory_users         directory_identity_id   directory_identities  id                      directory_user_id         id
    directory_users         policy_user_id          policy_users          id                      directory_user_id         id
    directory_users         manifest_attribute_id   manifest              attribute_id            directory_user_id         id
    directory_users         qualified_attribute_id  standings             attribute_id            directory_user_id         id
    directory_users         staged_attribute_id     staged                attribute_id            directory_user_id         id
    directory_attributes    directory_user_id       user_attributes       directory_user_id       directory_attribute_id    id
    directory_attributes    policy_ruleset_id       policy_rulesets       id                      resource_id               id
    directory_attributes    condition_id            policy_conditions     id                      resource_id               id
    directory_dimensions    attribute_id            directory_attributes  id                      directory_dimension_id    id
    workspace_users         workspace_item_id       workspace_items       id                      workspace_user_id         id
    workspace_users         workspace_log_id        workspace_logs        id                      actor_id                  id
    workspace_integrations  directory_user_id       directory_users       id                      workspace_integration_id  id
    workspace_integrations  attribute_id            directory_attributes  id                      workspace_integration_id  id
    workspace_integrations  directory_dimension_id  directory_dimensions  id                      workspace_integration_id  id
    workspace_integrations  directory_identity_id   directory_identities  id                      workspace_integration_id  id
    policy_rulesets         directory_user_id       standings             directory_user_id       ruleset_id                id
    policy_rulesets         rule_id                 policy_rules          id                      ruleset_id                id
    policy_rulesets         condition_id            policy_conditions     id                      ruleset_id                id
    policy_rulesets         policy_user_id          policy_users          id                      ruleset_id                id
    policy_rules            attribute_id            policy_rulesets       resource_id             id                        ruleset_id
    policy_rules            manifest_user_id        manifest              directory_user_id       rule_id                   id
    policy_rules            qualified_user_id       standings             directory_user_id       rule_id                   id
    policy_rules            staged_user_id          staged                directory_user_id       rule_id                   id
    policy_rules            condition_id            policy_conditions     id                      rule_id                   id
    policy_rules            policy_user_id          policy_users          id                      rule_id                   id
    policy_conditions       directory_user_id       user_attributes       directory_user_id       directory_attribute_id    resource_id
";
