// From database rows to the JSON of the specification.
import type { Row } from "./includes";
import { baseAddress } from "./settings";

const booleanColumns = ["is_manager", "is_primary", "is_imported", "is_authoritative", "expires_after_days_inherited"];
const jsonColumns = ["org", "metadata", "count"];

// SQLite has neither booleans nor objects.
const readers: Record<string, (value: any) => unknown> = Object.fromEntries([
  ...booleanColumns.map((name) => [name, Boolean]),
  ...jsonColumns.map((name) => [name, JSON.parse]),
]);

const members = (names: string) => {
  const columns = names.split(" ").map((name) => ({ name, read: readers[name] }));
  return (row: Row) => {
    const shown: Row = {};
    for (const { name, read } of columns) shown[name] = read ? read(row[name]) : row[name];
    return shown;
  };
};

// A complete record, with its timestamp, count, included and links objects.
const record = (path: string, parts: { members: string; timestamps: string; links: string }) => {
  const ownMembers = members(parts.members);
  const timestamps = members(parts.timestamps);
  const linkPaths = parts.links.split(" ").map((name) => ({ name, path: name.replaceAll("_", "-") }));
  return (row: Row, included: object = []) => {
    const self = `${baseAddress}/${path}/${row.id}`;
    const links: Row = { self };
    for (const link of linkPaths) links[link.name] = `${self}/${link.path}`;
    return {
      ...ownMembers(row),
      timestamp: timestamps(row),
      count: JSON.parse(row.count),
      included,
      links,
    };
  };
};

export const presentUser = record("directory/users", {
  members:
    "id state manager_id is_manager first_name last_name full_name email username badge_id employee_id employee_alt_id org metadata",
  timestamps: "created_at updated_at deleted_at expires_at provisioned_at deprovisioned_at",
  links:
    "workspace_user workspace_integration secondary_users direct_report_users directory_identities workspace_logs_parent workspace_logs_record workspace_logs_related workspace_logs_subject",
});
export const presentWorkspaceUser = record("workspace/users", {
  members: "id state provider provider_id name handle email ui_mode ui_color",
  timestamps: "created_at updated_at expires_at last_authenticated_at last_activity_at deleted_at",
  links: "directory_user workspace_devices workspace_roles workspace_services workspace_tokens",
});
export const presentAttribute = record("directory/attributes", {
  members: "id state type name handle blueprint_signature profile_value",
  timestamps: "created_at updated_at activated_at expires_at deleted_at",
  links:
    "attribute_conditions directory_dimension workspace_integration policy_ruleset policy_rules manifest_users qualified_users staged_users",
});
export const presentDimension = record("directory/dimensions", {
  members: "id state name handle",
  timestamps: "created_at updated_at deleted_at",
  links: "attributes",
});

// The shapes that stand inside `included`.
export const presentUserSummary = members("id state manager_id is_manager full_name email username org metadata");
export const presentWorkspaceUserSummary = members("id state provider provider_id name handle email");
export const presentIntegration = members("id is_primary vendor handle domain");
export const presentIdentity = members(
  "id workspace_integration_id directory_user_id integration_vendor integration_handle vendor_id full_name email org state",
);
export const presentCondition = members(
  "id is_imported type ruleset_id rule_id resource_id profile_key profile_operator profile_value description",
);
export const presentRule = members(
  "id state role_name role_handle is_imported description expires_after_days expires_after_days_inherited priority",
);
export const presentRuleset = members("id state type resource_id is_authoritative expires_after_days");

const policyUserMembers = members("id state");
const policyUserTimestamps = members("created_at updated_at activated_at expires_at deleted_at");

export const presentPolicyUser = (row: Row, user: Row, ruleset: Row, rule: Row) => ({
  ...policyUserMembers(row),
  timestamp: policyUserTimestamps(row),
  included: {
    directory_user: presentUserSummary(user),
    policy_ruleset: presentRuleset(ruleset),
    policy_rule: presentRule(rule),
  },
});
