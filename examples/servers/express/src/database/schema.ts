import type { Knex } from "knex";
import { db } from "./connection";

type Table = Knex.CreateTableBuilder;
const texts = (table: Table, ...columns: string[]) => columns.forEach((column) => table.string(column));
const timestamps = (table: Table, ...columns: string[]) => texts(table, "created_at", "updated_at", "deleted_at", ...columns);

// stored_count holds counts of records that this service does not keep itself, such as groups of a vendor.
const tables: Record<string, (table: Table) => void> = {
  workspace_integrations: (table) => {
    table.boolean("is_primary");
    texts(table, "vendor", "handle", "domain", "badge_id_profile_key", "employee_id_profile_key", "employee_alt_id_profile_key");
  },
  directory_dimensions: (table) => {
    texts(table, "state", "name", "handle");
    timestamps(table);
  },
  directory_attributes: (table) => {
    table.string("directory_dimension_id").index();
    table.string("successor_id").index();
    texts(table, "state", "type", "name", "handle", "blueprint_signature", "profile_value", "stored_count");
    timestamps(table, "activated_at", "expires_at");
  },
  directory_users: (table) => {
    table.string("manager_id").index();
    table.string("parent_id").index();
    texts(table, "workspace_integration_id", "state", "first_name", "last_name", "full_name", "email", "username");
    texts(table, "badge_id", "employee_id", "employee_alt_id", "metadata", "stored_count");
    timestamps(table, "expires_at", "provisioned_at", "deprovisioned_at", "deactivated_at");
  },
  directory_user_attributes: (table) => {
    table.string("directory_user_id").index();
    table.string("directory_attribute_id").index();
  },
  directory_identities: (table) => {
    table.string("directory_user_id").index();
    texts(table, "workspace_integration_id", "integration_vendor", "integration_handle", "vendor_id");
    texts(table, "full_name", "email", "org", "state");
  },
  policy_rulesets: (table) => {
    table.string("resource_id").index();
    texts(table, "state", "type");
    table.boolean("is_authoritative");
    table.integer("expires_after_days");
  },
  policy_rules: (table) => {
    table.string("ruleset_id").index();
    texts(table, "state", "role_name", "role_handle", "description");
    table.boolean("is_imported");
    table.integer("expires_after_days");
    table.boolean("expires_after_days_inherited");
    table.integer("priority");
  },
  policy_conditions: (table) => {
    table.string("rule_id").index();
    table.string("resource_id").index();
    texts(table, "ruleset_id", "type", "profile_key", "profile_operator", "profile_value", "description");
    table.boolean("is_imported");
  },
  policy_users: (table) => {
    table.string("directory_user_id").index();
    table.string("ruleset_id").index();
    texts(table, "rule_id", "state");
    timestamps(table, "activated_at", "expires_at");
  },
  workspace_users: (table) => {
    table.string("directory_user_id").index();
    texts(table, "state", "provider", "provider_id", "name", "handle", "email", "ui_mode", "ui_color", "stored_count");
    timestamps(table, "expires_at", "last_authenticated_at", "last_activity_at");
  },
  workspace_roles: (table) => {
    table.string("workspace_user_id").index();
    texts(table, "name", "revoked_at");
  },
};

const count = (from: string, what = "*") => `(select count(${what}) from ${from})`;
const userPolicy = "policy_users p where p.directory_user_id = u.id";
const attributePolicy =
  "policy_users p join policy_rulesets s on s.id = p.ruleset_id where s.resource_id = a.id";
const inManifest = "p.state in ('active', 'expiring')";

// One view for each listed resource, with its counts and the members that follow from other records.
// The summary of a user goes without the counts, because related users are shown without them.
const views = [
  `create view directory_user_summaries as select u.*,
    exists (select 1 from directory_users r where r.manager_id = u.id and r.deleted_at is null) as is_manager,
    (select json_group_object(d.handle, a.name) from directory_user_attributes ua
      join directory_attributes a on a.id = ua.directory_attribute_id
      join directory_dimensions d on d.id = a.directory_dimension_id
      where ua.directory_user_id = u.id) as org
    from directory_users u`,
  `create view directory_user_records as select u.*,
    case when u.state = 'expired' then u.expires_at end as expired_at,
    json_patch(u.stored_count, json_object(
      'secondary_users', ${count("directory_users r where r.parent_id = u.id and r.deleted_at is null")},
      'direct_report_users', ${count("directory_users r where r.manager_id = u.id and r.deleted_at is null")},
      'directory_identities', ${count("directory_identities i where i.directory_user_id = u.id")},
      'directory_attributes', ${count("directory_user_attributes ua where ua.directory_user_id = u.id")},
      'policy_users', ${count(userPolicy)},
      'policy_rulesets', ${count(userPolicy, "distinct p.ruleset_id")},
      'policy_conditions', ${count("policy_users p join policy_conditions c on c.rule_id = p.rule_id where p.directory_user_id = u.id")},
      'qualified_rules', ${count(userPolicy)},
      'manifest_rules', ${count(`${userPolicy} and ${inManifest}`)},
      'staged_rules', ${count(`${userPolicy} and p.state = 'staged'`)}
    )) as count from directory_user_summaries u`,
  `create view directory_attribute_records as select a.*,
    json_patch(a.stored_count, json_object(
      'attribute_conditions', ${count("policy_conditions c where c.resource_id = a.id")},
      'attribute_predecessors', ${count("directory_attributes b where b.successor_id = a.id and b.deleted_at is null")},
      'policy_rules', ${count("policy_rules r join policy_rulesets s on s.id = r.ruleset_id where s.resource_id = a.id")},
      'qualified_users', ${count(attributePolicy, "distinct p.directory_user_id")},
      'manifest_users', ${count(`${attributePolicy} and ${inManifest}`, "distinct p.directory_user_id")},
      'staged_users', ${count(`${attributePolicy} and p.state = 'staged'`, "distinct p.directory_user_id")}
    )) as count from directory_attributes a`,
  `create view workspace_user_records as select w.*,
    json_patch(w.stored_count, json_object(
      'workspace_roles', ${count("workspace_roles r where r.workspace_user_id = w.id and r.revoked_at is null")}
    )) as count from workspace_users w`,
  `create view directory_dimension_records as select d.*,
    json_object(
      'attributes', ${count("directory_attributes a where a.directory_dimension_id = d.id and a.deleted_at is null")}
    ) as count from directory_dimensions d`,
];

export async function createSchema() {
  for (const [name, define] of Object.entries(tables)) {
    await db.schema.createTable(name, (table) => {
      table.string("id").primary();
      define(table);
    });
  }
  for (const view of views) await db.raw(view);
}
