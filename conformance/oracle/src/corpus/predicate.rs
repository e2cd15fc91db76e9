//! What a filter says of a record: that it belongs to the answer, that it does not, or that the specification leaves it
//! open.
//!
//! Invariant: whatever an open point could turn either way is [`Membership::Unspecified`]: case (L9, L10), timestamps near a bound and
//! nulls behind one (L16), values that are no text.

use rollcall_contract::{Condition, Match, Pointer, Test, TrashedWords, ValueKind};
use serde_json::Value;

use crate::corpus::clause::Clause;
use crate::corpus::list_spec::JudgedFilter;
use crate::corpus::members::{shown_at, spelled};
pub use crate::corpus::membership::{MARGIN, Membership, ONLY, WITH, WITHOUT, folded};
use crate::corpus::membership::{after, before, contains, trashed};
use crate::corpus::records::{Record, id_of};
use crate::corpus::snapshot::Snapshot;
use crate::corpus::{ListCorpus, Projection};
use crate::open_points::blanks::Blanks;

/// A filter on one list, and where the members it looks at can be seen.
#[derive(Clone, Debug, PartialEq)]
pub struct ObservableFilter {
    /// The list, as an index into the corpus.
    pub list: usize,
    /// The parameter's name.
    pub name: String,
    /// The clause that has it.
    pub clause: Clause,
    /// The way to read the list in which the members are seen.
    pub projection: Projection,
    /// Where they stand then; one of them has to match.
    pub places: Vec<Pointer>,
    /// How they match.
    pub matching: Match,
    /// The values the filter takes.
    pub kind: ValueKind,
    /// The conditions a flag stands for together.
    pub all: Vec<Condition>,
    /// How it spells its values, if it is about soft deletion.
    words: TrashedWords,
    identifies: bool,
    blanks: Blanks,
}

/// What a record shows of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemberValue {
    /// This value, as a filter spells it.
    Value(String),
    /// That it has none.
    Null,
    /// Nothing that tells.
    Unknown,
}

impl ObservableFilter {
    /// Whether its values are timestamps that bound a window.
    pub fn is_bound(&self) -> bool {
        matches!(self.matching, Match::Before | Match::After)
    }

    /// The filter with the projection in which its members are seen; none if they are seen nowhere.
    pub fn of(list: usize, judged: &JudgedFilter) -> Option<Self> {
        let filter = &judged.filter;
        let (projection, places) = match &filter.seen_in {
            Some(seen) if !filter.shown => {
                (Projection::Including(seen.include.clone()), vec![seen.at.clone()])
            }
            None if !filter.shown => return None,
            _ => (Projection::Default, filter.fields.clone()),
        };
        Some(Self::at(list, judged, projection, places))
    }

    /// A filter whose members are seen nowhere: nothing can be said of any record.
    pub fn unseen(list: usize, judged: &JudgedFilter) -> Self {
        Self::at(list, judged, Projection::Default, Vec::new())
    }

    fn at(list: usize, judged: &JudgedFilter, projection: Projection, places: Vec<Pointer>) -> Self {
        let JudgedFilter {
            name,
            clause,
            filter,
            identifies,
            blanks,
        } = judged;
        Self {
            list,
            name: name.clone(),
            clause: clause.clone(),
            projection,
            places,
            matching: filter.matching,
            kind: filter.value.clone(),
            all: filter.all.clone(),
            words: filter.words.clone(),
            identifies: *identifies,
            blanks: *blanks,
        }
    }

    /// Whether it is an exact filter by the record's own identifier.
    pub fn is_identifier(&self) -> bool {
        self.identifies && self.projection == Projection::Default
    }

    /// Whether it is what lists a relation whose join members show on both sides.
    pub fn is_join(&self, list: &ListCorpus) -> bool {
        let spec = &list.spec;
        spec.list.relations.iter().any(|relation| {
            let listed_by = relation.listed_by.as_ref();
            let here =
                listed_by.is_some_and(|by| by.operation == spec.operation.id && by.filter == self.name);
            let join = relation.join.as_ref().filter(|_| here);
            join.is_some_and(|join| self.places.first() == Some(&join.theirs))
        })
    }

    /// Whether it looks at the member that shows soft deletion, and is not the filter that says which records are listed.
    pub fn is_by_deletion(&self, list: &ListCorpus) -> bool {
        let mark = list.spec.deletion_mark();
        self.matching != Match::Trashed && mark.is_some_and(|mark| self.places.contains(mark))
    }

    /// How a value is sent: the words for soft deletion are those of the contract.
    pub fn sent<'v>(&'v self, value: &'v str) -> &'v str {
        match value {
            _ if self.matching != Match::Trashed => value,
            WITH => &self.words.with,
            ONLY => &self.words.only,
            WITHOUT => &self.words.without,
            value => value,
        }
    }

    /// Whether its values are texts.
    pub fn is_by_text(&self) -> bool {
        let is_text = matches!(self.kind, ValueKind::Text { .. });
        is_text && matches!(self.matching, Match::Exact | Match::Contains)
    }

    /// Whether it takes one of a few words.
    pub fn is_word(&self) -> bool {
        matches!(self.kind, ValueKind::Word(_))
    }

    /// Whether a filter by soft deletion takes any word, and not only those that it lists.
    pub fn takes_any_word(&self) -> bool {
        matches!(&self.kind, ValueKind::Trashed(words) if words.is_empty())
    }

    /// The view of a list in which the filter's members are seen, if it was read.
    pub fn snapshot<'l>(&self, list: &'l ListCorpus) -> Option<&'l Snapshot> {
        match self.projection {
            Projection::Default => list.widest_snapshot(),
            _ => list.snapshot(&self.projection),
        }
    }

    /// What a record shows of the first member, in the projection of the filter.
    pub fn member_value(&self, record: &Value) -> MemberValue {
        let Some(place) = self.places.first() else {
            return MemberValue::Unknown;
        };
        match shown_at(place, record) {
            Some(Value::Null) => MemberValue::Null,
            // A relation that has nobody may be null or left out (R9), and so may a reference.
            None if self.is_of_another(place) && !has_object(place, record) => MemberValue::Null,
            shown => shown
                .and_then(spelled)
                .map_or(MemberValue::Unknown, MemberValue::Value),
        }
    }

    /// Whether a place is in a related record or in a reference to it.
    fn is_of_another(&self, place: &Pointer) -> bool {
        self.projection != Projection::Default || place.segments().len() > 2
    }

    /// What the filter says of a record of its view.
    pub fn says(&self, record: &Value, value: &str) -> Membership {
        let Some(value) = self.blanks.compared(value, self.is_by_text()) else {
            return Membership::Unspecified;
        };
        match self.matching {
            Match::Exact => self.exactly(record, value),
            Match::Contains => self.any(record, |member| contains(member, value)),
            Match::Before => self.any(record, |member| before(member, value)),
            Match::After => self.any(record, |member| after(member, value)),
            Match::Flag if self.all.is_empty() => self.exactly(record, value),
            Match::Flag => self.together(record, value),
            Match::Trashed => self.any(record, |member| trashed(member, value)),
        }
    }

    /// What the filter says of a record that came back from some request, if need be as its snapshot shows it.
    pub fn membership(&self, returned: &Record, snapshot: Option<&Snapshot>, value: &str) -> Membership {
        if self.projection == Projection::Default {
            return self.says(returned, value);
        }
        let (Some(id), Some(snapshot)) = (id_of(returned), snapshot) else {
            return Membership::Unspecified;
        };
        match snapshot.record(id) {
            Some(record) if self.member_value(record) != MemberValue::Null => self.says(record, value),
            // A relation that is missing on a whole page is judged itself, and no filter by it.
            Some(_) if self.is_silent(snapshot, id) => Membership::Unspecified,
            // A to-one relation may hide a soft-deleted record (R15), but none that it shows for another record.
            Some(_) if snapshot.is_live(id) && self.is_shown_in(snapshot, value) => Membership::Excluded,
            _ => Membership::Unspecified,
        }
    }

    /// Whether a record stands on a page of which no record shows the member.
    fn is_silent(&self, snapshot: &Snapshot, id: &str) -> bool {
        let place = self.places.first();
        place.is_some_and(|place| snapshot.by(place).is_silent(id))
    }

    /// Whether some record of a view shows the value that the filter compares with.
    pub fn is_shown_in(&self, snapshot: &Snapshot, value: &str) -> bool {
        self.matching == Match::Exact && self.is_whole_in(snapshot, value)
    }

    /// Whether some record of a view shows a text as the whole of a member that the filter looks at.
    pub fn is_whole_in(&self, snapshot: &Snapshot, text: &str) -> bool {
        let mut places = self.places.iter();
        places.any(|place| snapshot.by(place).group(text).size() > 0)
    }

    fn exactly(&self, record: &Value, value: &str) -> Membership {
        match self.member_value(record) {
            MemberValue::Value(shown) if shown == value => Membership::Included,
            MemberValue::Value(shown) if folded(&shown) == folded(value) => Membership::Unspecified,
            // The value of such a record cannot be asked for, or it is compared without its blanks too.
            MemberValue::Value(shown)
                if self.blanks == Blanks::Cut && folded(shown.trim()) == folded(value) =>
            {
                Membership::Unspecified
            }
            MemberValue::Value(_) | MemberValue::Null => Membership::Excluded,
            MemberValue::Unknown => Membership::Unspecified,
        }
    }

    /// The best that is said of any member; of none, nothing.
    fn any(&self, record: &Value, says: impl Fn(&Value) -> Membership) -> Membership {
        let said = self
            .places
            .iter()
            .map(|place| shown_at(place, record).map_or(Membership::Unspecified, &says));
        said.max().unwrap_or(Membership::Unspecified)
    }

    /// A flag that stands for several conditions: what the word `false` gives is open.
    fn together(&self, record: &Value, value: &str) -> Membership {
        if value != "true" {
            return Membership::Unspecified;
        }
        let said = self.all.iter().map(|condition| {
            let Some(member) = shown_at(&condition.field, record) else {
                return Membership::Unspecified;
            };
            let holds = match &condition.test {
                Test::Is(wanted) => member == wanted,
                Test::Present(present) => member.is_null() != *present,
            };
            if holds {
                Membership::Included
            } else {
                Membership::Excluded
            }
        });
        said.min().unwrap_or(Membership::Unspecified)
    }
}

/// Whether a record shows something where the object stands that a member is in.
fn has_object(place: &Pointer, record: &Value) -> bool {
    let names = place.segments().split_last().map(|(_, names)| names);
    let mut names = names.into_iter().flatten();
    match names.try_fold(record, |value, name| value.get(name)) {
        None | Some(Value::Null) => false,
        Some(Value::Array(records)) => !records.is_empty(),
        Some(Value::Object(members)) => !members.is_empty(),
        Some(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_relation_of_another_form_says_nothing_of_its_record() {
        let place = Pointer::of(["included", "workspace_integration", "id"]);
        let has =
            |relation: Value| has_object(&place, &json!({"included": {"workspace_integration": relation}}));
        assert!(has(json!([{"id": "1"}])) && has(json!("1")) && has(json!({"name": "x"})));
        assert!(!has(json!(null)) && !has(json!([])) && !has(json!({})));
        assert!(!has_object(&place, &json!({"included": {}})));
    }

    #[test]
    fn a_final_sigma_is_open_where_a_part_of_a_value_ends_in_it() {
        assert_eq!(contains(&json!("ΣΊΣΥΦΟΣ"), "ΣΊΣ"), Membership::Unspecified);
        assert_eq!(contains(&json!("ΣΊΣΥΦΟΣ"), "ΣΊ"), Membership::Included);
        assert_eq!(contains(&json!("ΣΊΣΥΦΟΣ"), "ΦΟΣ"), Membership::Included);
    }

    #[test]
    fn free_form_values_are_searched_and_keys_are_not() {
        let org = json!({"department": "Research", "floor": 7, "tags": ["Blue"]});
        assert_eq!(contains(&org, "sear"), Membership::Included);
        assert_eq!(contains(&org, "SEAR"), Membership::Unspecified);
        assert_eq!(contains(&org, "depart"), Membership::Excluded);
        assert_eq!(contains(&org, "7"), Membership::Unspecified);
        assert_eq!(contains(&org, "Blue"), Membership::Unspecified);
        assert_eq!(contains(&json!([]), "x"), Membership::Excluded);
    }

    #[test]
    fn a_mark_behind_a_part_of_a_value_leaves_open_whether_it_is_found() {
        for (text, needle, expected) in [
            ("Rene\u{301}", "Rene", Membership::Unspecified),
            ("Rene\u{301}", "Ren", Membership::Included),
            ("Rene\u{301}", "René", Membership::Unspecified),
            ("René", "Rene", Membership::Excluded),
            ("René", "en", Membership::Included),
        ] {
            assert_eq!(contains(&json!(text), needle), expected, "{text} {needle}");
        }
    }

    #[test]
    fn values_that_differ_by_case_alone_fold_to_the_same() {
        for (one, other) in [
            ("Ann", "ANN"),
            ("Straße", "STRASSE"),
            ("Straße", "STRAẞE"),
            ("İnci", "inci"),
            ("ısı", "ISI"),
            ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
            ("ﬁn", "FIN"),
            ("René", "Rene\u{301}"),
        ] {
            assert_eq!(folded(one), folded(other), "{one} {other}");
        }
        assert_ne!(folded("Müller"), folded("Muller"));
    }

    #[test]
    fn timestamps_near_a_bound_are_open_and_nulls_are_before_none() {
        for (shown, said) in [
            (
                "2026-03-01T00:00:00Z",
                [Membership::Included, Membership::Excluded],
            ),
            (
                "2026-03-09T00:00:00Z",
                [Membership::Excluded, Membership::Included],
            ),
            (
                "2026-03-04T12:00:00Z",
                [Membership::Unspecified, Membership::Unspecified],
            ),
        ] {
            let shown = json!(shown);
            assert_eq!(
                [before(&shown, "2026-03-04"), after(&shown, "2026-03-04")],
                said,
                "{shown}"
            );
        }
        assert_eq!(before(&Value::Null, "2026-03-04"), Membership::Excluded);
        assert_eq!(after(&Value::Null, "2026-03-04"), Membership::Unspecified);
    }

    #[test]
    fn an_unknown_word_for_soft_deletion_is_the_default() {
        let deleted = json!("2026-03-01T00:00:00Z");
        for word in [WITHOUT, "junk", ""] {
            assert_eq!(
                (trashed(&deleted, word), trashed(&Value::Null, word)),
                (Membership::Excluded, Membership::Included)
            );
        }
        assert_eq!(
            (trashed(&deleted, ONLY), trashed(&Value::Null, ONLY)),
            (Membership::Included, Membership::Excluded)
        );
        assert_eq!(
            (trashed(&deleted, WITH), trashed(&Value::Null, WITH)),
            (Membership::Included, Membership::Included)
        );
    }
}
