//! What an LDIF record means: a person, a group, or something an import passes over.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::record::Record;
use crate::import::check;
use crate::import::dn::Dn;
use crate::import::{Group, Kind, Membership, OTHER_MAIL, Options, Person, dimension, in_order};

const PEOPLE: [&str; 3] = ["inetorgperson", "organizationalperson", "person"];
const GROUPS: [&str; 3] = ["groupofnames", "groupofuniquenames", "posixgroup"];
/// Active Directory calls a machine a person, too.
const NEITHER: &str = "computer";

/// Whether an attribute (short name in lower case) has a meaning here.
pub(super) fn reads(name: &str) -> bool {
    matches!(
        name,
        "objectclass"
            | "cn"
            | "sn"
            | "givenname"
            | "mail"
            | "uid"
            | "employeenumber"
            | "manager"
            | "departmentnumber"
            | "ou"
            | "l"
            | "title"
            | "member"
            | "uniquemember"
            | "memberuid"
    )
}

/// What a record is; `None` for neither a person nor a group.
pub(super) fn entry(record: &Record, options: &Options) -> Result<Option<Kind>, String> {
    let own: Vec<String> = record
        .all("objectClass")
        .iter()
        .map(|class| class.trim().to_lowercase())
        .collect();
    let is = |classes: &[&str]| own.iter().any(|class| classes.contains(&class.as_str()));
    if is(&[NEITHER]) {
        Ok(None)
    } else if is(&PEOPLE) {
        Ok(Some(Kind::Person(Box::new(record.person(options)?))))
    } else if is(&GROUPS) {
        Ok(Some(Kind::Group(record.group()?)))
    } else {
        Ok(None)
    }
}

impl Record {
    /// The values of an attribute that aren't blank: those without options, or else those of its first options.
    fn all(&self, attribute: &str) -> Vec<&str> {
        let given = self.values.iter();
        let given =
            given.filter(|value| value.name.eq_ignore_ascii_case(attribute) && !value.text.trim().is_empty());
        let options = given
            .clone()
            .map(|value| &value.options)
            .min_by_key(|options| !options.is_empty());
        given
            .filter(|value| Some(&value.options) == options)
            .map(|value| value.text.as_str())
            .collect()
    }

    fn first(&self, attribute: &str) -> Result<Option<String>, String> {
        self.all(attribute)
            .first()
            .map_or(Ok(None), |value| check::name(attribute, value))
    }

    fn person(&self, options: &Options) -> Result<Person, String> {
        let dn = dn("dn", &self.dn)?;
        let full_name = self.first("cn")?;
        let (first_name, last_name) =
            names(self.first("givenName")?, self.first("sn")?, full_name.as_deref())?;
        let username = self.first("uid")?;
        let mut mail = self.all("mail").into_iter().map(|mail| mail.trim_matches(' '));
        let email = check::email_of(("mail", mail.next()), ("uid", username.as_deref()), options)?;
        Ok(Person {
            key: dn.to_string(),
            metadata: other_mail(mail, &email)?,
            email,
            username,
            first_name,
            last_name,
            full_name,
            employee_id: self.first("employeeNumber")?,
            manager: self.manager()?,
            attributes: self.memberships(&dn)?,
            ..Person::default()
        })
    }

    fn manager(&self) -> Result<Option<String>, String> {
        let manager = self
            .all("manager")
            .first()
            .map(|manager| dn("manager", manager))
            .transpose()?;
        Ok(manager.map(|manager| manager.to_string()))
    }

    fn memberships(&self, dn: &Dn) -> Result<Vec<Membership>, String> {
        let sources = [
            ("ou", dimension::DEPARTMENT),
            ("departmentNumber", dimension::DEPARTMENT_NUMBER),
            ("l", dimension::LOCATION),
            ("title", dimension::TITLE),
        ];
        let mut memberships = Vec::new();
        for (attribute, dimension) in sources {
            for value in self.all(attribute) {
                // An `ou` the DN repeats says in which container the entry lies.
                if dimension == dimension::DEPARTMENT && dn.lies_under("ou", value) {
                    continue;
                }
                let name = check::name(attribute, value)?;
                memberships.extend(name.map(|name| Membership {
                    dimension: dimension.to_owned(),
                    name,
                }));
            }
        }
        // The values of these attributes don't differ by case alone (caseIgnoreMatch).
        let mut seen = HashSet::new();
        memberships.retain(|one| seen.insert((one.dimension.clone(), one.name.to_lowercase())));
        Ok(in_order(memberships))
    }

    fn group(&self) -> Result<Group, String> {
        let name = self.first("cn")?.ok_or("has no cn")?;
        let mut members = Vec::new();
        for attribute in ["member", "uniqueMember"] {
            for value in self.all(attribute) {
                let without_uid = value.rsplit_once("#'").filter(|_| attribute == "uniqueMember");
                members.push(dn(attribute, without_uid.map_or(value, |(dn, _)| dn))?.to_string());
            }
        }
        for username in self.all("memberUid") {
            members.extend(check::name("memberUid", username)?.map(|username| format!("uid={username}")));
        }
        let mut seen = HashSet::new();
        members.retain(|member| seen.insert(member.clone()));
        Ok(Group { name, members })
    }
}

fn dn(attribute: &str, text: &str) -> Result<Dn, String> {
    check::printable(attribute, text)?;
    Dn::parse(text).map_err(|fault| format!("{attribute}: is not a DN: {fault}"))
}

fn other_mail<'a>(others: impl Iterator<Item = &'a str>, first: &str) -> Result<Map<String, Value>, String> {
    let mut kept: Vec<Value> = Vec::new();
    for other in others {
        check::email("mail", other)?;
        if other != first && !kept.iter().any(|kept| kept == other) {
            kept.push(other.into());
        }
    }
    let others = (!kept.is_empty()).then(|| (OTHER_MAIL.to_owned(), Value::Array(kept)));
    Ok(others.into_iter().collect())
}

/// First and last name; one that is missing is what `cn` has beside the other. A `cn` with a comma, which may be
/// turned round, says nothing.
fn names(given: Option<String>, sn: Option<String>, cn: Option<&str>) -> Result<(String, String), String> {
    let (what, given, sn) = match (given, sn) {
        (Some(given), Some(sn)) => return Ok((given, sn)),
        (None, Some(sn)) => ("givenName", None, Some(sn)),
        (Some(given), None) => ("sn", Some(given), None),
        (None, None) => ("givenName and no sn", None, None),
    };
    let words: Vec<&str> = cn
        .filter(|cn| !cn.contains(','))
        .unwrap_or_default()
        .split_whitespace()
        .collect();
    if words.len() < 2 {
        return Err(format!("has no {what}, and cn has not both names"));
    }
    let is = |words: &[&str], name: &str| words.join(" ").to_lowercase() == name.to_lowercase();
    // Where the known name begins or ends cn, the other one is the rest; else the last word is the last name.
    let mut cuts = 1..words.len();
    let cut = cuts.find(|cut| match (&given, &sn) {
        (Some(given), _) => is(&words[..*cut], given),
        (None, Some(sn)) => is(&words[*cut..], sn),
        (None, None) => false,
    });
    let (first, last) = words.split_at(cut.unwrap_or(words.len() - 1));
    Ok((
        given.unwrap_or_else(|| first.join(" ")),
        sn.unwrap_or_else(|| last.join(" ")),
    ))
}
