import { z } from "zod";
import { db } from "../database/connection";
import { microsecondText } from "../dates";
import { dateFilters, exact, exactAndSearch } from "../filters";
import { write, writtenStatus } from "../habits";
import { presentWorkspaceUser } from "../present";
import { defineResource } from "../resource";

const states = ["staged", "active", "expiring", "expired", "deactivated"];
const texts = ["id", "name", "handle", "email", "provider_id"];
const timestamps = { created: "created_at", updated: "updated_at", expires: "expires_at", deleted: "deleted_at" };

const { router, find } = defineResource({
  from: "workspace_user_records",
  filters: {
    ...exactAndSearch(...texts),
    state: exact("state", z.enum(states)),
    provider: exact("provider"),
    ...dateFilters(timestamps, microsecondText),
  },
  sortFields: [...texts, "state", "provider", ...Object.values(timestamps)],
  present: (row) => presentWorkspaceUser(row),
});

const restoreBody = z.object({ roles: z.boolean() });

// The user is active again. With roles: true, the roles that were revoked come back too.
router.patch("/:user/restore", async (req, res) => {
  const { roles } = restoreBody.parse(req.body);
  const id = req.params.user;
  const changes = { state: "active", expires_at: null, deleted_at: null, updated_at: microsecondText(new Date()) };
  await write(() =>
    db.transaction(async (transaction) => {
      await transaction("workspace_users").where({ id }).update(changes);
      if (roles) await transaction("workspace_roles").where({ workspace_user_id: id }).update({ revoked_at: null });
    }),
  );
  res.status(writtenStatus).json(await find(id));
});

export const workspaceUsers = router;
