import { db } from "./database/connection";
import { microsecondText, millisecondText } from "./dates";

// A record whose scheduled expiry has come is expired. A real service would have a scheduled job for this.
export async function expireDueRecords() {
  const now = new Date();
  const expire = (table: string, toText: (date: Date) => string, alsoSet = {}) =>
    db(table)
      .where("state", "expiring")
      .where("expires_at", "<=", toText(now))
      .update({ state: "expired", updated_at: toText(now), ...alsoSet });
  await expire("directory_users", millisecondText, { deactivated_at: db.ref("expires_at") });
  await expire("directory_attributes", millisecondText);
  await expire("workspace_users", microsecondText);
}
