//! What the members of a record mean: its counts, its links, its identifier, what its state says of its timestamps.

use serde::Deserialize;
use serde_json::Value;

use crate::ordered::Ordered;
use crate::place::Place;
use crate::{Contract, Error, Listing, Pointer, Template};

/// A count that every record shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// Its name.
    pub member: String,
    /// Where a record shows it.
    pub at: Pointer,
    /// What it counts.
    pub counted: Counted,
}

/// What a count counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Counted {
    /// The records of this list, filtered by the id of the record that has the count.
    Listing(Listing),
    /// Resources outside this API.
    External,
}

/// A link of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Its name.
    pub member: String,
    /// The operation that the link is a request for.
    pub operation: String,
    /// The parameter that takes the record's id; none where the path does.
    pub filter: Option<String>,
}

/// What a state says of a timestamp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateTime {
    /// The state.
    pub state: String,
    /// The timestamp.
    pub member: Pointer,
    /// Where the timestamp lies while the record is in the state.
    pub tense: Tense,
}

/// Before or after now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tense {
    /// Before now.
    Past,
    /// After now.
    Future,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCount {
    operation: Option<String>,
    filter: Option<String>,
    #[serde(default)]
    external: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLink {
    operation: String,
    filter: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenTime {
    member: Pointer,
    is: Tense,
}

impl Contract {
    /// The schema of the member at `pointer` in the records of the component schema `record`, as it is written there:
    /// found through `$ref`, `allOf` and `properties`, but not itself resolved, so that its annotations can be seen.
    pub fn member_schema(&self, record: &str, pointer: &Pointer) -> Option<&Value> {
        Some(self.member(record, pointer)?.value())
    }

    /// The names of the members of the object at `pointer` in the records of the component schema `record`, in the order
    /// they are written in: those of `allOf` first.
    pub fn member_names(&self, record: &str, pointer: &Pointer) -> Vec<&str> {
        let mut names = Vec::new();
        if let Some(place) = self.member(record, pointer) {
            place.collect_member_names(&mut names);
        }
        names
    }

    pub(crate) fn member(&self, record: &str, pointer: &Pointer) -> Option<Place<'_>> {
        self.document().schema_place(record)?.member(pointer)
    }

    /// The members of a record that a part of its frame is about, such as its counts; none if records have no such part.
    pub(crate) fn members_of(&self, record: &str, part: Option<&Template>) -> Vec<(&str, Place<'_>)> {
        let holder = part.and_then(|part| Some((part, self.member(record, part.holder())?)));
        let members = holder.into_iter().flat_map(|(part, holder)| {
            let members = holder.properties().into_iter();
            members.filter_map(|(name, place)| Some((part.member(name)?, place.member(part.rest())?)))
        });
        members.collect()
    }

    /// What the counts of a record count, in document order.
    ///
    /// # Errors
    /// An `x-count` is malformed. A member without `x-count` is left out; the lint finds it.
    pub fn counts(&self, record: &str) -> Result<Vec<Count>, Error> {
        let mut counts = Vec::new();
        let part = self.frame.count.as_ref();
        for (member, place) in self.members_of(record, part) {
            if let Some((counted, part)) = counted(&place)?.zip(part) {
                counts.push(Count {
                    member: member.to_owned(),
                    at: part.at(member),
                    counted,
                });
            }
        }
        Ok(counts)
    }

    /// Where the links of a record lead, in document order.
    ///
    /// # Errors
    /// An `x-link` is malformed. A member without `x-link` is left out; the lint finds it.
    pub fn links(&self, record: &str) -> Result<Vec<Link>, Error> {
        let mut links = Vec::new();
        for (member, place) in self.members_of(record, self.frame.links.as_ref()) {
            if let Some(WrittenLink { operation, filter }) = place.typed("x-link")? {
                links.push(Link {
                    member: member.to_owned(),
                    operation,
                    filter,
                });
            }
        }
        Ok(links)
    }

    /// What the identifiers of a record begin with, such as `drusr_`: from the pattern of its `id`; none where they may
    /// begin differently.
    pub fn id_prefix(&self, record: &str) -> Option<&str> {
        let schema = self
            .document()
            .underlying(self.member_schema(record, &self.identifier)?);
        let prefix = schema
            .get("pattern")?
            .as_str()?
            .strip_prefix('^')?
            .strip_suffix("[0-9a-z]+$")?;
        prefix
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
            .then_some(prefix)
    }

    /// The members that each contain others, as `x-made-of` says, with those others, in document order.
    ///
    /// # Errors
    /// An `x-made-of` is malformed.
    pub fn made_of(&self, record: &str) -> Result<Vec<(Pointer, Vec<Pointer>)>, Error> {
        let mut made = Vec::new();
        let members = self
            .document()
            .schema_place(record)
            .map(|place| place.properties());
        for (member, place) in members.unwrap_or_default() {
            if let Some(parts) = place.typed("x-made-of")? {
                made.push((Pointer::of([member]), parts));
            }
        }
        Ok(made)
    }

    /// What the state of a record says of its timestamps.
    ///
    /// # Errors
    /// An `x-state-time` is malformed.
    pub fn state_times(&self, record: &str) -> Result<Vec<StateTime>, Error> {
        let place = self.frame.state.as_ref();
        let Some(state) = place.and_then(|place| self.member(record, place)) else {
            return Ok(Vec::new());
        };
        let own = state.typed::<Ordered<WrittenTime>>("x-state-time")?;
        let written = match own {
            Some(written) => Some(written),
            None => state.underlying().typed("x-state-time")?,
        };
        let times = written.unwrap_or_default().0.into_iter();
        Ok(times
            .map(|(state, time)| StateTime {
                state,
                member: time.member,
                tense: time.is,
            })
            .collect())
    }
}

fn counted(place: &Place<'_>) -> Result<Option<Counted>, Error> {
    match place.typed("x-count")? {
        None => Ok(None),
        Some(WrittenCount {
            operation: Some(operation),
            filter: Some(filter),
            external: false,
        }) => Ok(Some(Counted::Listing(Listing { operation, filter }))),
        Some(WrittenCount {
            operation: None,
            filter: None,
            external: true,
        }) => Ok(Some(Counted::External)),
        Some(_) => Err(place.error("`x-count` says either `operation` and `filter`, or `external: true`")),
    }
}
