//! The frame of a record: where it shows its related records, counts, links, timestamps and its state: `x-frame`.
//!
//! Names of members are in the schemas; this says what they are names of. Whoever looks for a part of a record asks the
//! frame, so that a contract in which records look different needs no other code.

use serde::Deserialize;
use serde_json::Value;

use crate::list::{Relation, WrittenRelation};
use crate::place::Place;
use crate::pointer::NotAPointer;
use crate::{Contract, List, Pointer};

/// Where the parts of a record are. The places of a contract without `x-frame` are [`Frame::default`]. A part without a
/// place does not exist in its records.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Frame {
    /// Members of the record that are in an object of their own, such as `/attributes/{member}`.
    pub members: Option<Template>,
    /// The related records of each relation.
    pub related: Related,
    /// Their number, where it was asked for by `R-count`.
    pub number: Option<Template>,
    /// Whether there are any, where it was asked for by `R-exists`.
    pub existence: Option<Template>,
    /// The counts that every record shows.
    pub count: Option<Template>,
    /// The links.
    pub links: Option<Template>,
    /// The timestamps that are in an object of their own.
    pub timestamps: Option<Template>,
    /// When the record was created: no write changes it.
    pub created: Option<Pointer>,
    /// When the record was changed last: every write may change it.
    pub updated: Option<Pointer>,
    /// The state.
    pub state: Option<Pointer>,
}

/// Where related records are.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "WrittenRelated")]
pub struct Related {
    /// Their place in the record. If they are at the top of the answer, this is where a reader of the answer puts them: at the
    /// same pointer, by relation.
    pub at: Template,
    /// How they are found, if they are at the top of the answer.
    pub linked: Option<Linked>,
}

/// Related records that are at the top of the answer, records of all relations together.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Linked {
    /// Where they are in the answer.
    pub records: Pointer,
    /// Where a record refers to those of a relation: an object, an array of objects, or null.
    pub references: Template,
    /// The members that a reference and its record have in common, such as `/type` and `/id`.
    pub by: Vec<Pointer>,
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "`related` is a pointer with `{member}`, or has `records`, `references` and `by`"
)]
enum WrittenRelated {
    At(Template),
    Linked(Linked),
}

impl From<WrittenRelated> for Related {
    fn from(written: WrittenRelated) -> Self {
        match written {
            WrittenRelated::At(at) => Self { at, linked: None },
            WrittenRelated::Linked(linked) => Self {
                at: Template::below(linked.records.clone(), ""),
                linked: Some(linked),
            },
        }
    }
}

impl Default for Frame {
    fn default() -> Self {
        let object = |name: &str| Template::below(Pointer::of([name]), "");
        let (related, timestamps) = (object("included"), object("timestamp"));
        let form = |ending: &str| Template::below(related.holder.clone(), ending);
        Self {
            members: None,
            number: Some(form("_count")),
            existence: Some(form("_exists")),
            count: Some(object("count")),
            links: Some(object("links")),
            created: Some(timestamps.at("created_at")),
            updated: Some(timestamps.at("updated_at")),
            timestamps: Some(timestamps),
            state: Some(Pointer::of(["state"])),
            related: Related {
                at: related,
                linked: None,
            },
        }
    }
}

impl Frame {
    /// The state that a record shows.
    pub fn state_of<'r>(&self, record: &'r Value) -> Option<&'r str> {
        self.state.as_ref()?.find(record)?.as_str()
    }

    /// Whether a member of a record holds its relations: related records, or references to them.
    pub fn holds_relations(&self, member: &str) -> bool {
        let references = self.related.linked.iter().map(|linked| &linked.references);
        let mut templates = [&self.related.at].into_iter().chain(references);
        templates.any(|one| one.holder.segments().first().is_some_and(|first| first == member))
    }

    /// The objects with members that follow from other records: related records, counts and links.
    pub fn derived(&self) -> impl Iterator<Item = &Pointer> {
        let parts = [Some(&self.related.at), self.count.as_ref(), self.links.as_ref()];
        parts.into_iter().flatten().map(|part| &part.holder)
    }

    /// Where a record shows in which part of its life it is: its state, and the object of its timestamps.
    pub fn of_life(&self) -> impl Iterator<Item = &Pointer> {
        let timestamps = self.timestamps.as_ref().map(Template::holder);
        self.state.iter().chain(timestamps)
    }

    /// Whether a member is the state or one of the timestamps.
    pub fn is_of_life(&self, place: &Pointer) -> bool {
        let mut places = self.of_life();
        places.any(|of_life| place.segments().starts_with(of_life.segments()))
    }

    /// The places of a relation.
    pub(crate) fn relation(&self, name: String, written: WrittenRelation) -> Relation {
        let member = written.member.unwrap_or_else(|| name.replace('-', "_"));
        let at = |part: &Option<Template>, member: &str| part.as_ref().map(|part| part.at(member));
        Relation {
            at: self.related.at.at(&member),
            number_at: at(&self.number, &member),
            existence_at: at(&self.existence, &member),
            count_at: written.count.as_deref().and_then(|count| at(&self.count, count)),
            name,
            member,
            many: written.many,
            record: written.record,
            join: written.join,
            count: written.count,
            listed_by: written.listed_by,
        }
    }
}

impl Contract {
    /// The schema of what a record shows of a relation, to be converted: as it is written at its place, or that of the records
    /// at the top of the answer.
    pub fn relation_schema(&self, list: &List, relation: &Relation) -> Option<Value> {
        if self.frame.related.linked.is_none() {
            return self.member_schema(&list.record, &relation.at).cloned();
        }
        let one = serde_json::json!({"$ref": format!("#/components/schemas/{}", relation.record.as_ref()?)});
        Some(match relation.many {
            true => serde_json::json!({"type": "array", "items": one}),
            false => one,
        })
    }

    /// A member of a related record, by its place in the record that has the relation.
    pub(crate) fn related_member(
        &self,
        list: &List,
        relation: &Relation,
        place: &Pointer,
    ) -> Option<Place<'_>> {
        let within = place.segments().strip_prefix(relation.at.segments())?;
        let within = Pointer::of(within.iter().map(String::as_str));
        match (&self.frame.related.linked, within == Pointer::root()) {
            (_, true) => None,
            (None, false) => self.member(&list.record, place),
            (Some(_), false) => self.member(relation.record.as_deref()?, &within),
        }
    }
}

/// What stands for the name of a member.
const MEMBER: &str = "{member}";

/// A place for each of several members: a JSON pointer in which one name contains `{member}`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Template {
    holder: Pointer,
    before: String,
    after: String,
    rest: Pointer,
}

/// The text is no template.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotATemplate {
    /// It is no pointer.
    #[error(transparent)]
    NotAPointer(#[from] NotAPointer),
    /// It is a pointer to one member.
    #[error("`{0}` does not contain `{{member}}` once, where the name of the member is")]
    NoMember(String),
}

impl Template {
    /// The members of an object, with an ending of their names.
    fn below(holder: Pointer, ending: &str) -> Self {
        Self {
            holder,
            before: String::new(),
            after: ending.to_owned(),
            rest: Pointer::root(),
        }
    }

    /// The place of a member.
    pub fn at(&self, member: &str) -> Pointer {
        let own = self
            .holder
            .child(&format!("{}{member}{}", self.before, self.after));
        self.rest
            .segments()
            .iter()
            .fold(own, |place, name| place.child(name))
    }

    /// The object in which the members are, or objects that they are in.
    pub fn holder(&self) -> &Pointer {
        &self.holder
    }

    /// The place of a member below its name.
    pub(crate) fn rest(&self) -> &Pointer {
        &self.rest
    }

    /// Whether the members themselves are in the holder, and not objects with them.
    pub fn is_direct(&self) -> bool {
        self.rest == Pointer::root()
    }

    /// The member that a name in the holder stands for.
    pub fn member<'n>(&self, name: &'n str) -> Option<&'n str> {
        let member = name.strip_prefix(self.before.as_str())?;
        member.strip_suffix(self.after.as_str())
    }

    /// The names from the place of a member to a place within it; none if it is no place within a member.
    pub fn within<'p>(&self, place: &'p Pointer) -> Option<&'p [String]> {
        let below = place.segments().strip_prefix(self.holder.segments())?;
        let (name, below) = below.split_first()?;
        self.member(name)?;
        below.strip_prefix(self.rest.segments())
    }

    /// The members that a record shows, each with its value.
    pub fn values<'t, 'r>(&'t self, record: &'r Value) -> impl Iterator<Item = &'r Value> + use<'t, 'r> {
        let members = self.holder.find(record).and_then(Value::as_object);
        let members = members.into_iter().flatten();
        members.filter_map(|(name, value)| self.member(name).and_then(|_| self.rest.find(value)))
    }
}

impl TryFrom<String> for Template {
    type Error = NotATemplate;

    fn try_from(text: String) -> Result<Self, NotATemplate> {
        let pointer: Pointer = text.parse()?;
        let names: Vec<&str> = pointer.segments().iter().map(String::as_str).collect();
        let mut own = names.iter().enumerate().filter(|(_, name)| name.contains(MEMBER));
        let found = own.next().filter(|_| own.next().is_none());
        let parts = found.and_then(|(at, name)| Some((at, name.split_once(MEMBER)?)));
        match parts.filter(|(_, (_, after))| !after.contains(MEMBER)) {
            None => Err(NotATemplate::NoMember(text)),
            Some((at, (before, after))) => Ok(Self {
                holder: Pointer::of(names[..at].iter().copied()),
                before: before.to_owned(),
                after: after.to_owned(),
                rest: Pointer::of(names[at + 1..].iter().copied()),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn template(text: &str) -> Result<Template, NotATemplate> {
        Template::try_from(text.to_owned())
    }

    #[test]
    fn a_template_contains_the_member_once() {
        for text in [
            "/a",
            "a/{member}",
            "",
            "/{member}/{member}",
            "/{member}{member}",
            "/{name}",
        ] {
            assert!(template(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn the_place_of_a_member_is_found_again(
            before in "(/[a-c]{1,2}){0,2}/[a-c]{0,2}",
            after in "[d-f]{0,2}(/[a-f]{1,2}){0,2}",
            member in "[g-z]{1,4}",
        ) {
            let template = template(&format!("{before}{{member}}{after}")).unwrap();
            let place = template.at(&member);
            prop_assert_eq!(place.to_string(), format!("{before}{member}{after}"));
            prop_assert_eq!(template.within(&place), Some(&[] as &[String]));
            let deeper = place.child("x").child("y");
            prop_assert_eq!(template.within(&deeper), Some(&["x".to_owned(), "y".to_owned()] as &[String]));
        }
    }

    #[test]
    fn the_values_of_all_members_are_found() {
        let record = json!({"relationships": {"a": {"meta": {"count": 2}}, "b": {"meta": {}}, "c": {"meta": {"count": 3}}}});
        let counts = template("/relationships/{member}/meta/count").unwrap();
        assert_eq!(counts.values(&record).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(counts.values(&json!([])).count(), 0);
    }

    #[test]
    fn a_part_that_is_left_out_is_where_it_usually_is_and_null_is_none() {
        let frame: Frame =
            serde_json::from_value(json!({"state": "/attributes/status", "number": null})).unwrap();
        let usual = Frame::default();
        assert_eq!(frame.state, Some(Pointer::of(["attributes", "status"])));
        assert_eq!((frame.number, frame.related), (None, usual.related));
    }
}
