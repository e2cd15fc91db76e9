// What ?include= can load for a directory user.
import { db } from "./database/connection";
import type { Relation, Row } from "./includes";
import * as present from "./present";

const users = "directory_user_summaries";

const owners = (ownerIds: string[]) =>
  db("directory_users as owner").whereIn("owner.id", ownerIds).select("owner.id as owner_id").orderBy("related.id");

const direct = (table: string, relatedColumn: string, ownerColumn: string) => (ownerIds: string[]) =>
  owners(ownerIds)
    .join(`${table} as related`, `related.${relatedColumn}`, `owner.${ownerColumn}`)
    .select("related.*");

// Soft-deleted related users are left out, as in lists.
const live = (table: string, relatedColumn: string, ownerColumn: string) => (ownerIds: string[]) =>
  direct(table, relatedColumn, ownerColumn)(ownerIds).whereNull("related.deleted_at");

// Rulesets, rules and conditions belong to a user because the user is a policy user of them.
const policy = (table: string, relatedColumn: string, policyColumn: string, states?: string[]) => (ownerIds: string[]) =>
  owners(ownerIds)
    .join("policy_users as policy_user", "policy_user.directory_user_id", "owner.id")
    .join(`${table} as related`, `related.${relatedColumn}`, `policy_user.${policyColumn}`)
    .distinct("related.*")
    .modify((query) => states && query.whereIn("policy_user.state", states));

async function presentPolicyUsers(rows: Row[]) {
  const byId = async (table: string, column: string) => {
    const related: Row[] = await db(table).whereIn("id", [...new Set(rows.map((row) => row[column]))]);
    return new Map(related.map((row) => [row.id, row]));
  };
  const user = await byId(users, "directory_user_id");
  const ruleset = await byId("policy_rulesets", "ruleset_id");
  const rule = await byId("policy_rules", "rule_id");
  return rows.map((row) =>
    present.presentPolicyUser(row, user.get(row.directory_user_id)!, ruleset.get(row.ruleset_id)!, rule.get(row.rule_id)!),
  );
}

const one = (rows: Relation["rows"], presentOne: (row: Row) => object): Relation => ({
  many: false,
  rows,
  present: (found) => found.map(presentOne),
});
const many = (rows: Relation["rows"], presentOne: (row: Row) => object): Relation => ({
  ...one(rows, presentOne),
  many: true,
});

export const userRelations: Record<string, Relation> = {
  "manager-user": one(live(users, "id", "manager_id"), present.presentUserSummary),
  "workspace-user": one(live("workspace_users", "directory_user_id", "id"), present.presentWorkspaceUserSummary),
  "parent-user": one(live(users, "id", "parent_id"), present.presentUserSummary),
  // The specification shows a single object here: the first one.
  "secondary-users": one(live(users, "parent_id", "id"), present.presentUserSummary),
  "direct-report-users": many(live(users, "manager_id", "id"), present.presentUserSummary),
  "workspace-integration": one(
    direct("workspace_integrations", "id", "workspace_integration_id"),
    present.presentIntegration,
  ),
  "directory-identities": many(direct("directory_identities", "directory_user_id", "id"), present.presentIdentity),
  "policy-conditions": many(policy("policy_conditions", "rule_id", "rule_id"), present.presentCondition),
  "policy-users": { many: true, rows: direct("policy_users", "directory_user_id", "id"), present: presentPolicyUsers },
  "policy-rules-manifest": many(policy("policy_rules", "id", "rule_id", ["active", "expiring"]), present.presentRule),
  "policy-rules-qualified": many(policy("policy_rules", "id", "rule_id"), present.presentRule),
  "policy-rules-staged": many(policy("policy_rules", "id", "rule_id", ["staged"]), present.presentRule),
  "policy-rulesets": many(policy("policy_rulesets", "id", "ruleset_id"), present.presentRuleset),
};
