import { z } from "zod";
import { dateFilters, exact, exactAndSearch, someValueContains } from "../filters";
import { presentUser } from "../present";
import { defineResource } from "../resource";
import { userRelations } from "../userRelations";

const states = ["staged", "active", "expiring", "expired", "suspended", "deactivated"];
const identifiers = ["badge_id", "employee_id", "employee_alt_id"];
const texts = ["id", "first_name", "last_name", "full_name", "email", "username", ...identifiers];
const timestamps = {
  created: "created_at",
  updated: "updated_at",
  expires: "expires_at",
  deleted: "deleted_at",
  provisioned: "provisioned_at",
  deprovisioned: "deprovisioned_at",
};

export const directoryUsers = defineResource({
  from: "directory_user_records",
  filters: {
    ...exactAndSearch(...texts),
    workspace_integration_id: exact("workspace_integration_id"),
    parent_id: exact("parent_id"),
    manager_id: exact("manager_id"),
    manager: exact("is_manager", z.stringbool()),
    state: exact("state", z.enum(states)),
    org_search: someValueContains("org"),
    metadata_search: someValueContains("metadata"),
    deprovisioned_pending_deactivation: {
      schema: z.stringbool(),
      apply: (query, wanted) => wanted && query.where("state", "active").whereNotNull("deprovisioned_at"),
    },
    ...dateFilters({ ...timestamps, expired: "expired_at", deactivated: "deactivated_at" }),
  },
  sortFields: [...texts, "state", ...Object.values(timestamps)],
  relations: userRelations,
  present: presentUser,
}).router;
