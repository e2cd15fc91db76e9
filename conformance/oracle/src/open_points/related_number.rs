//! R11: where a record shows the number of its related records, and whether there are any.
//!
//! Accepted is any place in the record where it is found without doubt: `included`, `count`, the record itself, or an object of
//! their own such as `exists`; under the name of the relation or of its member, with or without an ending
//! (`manager_user_count`, `count.manager_user`, `exists.manager_user`), in any spelling of words. A place that the contract
//! describes as something else is not looked at.

use std::collections::BTreeSet;

use rollcall_contract::{Frame, Pointer, Relation, Template};
use serde_json::{Map, Value};

/// A form in which a relation can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RelationForm {
    /// The related records.
    Records,
    /// Their number.
    Count,
    /// Whether there are any.
    Exists,
}

impl RelationForm {
    /// Every form, in the order of lists with an entry for each.
    pub const ALL: [Self; 3] = [Self::Records, Self::Count, Self::Exists];

    /// What to ask for.
    pub fn name(self, relation: &Relation) -> String {
        match self {
            Self::Records => relation.name.clone(),
            Self::Count => relation.count_name(),
            Self::Exists => relation.exists_name(),
        }
    }

    /// The forms in which the contract has a relation.
    pub fn of(relation: &Relation) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|form| form.is_of(relation))
    }

    /// Whether the contract has a relation in this form.
    pub fn is_of(self, relation: &Relation) -> bool {
        self == Self::Records || self.place(relation).is_some()
    }

    /// Where a record shows a number or an existence.
    pub fn place(self, relation: &Relation) -> Option<&Pointer> {
        match self {
            Self::Records => None,
            Self::Count => relation.number_at.as_ref(),
            Self::Exists => relation.existence_at.as_ref(),
        }
    }

    /// Its position in [`RelationForm::ALL`].
    pub fn index(self) -> usize {
        match self {
            Self::Records => 0,
            Self::Count => 1,
            Self::Exists => 2,
        }
    }

    /// The words that a name may have before or after that of the relation, as letters.
    fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Records => &[],
            Self::Count => &["count", "counts", "number", "numberof", "num", "total", "size"],
            Self::Exists => &["exists", "exist", "present", "any", "has", "is"],
        }
    }

    /// Whether a value is of the type that the form has: a number, or a boolean.
    fn is_typed(self, value: &Value) -> bool {
        match self {
            Self::Records => false,
            Self::Count => value.is_number(),
            Self::Exists => value.is_boolean(),
        }
    }
}

/// A number or an existence, and where it was found.
#[derive(Clone, Debug, PartialEq)]
pub struct RelatedNumber<'r> {
    /// The place in the record.
    pub place: Pointer,
    /// The value, of whatever type.
    pub value: &'r Value,
}

impl RelatedNumber<'_> {
    /// Whether it is the count that the record shows in any case.
    pub fn is_own(&self, relation: &Relation) -> bool {
        relation.count_at.as_ref() == Some(&self.place)
    }
}

/// How sure it is that a member is the number of a relation: the least is the surest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Doubt {
    /// Its name says the relation and the form.
    Named,
    /// Its name says the relation; its type and the object that it stands in say the form.
    Typed,
}

/// Objects within objects are looked at down to this depth.
const DEPTH: usize = 2;

/// Finds the numbers of the relations of one list in its records.
#[derive(Clone, Debug, Default)]
pub struct RelatedNumbers {
    /// The members of a record that the contract describes as something else.
    others: BTreeSet<String>,
    /// The objects of a record in which numbers are expected.
    holders: Vec<Pointer>,
}

impl RelatedNumbers {
    /// For records of which the contract describes these members. Where the frame has related records and counts, numbers may
    /// be.
    pub fn beside(described: impl IntoIterator<Item = String>, frame: &Frame) -> Self {
        let parts = [
            Some(&frame.related.at),
            frame.number.as_ref(),
            frame.existence.as_ref(),
            frame.count.as_ref(),
        ];
        let mut holders: Vec<Pointer> = Vec::new();
        for holder in parts.into_iter().flatten().map(Template::holder) {
            if !holders.contains(holder) {
                holders.push(holder.clone());
            }
        }
        let mut numbers = Self {
            others: BTreeSet::new(),
            holders,
        };
        let others = described.into_iter().filter(|name| !numbers.holds(name));
        numbers.others = others.collect();
        numbers
    }

    /// Whether a member of a record holds numbers.
    fn holds(&self, name: &str) -> bool {
        let mut holders = self.holders.iter();
        holders.any(|holder| holder.segments().first().is_some_and(|first| first == name))
    }

    /// What a record shows of a relation in a form; none if it shows nothing.
    pub fn find<'r>(
        &self,
        record: &'r Value,
        relation: &Relation,
        form: RelationForm,
    ) -> Option<RelatedNumber<'r>> {
        let members = record.as_object()?;
        let usual = form.place(relation)?;
        let search = Search { relation, form };
        // The usual place first: most targets need no search.
        if let Some(value) = usual.find(record) {
            let place = usual.clone();
            return Some(RelatedNumber { place, value });
        }
        let mut best = None;
        // In the order of the places, so that of two that are as sure the first is taken.
        for holder in &self.holders {
            if let Some(object) = holder.find(record).and_then(Value::as_object) {
                search.within(object, holder, 1, &mut best);
            }
        }
        for (name, value) in members.iter().filter(|(name, _)| !self.holds(name)) {
            if self.others.contains(name) {
                continue;
            }
            search.at(name, value, &Pointer::default(), 0, &mut best);
        }
        best.map(|(_, found)| found)
    }
}

/// The search for one relation in one form.
struct Search<'s> {
    relation: &'s Relation,
    form: RelationForm,
}

impl Search<'_> {
    fn within<'r>(
        &self,
        object: &'r Map<String, Value>,
        place: &Pointer,
        depth: usize,
        best: &mut Option<(Doubt, RelatedNumber<'r>)>,
    ) {
        for (name, value) in object {
            self.at(name, value, place, depth, best);
        }
    }

    /// Looks at one member, and into it if it is an object.
    fn at<'r>(
        &self,
        name: &str,
        value: &'r Value,
        place: &Pointer,
        depth: usize,
        best: &mut Option<(Doubt, RelatedNumber<'r>)>,
    ) {
        let mut take = |doubt: Doubt, place: Pointer, value: &'r Value| {
            if best.as_ref().is_none_or(|(known, _)| doubt < *known) {
                *best = Some((doubt, RelatedNumber { place, value }));
            }
        };
        let letters = letters(name);
        match value {
            Value::Object(object) if self.is_relation(&letters) => {
                // `{"manager_user": {"count": 1}}`
                let own = object
                    .iter()
                    .find(|(name, _)| self.form.endings().contains(&self::letters(name).as_str()));
                if let Some((inner, value)) = own.filter(|(_, value)| self.form.is_typed(value)) {
                    take(Doubt::Named, place.child(name).child(inner), value);
                }
            }
            Value::Object(object) if depth < DEPTH => {
                self.within(object, &place.child(name), depth + 1, best);
            }
            Value::Object(_) | Value::Array(_) => {}
            value if self.is_named(&letters) => take(Doubt::Named, place.child(name), value),
            // The record itself says nothing of the form.
            value if depth > 0 && self.is_relation(&letters) && self.form.is_typed(value) => {
                take(Doubt::Typed, place.child(name), value);
            }
            _ => {}
        }
    }

    /// The names of the relation, as letters.
    fn names(&self) -> impl Iterator<Item = String> + '_ {
        let count = self
            .relation
            .count
            .iter()
            .filter(|_| self.form == RelationForm::Count);
        let names = [&self.relation.member, &self.relation.name]
            .into_iter()
            .chain(count);
        names.map(|name| letters(name))
    }

    fn is_relation(&self, letters: &str) -> bool {
        self.names().any(|name| name == letters)
    }

    /// Whether a name is that of the relation with a word of the form before or after it.
    fn is_named(&self, letters: &str) -> bool {
        let is_word = |word: &str| self.form.endings().contains(&word);
        self.names().any(|name| {
            letters.strip_prefix(name.as_str()).is_some_and(is_word)
                || letters.strip_suffix(name.as_str()).is_some_and(is_word)
        })
    }
}

/// The letters and digits of a name, small.
fn letters(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn relation(name: &str, count: Option<&str>) -> Relation {
        let (frame, member) = (Frame::default(), name.replace('-', "_"));
        let at = |part: Option<Template>, member: &str| Some(part?.at(member));
        Relation {
            name: name.to_owned(),
            at: frame.related.at.at(&member),
            number_at: at(frame.number, &member),
            existence_at: at(frame.existence, &member),
            count_at: count.and_then(|count| at(frame.count, count)),
            member,
            many: false,
            record: None,
            join: None,
            count: count.map(str::to_owned),
            listed_by: None,
        }
    }

    fn found(record: &Value, name: &str, count: Option<&str>, form: RelationForm) -> Option<String> {
        let described = ["id", "org", "metadata", "links", "timestamp", "count", "included"];
        let numbers = RelatedNumbers::beside(described.map(str::to_owned), &Frame::default());
        let found = numbers.find(record, &relation(name, count), form)?;
        Some(format!("{} {}", found.place, found.value))
    }

    #[test]
    fn a_number_is_found_at_every_place_and_in_every_spelling() {
        for (record, place) in [
            (
                json!({"included": {"manager_user_count": 1}}),
                "/included/manager_user_count 1",
            ),
            (
                json!({"included": {"managerUserCount": 1}}),
                "/included/managerUserCount 1",
            ),
            (
                json!({"included": {"manager-user-count": 1}}),
                "/included/manager-user-count 1",
            ),
            (
                json!({"included": {"manager_user": 1}}),
                "/included/manager_user 1",
            ),
            (json!({"count": {"manager_user": 1}}), "/count/manager_user 1"),
            (json!({"count": {"managerUser": 1}}), "/count/managerUser 1"),
            (json!({"manager_user_count": 1}), "/manager_user_count 1"),
            (
                json!({"aggregates": {"manager_user": {"count": 1}}}),
                "/aggregates/manager_user/count 1",
            ),
            (
                json!({"included": {"count": {"manager-user": 1}}}),
                "/included/count/manager-user 1",
            ),
            (
                json!({"counts": {"manager_user": "one", "manager_user_total": 1}}),
                "/counts/manager_user_total 1",
            ),
        ] {
            let found = found(&record, "manager-user", None, RelationForm::Count);
            assert_eq!(found.as_deref(), Some(place), "{record}");
        }
    }

    #[test]
    fn an_existence_is_found_in_an_object_of_its_own() {
        let exists = |record: Value| found(&record, "manager-user", None, RelationForm::Exists);
        let of = |place: &str| Some(place.to_owned());
        assert_eq!(
            exists(json!({"exists": {"manager_user": true}})),
            of("/exists/manager_user true")
        );
        assert_eq!(
            exists(json!({"hasManagerUser": false})),
            of("/hasManagerUser false")
        );
        assert_eq!(
            exists(json!({"included": {"manager_user_exists": 1}})),
            of("/included/manager_user_exists 1")
        );
        // A number is no existence, and a related record is no answer to the question.
        assert_eq!(exists(json!({"count": {"manager_user": 1}})), None);
        assert_eq!(
            exists(json!({"included": {"manager_user": {"is_manager": true}}})),
            None
        );
        assert_eq!(exists(json!({"manager_user": true})), None);
    }

    #[test]
    fn a_place_that_is_described_as_something_else_is_not_looked_at() {
        let count = |record: Value| found(&record, "manager-user", None, RelationForm::Count);
        for record in [
            json!({"metadata": {"manager_user_count": 7}}),
            json!({"org": {"manager_user": 7}}),
            json!({"count": {"manager_users_of_others": 7}}),
        ] {
            assert_eq!(count(record.clone()), None, "{record}");
        }
    }

    #[test]
    fn the_surest_name_is_taken_and_the_usual_count_of_a_record_is_one() {
        let both = json!({"count": {"manifest_rules": 3}, "policy_rules_manifest_count": 2});
        let name = "policy-rules-manifest";
        let count = RelationForm::Count;
        let found_with = |record: &Value| found(record, name, Some("manifest_rules"), count);
        assert_eq!(
            found_with(&both).as_deref(),
            Some("/policy_rules_manifest_count 2")
        );
        let own = json!({"count": {"manifest_rules": 3}});
        assert_eq!(found_with(&own).as_deref(), Some("/count/manifest_rules 3"));
    }
}
