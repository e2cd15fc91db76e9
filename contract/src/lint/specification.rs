//! What the contract is held against: the clauses of the specification, and the points it leaves open.

/// The clauses of the specification.
pub const CLAUSES: [&str; 25] = [
    "§1", "§2", "§2.1", "§2.2", "§2.3", "§3", "§4", "§4.1", "§4.2", "§4.3", "§4.4", "§4.4.1", "§4.4.2",
    "§4.4.3", "§4.4.4", "§4.4.5", "§4.4.6", "§4.4.7", "§4.4.8", "§4.4.9", "§5", "§6", "§7", "§8", "§9",
];

/// The clauses that name a subject and say nothing about it.
pub const SILENT: [&str; 2] = ["§6", "§7"];

/// How many open points there are of each kind: records, lists, operations, access, policy.
const OPEN_POINTS: [(char, usize); 5] = [('R', 15), ('L', 21), ('O', 12), ('A', 10), ('P', 5)];

/// The ids of all points that the specification leaves open, such as `L10`.
pub fn open_points() -> impl Iterator<Item = String> {
    OPEN_POINTS
        .into_iter()
        .flat_map(|(kind, last)| (1..=last).map(move |number| format!("{kind}{number}")))
}
