//! What an LDIF record means: a person, a group, or something an import passes over.

use std::collections::HashSet;

use serde_json::Map;

use rollcall::model::DirectoryUserState as State;
use rollcall_store::fold::letter_case;

use super::attributes;
use super::placement::{Placement, placement};
use super::record::{Record, Value};
use super::unique_id;
use crate::column::Column;
use crate::dn::Dn;
use crate::mapping::Target;
use crate::standing::Standing;
use crate::{
    Group, Kind, MAX_NAME, Mapping, Membership, OTHER_MAIL, Options, Person, check, dimension, in_order,
};

const PEOPLE: [&str; 3] = ["inetorgperson", "organizationalperson", "person"];
const GROUPS: [&str; 4] = ["groupofnames", "groupofuniquenames", "posixgroup", "group"];
/// Active Directory calls a machine a person, too.
const NEITHER: &str = "computer";

/// What a record is to an import.
pub(super) enum Meaning {
    /// A person or a group.
    Entry(Kind),
    /// Something that is passed over, under the name it is counted by.
    Aside(String),
}

/// What a record is.
///
/// # Errors
/// The reason why the person or the group it describes cannot be taken.
pub(super) fn entry(record: &Record, options: &Options) -> Result<Meaning, String> {
    let own: Vec<String> = record
        .all("objectclass")
        .iter()
        .map(|class| class.trim().to_ascii_lowercase())
        .collect();
    let is = |classes: &[&str]| own.iter().any(|class| classes.contains(&class.as_str()));
    let placement = placement(record, &own);
    if let Placement::Aside(what) = placement {
        return Ok(Meaning::Aside(what.to_owned()));
    }
    if is(&[NEITHER]) || !(is(&PEOPLE) || is(&GROUPS)) {
        return Ok(Meaning::Aside(classes(record)));
    }
    if !is(&PEOPLE) {
        return Ok(Meaning::Entry(Kind::Group(record.group()?)));
    }
    let mut person = record.person(options)?;
    if placement == Placement::Staged {
        person.state.get_or_insert(State::Staged.to_string());
    }
    Ok(Meaning::Entry(Kind::Person(Box::new(person))))
}

/// The classes of an entry as written, without `top`: `account posixAccount`.
fn classes(record: &Record) -> String {
    let all = record.all("objectclass");
    let named: Vec<&str> = all
        .into_iter()
        .map(str::trim)
        .filter(|class| !class.eq_ignore_ascii_case("top"))
        .collect();
    match named.is_empty() {
        true => "entry without a class".to_owned(),
        false => check::label(&named.join(" ")),
    }
}

impl Record {
    /// The values of an attribute (short name in lower case) that aren't blank: those without a language, or else those of its
    /// first language.
    pub(super) fn given(&self, attribute: &str) -> Vec<&Value> {
        let given = self.values.iter();
        let given = given.filter(|value| value.name == attribute && !value.text.trim().is_empty());
        let language = given
            .clone()
            .map(|value| &value.language)
            .min_by_key(|language| !language.is_empty());
        given.filter(|value| Some(&value.language) == language).collect()
    }

    fn all(&self, attribute: &str) -> Vec<&str> {
        self.given(attribute)
            .into_iter()
            .map(|value| value.text.as_str())
            .collect()
    }

    fn name(&self, attribute: &str) -> Result<Option<String>, String> {
        self.all(attribute)
            .first()
            .map_or(Ok(None), |value| check::name(attribute, value))
    }

    /// The first of these attributes that the entry has.
    fn identifier(&self, attributes: &[&str]) -> Result<Option<String>, String> {
        let mut given = attributes
            .iter()
            .filter_map(|attribute| Some((attribute, *self.all(attribute).first()?)));
        given
            .next()
            .map_or(Ok(None), |(attribute, value)| check::identifier(attribute, value))
    }

    fn person(&self, options: &Options) -> Result<Person, String> {
        let dn = dn("dn", &self.dn)?;
        let full_name = match self.all("cn").first() {
            Some(cn) => check::full_name("cn", cn)?,
            None => None,
        };
        let (first_name, last_name) = names(self.name("givenname")?, self.name("sn")?, full_name.as_deref())?;
        // What was taken from a full name may be longer than a name.
        for name in [&first_name, &last_name] {
            check::text("cn", name, MAX_NAME)?;
        }
        let username = self.identifier(&["uid", "samaccountname"])?;
        let mut mail = self.all("mail").into_iter().map(|mail| mail.trim_matches(' '));
        let address = match mail.next() {
            Some(address) => ("mail", Some(address)),
            None => match self.all("userprincipalname").first() {
                Some(address) => ("userPrincipalName", Some(*address)),
                None => ("mail", None),
            },
        };
        let email = check::email_of(address, ("uid", username.as_deref()), options)?;
        let values = self.values.iter().filter(|value| !value.text.is_empty());
        let standing = Standing::of(values.map(|value| (value.name.as_str(), value.text.as_str())))?;
        let employee_id = self.identifier(&["employeenumber", "employeeid"])?;
        let value = |name: &str| {
            let found = self.values.iter().find(|value| value.name == name)?;
            Some(found.text.as_str())
        };
        let (identified_by, key) = unique_id::key(value).unwrap_or_else(|| ("DN", dn.to_string()));
        let mut person = Person {
            identified_by,
            key,
            dn: Some(dn.to_string()),
            metadata: other_mail(mail, &email)?,
            email,
            username,
            first_name,
            last_name,
            full_name,
            employee_alt_id: self
                .identifier(&["employeeid"])?
                .filter(|id| Some(id) != employee_id.as_ref()),
            employee_id,
            manager: self.manager()?,
            attributes: self.memberships(&dn)?,
            state: standing.state.map(|state| state.to_string()),
            expires_at: standing.expires_at,
            is_open: standing.is_open() || (options.clear_missing && !standing.is_stated),
            ..Person::default()
        };
        self.map(&options.mapping, &mut person)?;
        Ok(person)
    }

    /// Adds what a mapping makes of attributes that have no meaning of their own.
    fn map(&self, mapping: &Mapping, person: &mut Person) -> Result<(), String> {
        let mapped = self.values.iter().filter(|value| !value.text.trim().is_empty());
        for value in mapped {
            let Some(Target::Read(source)) = mapping.target(&value.name) else {
                continue;
            };
            let text = source.value(&value.text)?;
            match &source.column {
                Column::Field(field) => {
                    let place = person.optional(*field).ok_or_else(|| {
                        format!("{}: {} cannot be mapped to in LDIF", value.name, field.name())
                    })?;
                    let text = check::identifier(field.name(), text)?;
                    *place = place.take().or(text);
                }
                Column::Org(handle) => {
                    let name = check::name(&value.name, text)?;
                    let dimension = handle.clone();
                    person
                        .attributes
                        .extend(name.map(|name| Membership { dimension, name }));
                }
                Column::Metadata(key) => {
                    check::printable(&value.name, text)?;
                    person.metadata.entry(key).or_insert_with(|| text.into());
                }
                other => return Err(format!("{}: {other} cannot be mapped to in LDIF", value.name)),
            }
        }
        person.attributes = in_order(std::mem::take(&mut person.attributes));
        Ok(())
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
        let mut memberships = Vec::new();
        for (attribute, dimension) in attributes::dimensions() {
            for value in self.all(attribute) {
                // An `ou` the DN repeats says in which container the entry lies.
                if dimension == dimension::DEPARTMENT && dn.lies_under("ou", value) {
                    continue;
                }
                let name = match dimension == dimension::GROUPS {
                    true => check::name(attribute, &entry_name(attribute, value)?)?,
                    false => check::name(attribute, value)?,
                };
                memberships.extend(name.map(|name| Membership {
                    dimension: dimension.to_owned(),
                    name,
                }));
            }
        }
        // The values of these attributes don't differ by case alone (caseIgnoreMatch).
        let mut seen = HashSet::new();
        memberships.retain(|one| seen.insert((one.dimension.clone(), letter_case(&one.name))));
        Ok(in_order(memberships))
    }

    fn group(&self) -> Result<Group, String> {
        let name = self.name("cn")?.ok_or("has no cn")?;
        let mut members = Vec::new();
        for attribute in ["member", "uniquemember"] {
            for value in self.all(attribute) {
                let without_uid = value.rsplit_once("#'").filter(|_| attribute == "uniquemember");
                members.push(dn(attribute, without_uid.map_or(value, |(dn, _)| dn))?.to_string());
            }
        }
        for username in self.all("memberuid") {
            members
                .extend(check::identifier("memberUid", username)?.map(|username| format!("uid={username}")));
        }
        let mut seen = HashSet::new();
        members.retain(|member| seen.insert(member.clone()));
        Ok(Group { name, members })
    }
}

fn dn(attribute: &str, text: &str) -> Result<Dn, String> {
    check::printable(attribute, text)?;
    check::visible(attribute, text)?;
    Dn::parse(text).map_err(|fault| format!("{attribute}: is not a DN: {fault}"))
}

fn entry_name(attribute: &str, text: &str) -> Result<String, String> {
    check::printable(attribute, text)?;
    Dn::entry_name(text).map_err(|fault| format!("{attribute}: is not a DN: {fault}"))
}

fn other_mail<'a>(
    others: impl Iterator<Item = &'a str>,
    first: &str,
) -> Result<Map<String, serde_json::Value>, String> {
    let mut kept: Vec<serde_json::Value> = Vec::new();
    for other in others {
        check::email("mail", other)?;
        if other != first && !kept.iter().any(|kept| kept == other) {
            kept.push(other.into());
        }
    }
    let others = (!kept.is_empty()).then(|| (OTHER_MAIL.to_owned(), serde_json::Value::Array(kept)));
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
