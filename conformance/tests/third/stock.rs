//! What the board has: tasks and people, the same every time.

use serde_json::{Value, json};

/// How many tasks there are.
const TASKS: usize = 120;
/// How many people there are.
const PEOPLE: usize = 23;
/// The first tasks are those that others are subtasks of.
const PARENTS: usize = 10;

const DEEDS: [&str; 9] = [
    "Paint", "Mend", "Order", "Sell", "Weigh", "Move", "Sort", "Draw up", "Post",
];
const THINGS: [&str; 11] = [
    "the gate",
    "100% of the nails",
    "a_ladder",
    "Zoë's kiln",
    "O'Hara's boat",
    "the Śliwa file",
    "two lamps",
    "the well",
    "an invoice",
    "the hedge",
    "crates",
];
const NOTES: [&str; 5] = [
    "Ask first.",
    "Bring gloves & rope",
    "Not before noon",
    "See the drawer on the left",
    "half done",
];
const NAMES: [&str; 8] = ["Abel", "Bao", "Chiara", "Dov", "Edda", "Femi", "Gül", "Hana"];
const FAMILIES: [&str; 5] = ["Moreau", "d'Arcy", "Ng", "Ødegård", "Quist"];

fn reference(kind: &str, id: usize) -> Value {
    json!({"type": kind, "id": id.to_string()})
}

fn timestamp(year: usize, n: usize) -> String {
    format!(
        "{year}-{:02}-{:02}T{:02}:{:02}:00Z",
        1 + n % 12,
        1 + n * 5 % 28,
        n % 24,
        n % 60
    )
}

fn parent(n: usize) -> Option<usize> {
    (n > PARENTS && !n.is_multiple_of(3)).then_some(1 + n * 7 % PARENTS)
}

fn assignee(n: usize) -> Option<usize> {
    (!n.is_multiple_of(5)).then_some(1 + n * 11 % PEOPLE)
}

fn is_archived(n: usize) -> bool {
    n % 9 == 4
}

/// References to the tasks that are not archived and of which something holds.
fn tasks_of(holds: impl Fn(usize) -> bool) -> Vec<Value> {
    let tasks = (1..=TASKS).filter(|n| !is_archived(*n) && holds(*n));
    tasks.map(|n| reference("tasks", n)).collect()
}

/// The tasks.
pub(crate) fn tasks() -> Vec<Value> {
    let task = |n: usize| {
        let (status, starts, due) = match n % 6 {
            0 => ("planned", Some(timestamp(2090, n)), None),
            1 => ("overdue", None, Some(timestamp(2016 + n % 7, n))),
            2 | 3 => ("done", None, Some(timestamp(2012 + n % 11, n))),
            _ => (
                "open",
                None,
                n.is_multiple_of(4).then(|| timestamp(2080 + n % 5, n)),
            ),
        };
        let subtasks = tasks_of(|other| parent(other) == Some(n));
        json!({
            "type": "tasks",
            "id": n.to_string(),
            "attributes": {
                "title": format!("{} {}", DEEDS[n % 9], THINGS[n * 3 % 11]),
                "notes": (!n.is_multiple_of(3)).then(|| NOTES[n % 5]),
                "status": status,
                "priority": n * 7 % 5,
                "composite": !subtasks.is_empty(),
                "created": timestamp(2005 + n % 9, n),
                "starts": starts,
                "due": due,
                "archived": is_archived(n).then(|| timestamp(2021, n)),
            },
            "relationships": {
                "assignee": {"data": assignee(n).map(|n| reference("people", n))},
                "parent": {"data": parent(n).map(|n| reference("tasks", n))},
                "subtasks": {"meta": {"count": subtasks.len()}, "data": subtasks},
            },
            "links": {"self": format!("/v1/tasks/{n}")},
        })
    };
    (1..=TASKS).map(task).collect()
}

/// The people.
pub(crate) fn people() -> Vec<Value> {
    let person = |n: usize| {
        let tasks = tasks_of(|task| assignee(task) == Some(n));
        json!({
            "type": "people",
            "id": n.to_string(),
            "attributes": {
                "name": format!("{} {}", NAMES[n % 8], FAMILIES[n % 5]),
                "email": format!("{}.{n}@board.example", NAMES[n % 8].to_lowercase()),
                "joined": timestamp(2001 + n % 3, n),
            },
            "relationships": {"tasks": {"meta": {"count": tasks.len()}, "data": tasks}},
            "links": {"self": format!("/v1/people/{n}")},
        })
    };
    (1..=PEOPLE).map(person).collect()
}
