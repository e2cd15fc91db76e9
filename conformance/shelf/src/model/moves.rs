//! Data that moves: somebody marries, somebody comes back.

use std::sync::atomic::Ordering;

use serde_json::json;

use super::timestamp::from_now;
use super::{Model, TABLES};

impl Model {
    /// Makes the changes that are due by the clock.
    pub(super) fn move_what_is_due(&self) {
        let each = self.hooks.settings.moves_each;
        if each.is_zero() {
            return;
        }
        let due = (self.began.elapsed().as_secs_f64() / each.as_secs_f64()) as usize;
        let done = self.moved.fetch_max(due, Ordering::Relaxed);
        (done..due).for_each(|number| self.move_somebody(number));
    }

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
