import { z } from "zod";
import { db } from "../database/connection";
import { dayInMilliseconds, millisecondText } from "../dates";
import { dateFilters, exact, exactAndSearch } from "../filters";
import { dateInBody, daysInBody, write, writtenStatus } from "../habits";
import { presentAttribute } from "../present";
import { defineResource } from "../resource";

const states = ["staged", "active", "expiring", "expired", "deactivated"];
const texts = ["id", "name", "handle", "profile_value"];
const timestamps = {
  created: "created_at",
  updated: "updated_at",
  activated: "activated_at",
  expires: "expires_at",
  deleted: "deleted_at",
};

const { router, find } = defineResource({
  from: "directory_attribute_records",
  filters: {
    ...exactAndSearch(...texts),
    state: exact("state", z.enum(states)),
    type: exact("type", z.enum(["integration", "ruleset", "catch"])),
    directory_dimension_id: exact("directory_dimension_id"),
    ...dateFilters(timestamps),
  },
  sortFields: [...texts, "state", "type", ...Object.values(timestamps)],
  present: (row) => presentAttribute(row),
});

const deprecateBody = z.object({ expires_at: dateInBody.nullish(), expires_after_days: daysInBody.nullish() });

// The exact moment wins over the number of days. With neither, the attribute expires now.
router.patch("/:attribute/deprecate", async (req, res) => {
  const body = deprecateBody.parse(req.body);
  const id = req.params.attribute;
  const now = new Date();
  const expiresAt = body.expires_at ?? new Date(now.getTime() + (body.expires_after_days ?? 0) * dayInMilliseconds);
  const changes = {
    state: expiresAt > now ? "expiring" : "expired",
    expires_at: millisecondText(expiresAt),
    updated_at: millisecondText(now),
  };
  await write(() => db("directory_attributes").where({ id }).update(changes));
  res.status(writtenStatus).json(await find(id));
});

export const directoryAttributes = router;
