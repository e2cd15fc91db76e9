//! Files as directory servers write them, and the people that the generator knows to be in them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;
use proptest::sample::select;

/// A directory server, and how it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    ActiveDirectory,
    Replicated389,
    FreeIpa,
    OpenLdap,
}

/// What the generator knows of a person.
#[derive(Clone, Debug)]
pub(super) struct Person {
    pub(super) names: (&'static str, &'static str),
    /// How the account stands: the lines of each kind of server are those of [`account`].
    pub(super) standing: Standing,
    pub(super) title: Option<&'static str>,
    pub(super) department: Option<&'static str>,
    pub(super) group: Option<&'static str>,
    /// Whose report the person is, counted among those of the file.
    manager: Option<usize>,
    photo: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    Open,
    /// Nothing is said of it.
    Silent,
    Locked,
    Disabled,
    Expired,
    Deleted,
    Staged,
}

/// How lines are written.
#[derive(Clone, Debug)]
pub(super) struct Style {
    crlf: bool,
    width: usize,
    base64_every: usize,
    upper_every: usize,
}

impl Style {
    pub(super) fn line_end(&self) -> &'static str {
        if self.crlf { "\r\n" } else { "\n" }
    }

    /// By how many places the columns of a table are turned.
    pub(super) fn turn(&self) -> usize {
        self.width
    }

    /// Whether every cell of a table is quoted.
    pub(super) fn quotes_all(&self) -> bool {
        self.base64_every == 1
    }

    /// Whether a table begins with a byte order mark.
    pub(super) fn has_mark(&self) -> bool {
        self.upper_every == 1
    }
}

pub(super) fn people() -> impl Strategy<Value = Vec<Person>> {
    let names = select(
        &[
            ("Ann", "Lee"),
            ("Jürgen", "Größmann"),
            ("Zoë", "O'Brien"),
            ("理恵", "小川"),
            ("Ana María", "de la Cruz"),
            ("Łukasz", "Żak"),
        ][..],
    );
    let standing = select(
        &[
            Standing::Open,
            Standing::Open,
            Standing::Silent,
            Standing::Locked,
            Standing::Disabled,
            Standing::Expired,
            Standing::Deleted,
            Standing::Staged,
        ][..],
    );
    let title = prop::option::of(select(&["Head, Sales", "Leiterin", "R&D; Ops"][..]));
    let department = prop::option::of(select(&["Research", "Größe", "Quality + Safety"][..]));
    let group = prop::option::of(select(&["Admins", "Board, small"][..]));
    let person = (
        names,
        standing,
        title,
        department,
        group,
        prop::option::of(0..8_usize),
        any::<bool>(),
    );
    let person = person.prop_map(
        |(names, standing, title, department, group, manager, photo)| Person {
            names,
            standing,
            title,
            department,
            group,
            manager,
            photo,
        },
    );
    prop::collection::vec(person, 1..8)
}

pub(super) fn style() -> impl Strategy<Value = Style> {
    (any::<bool>(), 20..200_usize, 1..6_usize, 1..6_usize).prop_map(
        |(crlf, width, base64_every, upper_every)| Style {
            crlf,
            width,
            base64_every,
            upper_every,
        },
    )
}

pub(super) fn email(place: usize) -> String {
    format!("Person{place}@test.invalid")
}

fn dn(kind: Kind, place: usize, person: &Person) -> String {
    let (first, last) = person.names;
    match (kind, person.standing) {
        (Kind::ActiveDirectory, Standing::Deleted) => {
            format!("CN={last} {place}\\0ADEL:0a1b{place},CN=Deleted Objects,DC=corp,DC=test")
        }
        (Kind::ActiveDirectory, _) => format!("CN={last}\\, {first} {place},OU=Staff,DC=corp,DC=test"),
        (Kind::Replicated389, Standing::Deleted) => {
            format!("nsuniqueid=6d2c-{place},uid=p{place},ou=people,dc=test")
        }
        (Kind::FreeIpa, Standing::Deleted) => {
            format!("uid=p{place},cn=deleted users,cn=accounts,cn=provisioning,dc=test")
        }
        (Kind::FreeIpa, Standing::Staged) => {
            format!("uid=p{place},cn=staged users,cn=accounts,cn=provisioning,dc=test")
        }
        _ => format!("uid=p{place},ou=people,dc=test"),
    }
}

/// What a server writes of an account, and the state in which the person has to come in.
pub(super) fn account(
    kind: Kind,
    standing: Standing,
) -> (&'static [(&'static str, &'static str)], Option<&'static str>) {
    use Kind::{ActiveDirectory, FreeIpa, OpenLdap, Replicated389};
    match (kind, standing) {
        (_, Standing::Silent) => (&[], Some("active")),
        (ActiveDirectory, Standing::Open | Standing::Staged) => (
            &[
                ("userAccountControl", "512"),
                ("accountExpires", "9223372036854775807"),
            ],
            Some("active"),
        ),
        (ActiveDirectory, Standing::Locked) => (
            &[
                ("userAccountControl", "512"),
                ("lockoutTime", "133497504000000000"),
            ],
            Some("suspended"),
        ),
        (ActiveDirectory, Standing::Disabled) => (
            &[("userAccountControl", "66050"), ("accountExpires", "0")],
            Some("deactivated"),
        ),
        (ActiveDirectory, Standing::Expired) => (
            &[
                ("userAccountControl", "66048"),
                ("accountExpires", "133497504000000000"),
            ],
            Some("expired"),
        ),
        (ActiveDirectory, Standing::Deleted) => (&[("isDeleted", "TRUE")], None),
        (Replicated389, Standing::Deleted) => (&[("objectClass", "nsTombstone")], None),
        (FreeIpa, Standing::Deleted) => (&[("nsAccountLock", "TRUE")], None),
        (FreeIpa, Standing::Staged) => (&[("nsAccountLock", "FALSE")], Some("staged")),
        (Replicated389 | FreeIpa, Standing::Open | Standing::Staged) => {
            (&[("nsAccountLock", "false")], Some("active"))
        }
        (Replicated389 | FreeIpa, Standing::Disabled) => (&[("nsAccountLock", "TRUE")], Some("deactivated")),
        (Replicated389 | FreeIpa, Standing::Locked) => {
            (&[("pwdAccountLockedTime", "20260101000000Z")], Some("suspended"))
        }
        (Replicated389 | FreeIpa, Standing::Expired) => {
            (&[("krbPrincipalExpiration", "20240115000000Z")], Some("expired"))
        }
        (OpenLdap, Standing::Open | Standing::Staged) => (&[("shadowExpire", "-1")], Some("active")),
        (OpenLdap, Standing::Locked) => (&[("pwdAccountLockedTime", "000001010000Z")], Some("suspended")),
        (OpenLdap, Standing::Disabled) => (&[("loginDisabled", "TRUE")], Some("deactivated")),
        (OpenLdap, Standing::Expired) => (&[("shadowExpire", "19737")], Some("expired")),
        (OpenLdap, Standing::Deleted) => (&[("inetUserStatus", "deleted")], None),
    }
}

/// The managers that the file names: nobody who is not in the file alive, and not the person.
pub(super) fn manager(people: &[Person], place: usize) -> Option<usize> {
    let manager = people[place].manager?;
    let is_there = people
        .get(manager)
        .is_some_and(|other| other.standing != Standing::Deleted);
    (is_there && manager != place).then_some(manager)
}

pub(super) fn export(kind: Kind, people: &[Person], style: &Style) -> Vec<u8> {
    let mut file = File {
        style,
        bytes: Vec::new(),
        lines: 0,
    };
    for (place, person) in people.iter().enumerate() {
        file.value("dn", dn(kind, place, person).as_bytes());
        let is_389 = kind == Kind::Replicated389;
        let state = if is_389 { ";vucsn-5e1f7a3b000000010000" } else { "" };
        file.value(&format!("objectClass{state}"), b"top");
        file.value(&format!("objectClass{state}"), b"person");
        file.value(
            "objectClass",
            if kind == Kind::ActiveDirectory {
                b"user"
            } else {
                b"inetOrgPerson"
            },
        );
        let (first, last) = person.names;
        file.value(&format!("cn{state}"), format!("{first} {last}").as_bytes());
        file.value(&format!("sn{state}"), last.as_bytes());
        file.value("sn;lang-en", b"Other");
        file.value("givenName", first.as_bytes());
        if is_389 {
            file.value(
                "mail;adcsn-5e1f;vucsn-5e1f;vdcsn-5e1f;deleted",
                b"old@test.invalid",
            );
            file.value("title;adcsn-5e1f;vdcsn-5e1f;deletedattribute;deleted", b"Fool");
        }
        file.value(&format!("mail{state}"), email(place).as_bytes());
        match kind {
            Kind::ActiveDirectory => {
                file.value("sAMAccountName", format!("p{place}").as_bytes());
                file.value("objectGUID", &[place as u8; 16]);
                file.value("telephoneNumber", b"+49 30 1");
            }
            Kind::Replicated389 => file.value("nsUniqueId", format!("6d2c9b81-{place}").as_bytes()),
            Kind::FreeIpa => file.value("ipaUniqueID", format!("0f1e2d3c-{place}").as_bytes()),
            Kind::OpenLdap => file.value(
                "entryUUID",
                format!("11111111-1111-4111-8111-00000000000{place}").as_bytes(),
            ),
        }
        if kind != Kind::ActiveDirectory {
            file.value("uid", format!("p{place}").as_bytes());
        }
        for (name, value) in account(kind, person.standing).0 {
            file.value(name, value.as_bytes());
        }
        if person.photo {
            file.value("jpegPhoto", &[0xff, 0xd8, 0, 7].repeat(200));
        }
        file.optional("title", person.title);
        file.optional(
            if kind == Kind::ActiveDirectory {
                "department"
            } else {
                "ou"
            },
            person.department,
        );
        if let Some(manager) = manager(people, place) {
            file.value("manager", dn(kind, manager, &people[manager]).as_bytes());
        }
        file.end();
    }
    for group in ["Admins", "Board, small"] {
        let members = people
            .iter()
            .enumerate()
            .filter(|(_, person)| person.group == Some(group) && person.standing != Standing::Deleted);
        let members: Vec<String> = members.map(|(place, person)| dn(kind, place, person)).collect();
        file.value(
            "dn",
            format!("cn={},ou=groups,dc=test", group.replace(',', "\\,")).as_bytes(),
        );
        file.value(
            "objectClass",
            if kind == Kind::ActiveDirectory {
                b"group"
            } else {
                b"groupOfNames"
            },
        );
        file.value("cn", group.as_bytes());
        members
            .iter()
            .for_each(|member| file.value("member", member.as_bytes()));
        file.end();
    }
    file.bytes
}

/// An LDIF file as it is written.
struct File<'s> {
    style: &'s Style,
    bytes: Vec<u8>,
    lines: usize,
}

impl File<'_> {
    fn optional(&mut self, name: &str, value: Option<&str>) {
        value
            .into_iter()
            .for_each(|value| self.value(name, value.as_bytes()));
    }

    fn value(&mut self, name: &str, value: &[u8]) {
        self.lines += 1;
        let name = match self.lines.is_multiple_of(self.style.upper_every) {
            true => name.to_uppercase(),
            false => name.to_owned(),
        };
        let is_plain =
            value.is_ascii() && !value.contains(&0) && !self.lines.is_multiple_of(self.style.base64_every);
        let line = match (is_plain, std::str::from_utf8(value)) {
            (true, Ok(text)) => format!("{name}: {text}"),
            _ => format!("{name}:: {}", STANDARD.encode(value)),
        };
        for (place, piece) in line.as_bytes().chunks(self.style.width).enumerate() {
            self.bytes.extend_from_slice(if place == 0 { b"" } else { b" " });
            self.bytes.extend_from_slice(piece);
            self.end();
        }
    }

    fn end(&mut self) {
        self.bytes.extend_from_slice(self.style.line_end().as_bytes());
    }
}
