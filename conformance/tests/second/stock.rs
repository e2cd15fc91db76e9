//! What the library has: titles and loans, the same every time.

use serde_json::{Value, json};

/// How many titles there are.
const TITLES: usize = 130;
/// How many loans there are.
const LOANS: usize = 70;

const SURNAMES: [&str; 11] = [
    "Okafor",
    "d'Aubigny",
    "Łempicka",
    "van Dyk",
    "Prŷs",
    "Sato",
    "Ibáñez",
    "Quill",
    "O'Rourke",
    "Nakamura",
    "Zweig",
];
const SUBJECTS: [&str; 13] = [
    "Tides",
    "Ledgers",
    "Orchids",
    "100% Wool",
    "Back_stairs",
    "Comets",
    "Vinegar",
    "Maps",
    "Salt & Iron",
    "Lanterns",
    "Weirs",
    "Bridges",
    "Moths",
];
const KINDS: [&str; 7] = [
    "A History of",
    "Notes on",
    "The Grammar of",
    "Against",
    "Among",
    "Praise of",
    "Two",
];

const LANGUAGES: [&str; 3] = ["de", "en", "fr"];
const READERS: [&str; 6] = ["Amara", "Bo", "Chloé", "Dmitri", "Esi", "Fatou"];

/// The titles, in the order of their codes.
pub(crate) fn titles() -> Vec<Value> {
    let title = |n: usize| {
        let (year, month, day) = (1990 + n % 31, 1 + n % 12, 1 + n * 5 % 28);
        let withdrawn = (n % 7 == 3).then(|| format!("2024-{:02}-{day:02}T08:00:00Z", 1 + n * 3 % 12));
        json!({
            "code": format!("T-{}", 1001 + n * 3),
            "name": format!("{} {}", KINDS[n % 7], SUBJECTS[n % 13]),
            "writer": {"surname": SURNAMES[n * 5 % 11]},
            "language": LANGUAGES[n * n % 5 % 3],
            "length": 80 + n * 7 % 17 * 20,
            "lendable": n % 4 != 1,
            "acquired": format!("{year}-{month:02}-{day:02}T{:02}:30:00Z", n % 24),
            "withdrawn": withdrawn,
        })
    };
    (0..TITLES).map(title).collect()
}

/// The loans, in the order of their codes.
pub(crate) fn loans() -> Vec<Value> {
    let loan = |n: usize| {
        json!({
            "code": format!("L-{}", 200 + n),
            "title": format!("T-{}", 1001 + n * n % 40 * 3),
            "reader": READERS[n * 7 % 6],
            "due": format!("20{}-{:02}-{:02}T18:00:00Z", 15 + n % 10, 1 + n % 12, 1 + n * 11 % 28),
        })
    };
    (0..LOANS).map(loan).collect()
}
