//! Entries that directory servers keep although nobody works there: deleted, preserved, staged and conflicting ones.
//!
//! They have the classes of people. An import that took them for people would bring deleted people back.

use super::record::Record;

/// What an entry is to its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Placement {
    /// An entry like any other.
    Live,
    /// A person who has not begun yet.
    Staged,
    /// Passed over, under this name.
    Aside(&'static str),
}

/// Names of what is passed over.
const DELETED: &str = "deleted entry";
const CONFLICT: &str = "replication conflict";

/// Containers of entries aside, by the beginning of their RDN's value in lower case.
///
/// FreeIPA keeps preserved and staged users below `cn=accounts,cn=provisioning`, Active Directory deleted objects in
/// `CN=Deleted Objects`.
const CONTAINERS: &[(&str, Placement)] = &[
    ("deleted objects", Placement::Aside(DELETED)),
    ("deleted users", Placement::Aside(DELETED)),
    ("staged users", Placement::Staged),
];

/// Classes of entries aside, in lower case.
const CLASSES: &[(&str, Placement)] = &[
    ("nstombstone", Placement::Aside(DELETED)),
    ("glue", Placement::Aside(CONFLICT)),
];

/// Attributes that say it with the value `TRUE`, or with any value.
const ATTRIBUTES: &[(&str, Option<&str>, Placement)] = &[
    ("isdeleted", Some("true"), Placement::Aside(DELETED)),
    ("inetuserstatus", Some("deleted"), Placement::Aside(DELETED)),
    ("nsds5replconflict", None, Placement::Aside(CONFLICT)),
];

/// Whether the attribute (short name in lower case) says where an entry stands.
pub(super) fn reads(name: &str) -> bool {
    ATTRIBUTES.iter().any(|(known, _, _)| *known == name)
}

/// What an entry with these classes, in lower case, is to its source.
pub(super) fn placement(record: &Record, classes: &[String]) -> Placement {
    let by_class = CLASSES
        .iter()
        .find(|(class, _)| classes.iter().any(|own| own == class));
    let by_attribute = ATTRIBUTES.iter().find(|(name, wanted, _)| {
        let mut values = record.values.iter().filter(|value| value.name == *name);
        values.any(|value| wanted.is_none_or(|wanted| value.text.trim().eq_ignore_ascii_case(wanted)))
    });
    let found = by_class
        .map(|(_, placement)| *placement)
        .or(by_attribute.map(|(_, _, placement)| *placement));
    found.unwrap_or_else(|| by_name(&record.dn.to_ascii_lowercase()))
}

/// What the DN says, in lower case as written: it need not be one that can be read, for the names of deleted objects have a
/// control character.
fn by_name(dn: &str) -> Placement {
    let marks = [
        ("\\0adel:", DELETED),
        ("\ndel:", DELETED),
        ("\\0acnf:", CONFLICT),
        ("\ncnf:", CONFLICT),
    ];
    if let Some((_, name)) = marks.iter().find(|(mark, _)| dn.contains(mark)) {
        return Placement::Aside(name);
    }
    // The first RDN is the entry itself.
    let mut containers = dn.split([',', ';']).skip(1).filter_map(|rdn| {
        let (kind, value) = rdn.split_once('=')?;
        let known = CONTAINERS.iter().find(|(name, _)| value.trim() == *name);
        known
            .filter(|_| kind.trim() == "cn")
            .map(|(_, placement)| *placement)
    });
    containers.next().unwrap_or(Placement::Live)
}

#[cfg(test)]
mod tests {
    use super::{CONFLICT, DELETED, Placement, by_name};

    #[test]
    fn names_tell_where_an_entry_stands() {
        for (dn, placement) in [
            ("uid=ann,ou=people,dc=x", Placement::Live),
            ("cn=deleted users,dc=x", Placement::Live),
            (
                "uid=ann,cn=deleted users,cn=accounts,cn=provisioning,dc=x",
                Placement::Aside(DELETED),
            ),
            (
                "uid=ann, cn = staged users ,cn=accounts,cn=provisioning,dc=x",
                Placement::Staged,
            ),
            (
                "cn=ann\\0adel:0a1b,cn=deleted objects,dc=x",
                Placement::Aside(DELETED),
            ),
            ("cn=ann\\0acnf:0a1b,ou=people,dc=x", Placement::Aside(CONFLICT)),
        ] {
            assert_eq!(by_name(dn), placement, "{dn}");
        }
    }
}
