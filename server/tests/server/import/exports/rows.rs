//! Files of one row for each person, as spreadsheets, identity providers and HR systems write them.

use rollcall_import::Format;

use super::generator::{Person, Standing, Style, email, manager};

/// A system that writes rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Spreadsheet,
    JsonLines,
    Okta,
    Google,
    Entra,
    BambooHr,
    Csvde,
}

type Cell = (&'static str, String);

impl Source {
    pub(super) const ALL: [Self; 7] = [
        Self::Spreadsheet,
        Self::JsonLines,
        Self::Okta,
        Self::Google,
        Self::Entra,
        Self::BambooHr,
        Self::Csvde,
    ];

    /// The mapping of `examples/mappings` that its files need.
    pub(super) fn map(self) -> Option<&'static str> {
        match self {
            Self::Spreadsheet | Self::JsonLines => None,
            Self::Okta => Some("okta"),
            Self::Google => Some("google"),
            Self::Entra => Some("entra"),
            Self::BambooHr => Some("bamboohr"),
            Self::Csvde => Some("csvde"),
        }
    }

    pub(super) fn format(self) -> Format {
        match self {
            Self::JsonLines => Format::Jsonl,
            _ => Format::Csv,
        }
    }

    /// Whether its rows name managers.
    pub(super) fn has_managers(self) -> bool {
        self != Self::Entra
    }

    /// What it writes of an account, and the state in which the person has to come in.
    pub(super) fn account(self, standing: Standing) -> (Vec<Cell>, &'static str) {
        use Standing::{Disabled, Expired, Locked, Open, Silent, Staged};
        let cells = |cells: &[(&'static str, &str)]| -> Vec<Cell> {
            cells
                .iter()
                .map(|(name, value)| (*name, (*value).to_owned()))
                .collect()
        };
        let (written, state) = match (self, standing) {
            (Self::Spreadsheet | Self::JsonLines, Silent) => {
                (cells(&[("state", ""), ("expires_at", "")]), "active")
            }
            (Self::Spreadsheet | Self::JsonLines, Expired) => (
                cells(&[("state", "expired"), ("expires_at", "2024-01-15")]),
                "expired",
            ),
            (Self::Spreadsheet | Self::JsonLines, _) => {
                let state = match standing {
                    Locked => "suspended",
                    Disabled => "deactivated",
                    Staged => "staged",
                    _ => "active",
                };
                (cells(&[("state", state), ("expires_at", "")]), state)
            }
            (Self::Okta, standing) => {
                let (status, state) = match standing {
                    Open => ("ACTIVE", "active"),
                    Locked => ("LOCKED_OUT", "suspended"),
                    Disabled => ("DEPROVISIONED", "deactivated"),
                    Staged => ("PROVISIONED", "staged"),
                    Silent => ("RECOVERY", "active"),
                    _ => ("PASSWORD_EXPIRED", "active"),
                };
                (
                    cells(&[("status", status), ("state", "Ohio"), ("manager", "Kim Roe")]),
                    state,
                )
            }
            (Self::Google, standing) => {
                let (status, state) = match standing {
                    Locked => ("Suspended", "suspended"),
                    Disabled => ("Archived", "deactivated"),
                    _ => ("Active", "active"),
                };
                (
                    cells(&[("Status [READ ONLY]", status), ("Password [Required]", "****")]),
                    state,
                )
            }
            (Self::Entra, Locked | Disabled) => (
                cells(&[("accountEnabled", "False"), ("state", "Bern")]),
                "deactivated",
            ),
            (Self::Entra, _) => (
                cells(&[("accountEnabled", "True"), ("state", "active")]),
                "active",
            ),
            (Self::BambooHr, Disabled | Expired) => (cells(&[("Status", "Inactive")]), "deactivated"),
            (Self::BambooHr, _) => (cells(&[("Status", "Active")]), "active"),
            (Self::Csvde, standing) => {
                let (control, expires, lockout, state) = match standing {
                    Locked => ("512", "0", "133497504000000000", "suspended"),
                    Disabled => ("66050", "9223372036854775807", "0", "deactivated"),
                    Expired => ("66048", "133497504000000000", "", "expired"),
                    _ => ("512", "9223372036854775807", "", "active"),
                };
                let written = [
                    ("userAccountControl", control),
                    ("accountExpires", expires),
                    ("lockoutTime", lockout),
                ];
                (cells(&written), state)
            }
        };
        (written, state)
    }

    /// The cells of a person, but for the account.
    fn cells(self, people: &[Person], place: usize) -> Vec<Cell> {
        let person = &people[place];
        let (first, last) = person.names;
        let full = format!("{first} {last}");
        let manager = manager(people, place);
        let manager_email = manager.map(email).unwrap_or_default();
        let text = |value: Option<&str>| value.unwrap_or_default().to_owned();
        let (title, department) = (text(person.title), text(person.department));
        let own = |names: [&'static str; 6]| -> Vec<Cell> {
            let values = [
                email(place),
                first.to_owned(),
                last.to_owned(),
                title.clone(),
                department.clone(),
            ];
            names[..5]
                .iter()
                .copied()
                .zip(values)
                .chain([(names[5], format!("Room {place}"))])
                .collect()
        };
        let (mut cells, more) = match self {
            Self::Spreadsheet | Self::JsonLines => (
                own([
                    "email",
                    "first_name",
                    "last_name",
                    "org.title",
                    "org.department",
                    "metadata.room",
                ]),
                vec![
                    ("id", format!("p{place}")),
                    (
                        "manager",
                        manager.map(|manager| format!("p{manager}")).unwrap_or_default(),
                    ),
                ],
            ),
            Self::Okta => (
                own([
                    "email",
                    "firstName",
                    "lastName",
                    "title",
                    "department",
                    "nickName",
                ]),
                vec![
                    ("id", format!("00u{place}")),
                    ("login", format!("p{place}")),
                    (
                        "managerId",
                        match place % 2 {
                            0 => manager_email,
                            _ => manager.map(|manager| format!("00u{manager}")).unwrap_or_default(),
                        },
                    ),
                ],
            ),
            Self::Google => (
                own([
                    "Email Address [Required]",
                    "First Name [Required]",
                    "Last Name [Required]",
                    "Employee Title",
                    "Department",
                    "Floor Name",
                ]),
                vec![
                    ("Org Unit Path [Required]", "/".to_owned()),
                    ("Manager Email", manager_email),
                ],
            ),
            Self::Entra => (
                own([
                    "mail",
                    "givenName",
                    "surname",
                    "jobTitle",
                    "department",
                    "officeLocation",
                ]),
                vec![
                    ("id", format!("5f0c1e21-{place}")),
                    ("userPrincipalName", email(place)),
                    ("displayName", full),
                ],
            ),
            Self::BambooHr => (
                own([
                    "Work Email",
                    "First name",
                    "Last name",
                    "Job Title",
                    "Department",
                    "Location",
                ]),
                vec![
                    ("Employee #", format!("000{place}")),
                    ("Supervisor email", manager_email),
                ],
            ),
            Self::Csvde => {
                let dn = |place: usize| {
                    let (first, last) = people[place].names;
                    format!("CN={last}\\, {first} {place},OU=Staff,DC=corp,DC=test")
                };
                (
                    own(["mail", "givenName", "sn", "title", "department", "company"]),
                    vec![
                        ("DN", dn(place)),
                        ("objectClass", "top;person;organizationalPerson;user".to_owned()),
                        ("cn", full),
                        ("sAMAccountName", format!("p{place}")),
                        ("manager", manager.map(dn).unwrap_or_default()),
                    ],
                )
            }
        };
        cells.extend(more);
        cells.extend(self.account(person.standing).0);
        cells
    }

    /// What a cell of names comes to: names are separated by `;`, unless the writer escapes it.
    pub(super) fn names(self, cell: Option<&str>) -> String {
        let cell = cell.unwrap_or_default();
        let mut names: Vec<&str> = match self {
            Self::Spreadsheet | Self::JsonLines => vec![cell],
            _ => cell.split(';').map(str::trim).collect(),
        };
        names.sort_unstable();
        match names[..] {
            [one] => one.to_owned(),
            _ => serde_json::json!(names).to_string(),
        }
    }

    pub(super) fn file(self, people: &[Person], style: &Style) -> String {
        let rows: Vec<Vec<Cell>> = (0..people.len())
            .map(|place| {
                let mut cells = self.cells(people, place);
                let turn = style.turn() % cells.len();
                cells.rotate_left(turn);
                cells
            })
            .collect();
        match self {
            Self::JsonLines => rows
                .iter()
                .map(|cells| json_line(cells) + style.line_end())
                .collect(),
            _ => self.table(&rows, style),
        }
    }

    fn table(self, rows: &[Vec<Cell>], style: &Style) -> String {
        let line = |cells: &mut dyn Iterator<Item = String>| {
            let cells: Vec<String> = cells
                .map(
                    |cell| match style.quotes_all() || cell.contains([',', '"', '\'']) {
                        true => format!("\"{}\"", cell.replace('"', "\"\"")),
                        false => cell,
                    },
                )
                .collect();
            cells.join(",") + style.line_end()
        };
        let header = |name: &str| match self == Self::Spreadsheet || !style.quotes_all() {
            true => name.to_owned(),
            // The case of letters in the header of a mapped file does not matter.
            false => name.to_uppercase(),
        };
        let escaped = |(name, value): &Cell| match self == Self::Spreadsheet && name.starts_with("org.") {
            true => value.replace(';', "\\;"),
            false => value.clone(),
        };
        let mut text = if style.has_mark() { "\u{feff}" } else { "" }.to_owned();
        text += &line(&mut rows[0].iter().map(|(name, _)| header(name)));
        for cells in rows {
            text += &line(&mut cells.iter().map(escaped));
        }
        text
    }
}

fn json_line(cells: &[Cell]) -> String {
    let mut line = serde_json::Map::new();
    for (name, value) in cells {
        let value = match value.is_empty() {
            true => serde_json::Value::Null,
            false => value.as_str().into(),
        };
        match name.split_once('.') {
            None => line.insert((*name).to_owned(), value),
            Some((within, name)) => line
                .entry(within)
                .or_insert_with(|| serde_json::json!({}))
                .as_object_mut()
                .and_then(|object| object.insert(name.to_owned(), value)),
        };
    }
    serde_json::Value::Object(line).to_string()
}
