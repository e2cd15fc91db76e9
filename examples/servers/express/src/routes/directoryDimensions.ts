import { db } from "../database/connection";
import { dateFilters, exact, exactAndSearch } from "../filters";
import type { Relation } from "../includes";
import { presentAttribute, presentDimension } from "../present";
import { defineResource } from "../resource";

const attributes: Relation = {
  many: true,
  rows: (dimensionIds) =>
    db("directory_attribute_records")
      .whereIn("directory_dimension_id", dimensionIds)
      .whereNull("deleted_at")
      .select("*", "directory_dimension_id as owner_id")
      .orderBy("id"),
  present: (rows) => rows.map((row) => presentAttribute(row)),
};

const timestamps = { created: "created_at", updated: "updated_at", deleted: "deleted_at" };

export const directoryDimensions = defineResource({
  from: "directory_dimension_records",
  filters: { ...exactAndSearch("id", "name", "handle"), state: exact("state"), ...dateFilters(timestamps) },
  sortFields: ["id", "name", "handle", "state", ...Object.values(timestamps)],
  relations: { attributes },
  present: presentDimension,
}).router;
