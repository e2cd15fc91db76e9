//! What people are called, and how that is spelled in their handles: names that filters can trip over.

/// First names.
const FIRST: [(&str, &str); 8] = [
    ("Ann", "ann"),
    ("Zoë", "zoe"),
    ("José", "jose"),
    ("D'Arcy", "darcy"),
    ("Mary Jane", "mary_jane"),
    ("Łukasz", "lukasz"),
    ("li", "li"),
    ("Joanna", "joanna"),
];

/// Last names; some stand there more than once, so that even few people share them.
const LAST: [(&str, &str); 12] = [
    ("O'Neill", "oneill"),
    ("Müller", "muller"),
    ("Smith", "smith"),
    ("Under_score", "under_score"),
    ("van der Berg", "vanderberg"),
    ("Smith", "smith"),
    ("Back\\slash", "backslash"),
    ("100%", "hundred"),
    ("Smith", "smith"),
    ("Grant, Jr", "grant"),
    ("Smithson", "smithson"),
    ("Goldsmith", "goldsmith"),
];

const DOMAINS: [&str; 4] = ["example.net", "mail.example.net", "example.org", "staff.example"];

/// What one person is called.
pub(super) struct Name {
    pub(super) first: &'static str,
    pub(super) last: &'static str,
    pub(super) handle: String,
    pub(super) email: String,
}

/// The name of a person. Twelve people on there is one with the same first and last name.
pub(super) fn name(index: usize) -> Name {
    let (first, one) = FIRST[(index % 12 + index / 24) % FIRST.len()];
    let (last, other) = LAST[index % LAST.len()];
    let number = if index < 12 {
        String::new()
    } else {
        index.to_string()
    };
    let handle = format!("{one}.{other}{number}");
    Name {
        first,
        last,
        email: format!("{handle}@{}", DOMAINS[index * 5 % 7 % DOMAINS.len()]),
        handle,
    }
}
