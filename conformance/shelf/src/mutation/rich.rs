//! Values that the mutants' people have beside those of the model, so that every class of values is stored somewhere.

use serde_json::{Value, json};

use crate::model::{Rows, USERS};

/// A person, a member, and the value that the member has.
const VALUES: [(usize, &str, &str); 26] = [
    (21, "last_name", "null"),
    (33, "last_name", "No"),
    (45, "first_name", "true"),
    (57, "badge_id", "0"),
    (69, "badge_id", "1e3"),
    (81, "badge_id", "1000.0"),
    (93, "employee_alt_id", "A+B"),
    (94, "employee_alt_id", "A B"),
    (105, "employee_alt_id", "A&B=C#D"),
    (117, "last_name", "Le  Roux"),
    (118, "last_name", "Le Roux"),
    (129, "badge_id", " B-7"),
    (130, "badge_id", "B-7"),
    (141, "employee_alt_id", "EXT-1 "),
    (142, "last_name", "50%25"),
    (143, "last_name", "50%"),
    (144, "badge_id", "B*7"),
    (145, "badge_id", "[b]{7}"),
    (146, "last_name", "Zoe\u{308}"),
    (147, "last_name", "Zo\u{eb}"),
    (148, "employee_alt_id", "<b>x</b>"),
    (149, "employee_alt_id", "a;b|c$d?"),
    (
        150,
        "first_name",
        "Bartholomew-Maximilian Alexander Theodore the Elder",
    ),
    (151, "badge_id", "\"B\" 7"),
    (152, "last_name", "Gro\u{df}"),
    (153, "badge_id", "07"),
];

/// Gives some people such values; what shows the same elsewhere follows.
pub(super) fn enrich(rows: &mut Rows) {
    for (index, member, value) in VALUES {
        let Some(row) = rows.of(USERS).get_mut(index) else {
            continue;
        };
        row.record[member] = json!(value);
        let name = |member: &str| row.record[member].as_str().unwrap_or_default().to_owned();
        row.record["full_name"] = json!(format!("{} {}", name("first_name"), name("last_name")));
        let (id, shown) = (row.id().to_owned(), row.record["full_name"].clone());
        let accounts = row.related_ids("workspace_user").to_vec();
        let identities = rows.others.values_mut();
        for identity in identities.filter(|one| one["directory_user_id"] == Value::String(id.clone())) {
            identity["full_name"] = shown.clone();
        }
        for account in rows.of("/workspace/users") {
            if accounts.iter().any(|one| one == account.id()) {
                account.record["name"] = shown.clone();
            }
        }
    }
}
