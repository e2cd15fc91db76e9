//! Data that moves: somebody marries, somebody comes back.

use serde_json::json;

use super::moment::from_now;
use super::{Model, TABLES};

impl Model {
    /// Changes one person.
    pub(super) fn move_somebody(&self, number: usize) {
        let table = &TABLES[0];
        let mut rows = self.rows.write().unwrap();
        let count = rows.of(&table.operation.path).len();
        if count == 0 {
            return;
        }
        rows.change(table, number * 13 % count, |row| {
            let record = &mut row.record;
            let last = ["Miller", "Smith", "Ng"][number % 3];
            record["full_name"] = json!(format!(
                "{} {last}",
                record["first_name"].as_str().unwrap_or_default()
            ));
            record["last_name"] = json!(last);
            record["state"] = json!(["active", "staged", "suspended"][number / 5 % 3]);
            record["timestamp"]["updated_at"] = json!(from_now(0));
        });
    }
}
