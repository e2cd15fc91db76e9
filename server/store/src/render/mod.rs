//! Records as JSON, written straight from their rows.

mod template;

use std::ops::Range;
use std::sync::Arc;

use rollcall::Timestamp;
use rollcall::record::Shape;

use crate::dialect::{CELLS, Cells, END};
use crate::error::{Error, Result};
use crate::lifecycle::{EXPIRING, shown_state};
use crate::sql::Sql;
use crate::tables::column::Column;
use crate::tables::table::{ReadContext, RecordType, Stored, StoredPart};
use template::{Hole, Template, push_integer};

/// Adds `{cells}t.a, t.b, …{end}`: the group of cells that [`Rendered::push`] reads. A count that may have lapsed is counted anew.
pub(crate) fn push_columns(sql: &mut Sql, record: RecordType, reading: &ReadContext<'_>) {
    let mut separator = CELLS;
    for part in record.parts() {
        match part {
            StoredPart::Member { column, .. } => {
                sql.push([separator, "t.", name(column)]);
                if column == Column::State {
                    sql.push(", t.expires_at");
                }
            }
            StoredPart::Count(count) => {
                sql.push(separator);
                if reading.lapsed && count.lapses() {
                    count.push_live(sql, "t.id", reading.now);
                } else {
                    sql.push(["t.count_", count.member()]);
                }
            }
            StoredPart::Text(_) | StoredPart::Link(_) | StoredPart::Included => continue,
        }
        separator = ", ";
    }
    sql.push(END);
}

/// How many cells the group of [`push_columns`] has.
pub(crate) fn column_count(record: RecordType) -> usize {
    let cells = record.parts().map(|part| match part {
        StoredPart::Member {
            column: Column::State,
            ..
        } => 2,
        StoredPart::Member { .. } | StoredPart::Count(_) => 1,
        StoredPart::Text(_) | StoredPart::Link(_) | StoredPart::Included => 0,
    });
    cells.sum()
}

/// The column of a member. No member is stored in another table (the tables say so, and a test reads them all).
fn name(column: Column) -> &'static str {
    match column {
        Column::Plain(name) | Column::Text(name) | Column::Json(name) => name,
        Column::State => "state",
        Column::ExpiredAt => "expired_at",
        Column::Joined(path) => path.key,
    }
}

/// The bytes of most records: so many are asked for at first.
const USUAL_RECORD: usize = 4_096;

/// So many bytes at most are asked for at once: a first record may be much longer than the others.
const MOST_ROOM: usize = 1 << 20;

/// What stands under `included`.
#[derive(Clone, Debug)]
pub(crate) enum Included {
    /// The same in every record: nothing, or the names of relations.
    Same(String),
    /// What is put there by [`Rendered::include`].
    Later,
}

/// Records as a JSON array that is not yet closed.
pub struct Rendered {
    record: RecordType,
    json: Vec<u8>,
    records: Vec<Place>,
    /// The counts of all records, one record after the other.
    counts: Vec<i64>,
    /// What the records have in common; known from the first one on.
    template: Option<Arc<Template>>,
    /// How many cells a record takes.
    width: usize,
    included: Included,
    /// How many records there will probably be.
    room: usize,
}

/// Where a record is in the JSON.
#[derive(Clone, Debug)]
struct Place {
    whole: Range<usize>,
    id: Range<usize>,
    /// Where the value of `included` begins.
    included: usize,
}

impl Rendered {
    /// No record of this type yet; once there are two, memory for as many as `room`.
    pub(crate) fn new(record: RecordType, included: Included, room: usize) -> Self {
        let mut json = Vec::with_capacity(USUAL_RECORD);
        json.push(b'[');
        Self {
            record,
            json,
            records: Vec::new(),
            counts: Vec::new(),
            template: None,
            width: 0,
            included,
            room,
        }
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// One of the counts of each record, by its place among them.
    pub fn counts(&self, place: usize) -> Vec<i64> {
        let width = self.counts.len() / self.records.len().max(1);
        self.counts
            .chunks(width.max(1))
            .filter_map(|counts| counts.get(place).copied())
            .collect()
    }

    /// Forgets all records but the first ones.
    pub fn truncate(&mut self, len: usize) {
        let width = self.counts.len() / self.records.len().max(1);
        self.counts.truncate(width * len);
        self.records.truncate(len);
        self.json
            .truncate(self.records.last().map_or(1, |place| place.whole.end));
    }

    /// The ids of the records, in order.
    pub fn ids(&self) -> Vec<&str> {
        let id = |place: &Place| str::from_utf8(&self.json[place.id.clone()]).unwrap_or_default();
        self.records.iter().map(id).collect()
    }

    /// The JSON of a record.
    pub fn record(&self, number: usize) -> &[u8] {
        &self.json[self.records[number].whole.clone()]
    }

    /// Writes the record of a row whose next cells are the columns of [`push_columns`].
    pub fn push(&mut self, row: &mut Cells<'_, '_>, reading: &ReadContext<'_>) -> Result<()> {
        let template = self.template.get_or_insert_with(|| {
            self.width = column_count(self.record);
            Template::of(self.record, reading.base)
        });
        let cells = &mut row.group(self.width)?;
        if !self.records.is_empty() {
            if self.records.len() == 1 {
                // Room for all, if they are as long as the first one: else the JSON is moved whenever it has doubled.
                let usual = self.json.len() + self.json.len() / 8;
                let room = usual.saturating_mul(self.room.max(1) - 1);
                self.json.reserve(room.min(MOST_ROOM));
            }
            self.json.push(b',');
        }
        let start = self.json.len();
        let mut place = Place {
            whole: start..start,
            id: start..start,
            included: start,
        };
        let json = &mut self.json;
        for part in &template.parts {
            template.push_text(json, part);
            match &part.hole {
                Hole::State => push_state(json, cells, reading.now)?,
                Hole::Value { shape, is_nullable } => {
                    let from = json.len();
                    push_value(json, cells, *shape, *is_nullable)?;
                    if place.id.is_empty() {
                        place.id = from + 1..json.len() - 1;
                    }
                }
                Hole::Counts(counts) => {
                    let first = self.counts.len();
                    cells.ints(counts.len(), &mut self.counts)?;
                    counts.push(json, &self.counts[first..]);
                }
                Hole::Id => json.extend_from_within(place.id.clone()),
                Hole::Included => {
                    place.included = json.len();
                    match &self.included {
                        Included::Same(value) => json.extend_from_slice(value.as_bytes()),
                        Included::Later => {}
                    }
                }
                Hole::End => {}
            }
        }
        place.whole.end = self.json.len();
        self.records.push(place);
        Ok(())
    }

    /// The same records, with what `write` writes under `included` of each, by its number.
    pub fn include(self, mut write: impl FnMut(&mut Vec<u8>, usize)) -> Self {
        let mut done = Self {
            json: Vec::with_capacity(self.json.len() * 2),
            records: Vec::with_capacity(self.records.len()),
            counts: Vec::new(),
            ..self
        };
        done.json.push(b'[');
        for (number, place) in self.records.iter().enumerate() {
            if number > 0 {
                done.json.push(b',');
            }
            let (from, start) = (place.whole.start, done.json.len());
            let moved = |at: usize| start + (at - from);
            done.json.extend_from_slice(&self.json[from..place.included]);
            write(&mut done.json, number);
            done.json
                .extend_from_slice(&self.json[place.included..place.whole.end]);
            done.records.push(Place {
                whole: start..done.json.len(),
                id: moved(place.id.start)..moved(place.id.end),
                included: moved(place.included),
            });
        }
        done
    }

    /// The records as an array, the last one first if `is_reversed`.
    pub fn into_array(mut self, is_reversed: bool) -> Vec<u8> {
        if is_reversed {
            let mut json = Vec::with_capacity(self.json.len() + 1);
            json.push(b'[');
            for place in self.records.iter().rev() {
                json.extend_from_slice(&self.json[place.whole.clone()]);
                json.push(b',');
            }
            if !self.records.is_empty() {
                json.pop();
            }
            self.json = json;
        }
        self.json.push(b']');
        self.json
    }
}

/// A record as its model, from a row whose next cells are the columns of [`push_columns`].
pub(crate) fn read<R: Stored>(cells: &mut Cells<'_, '_>, reading: &ReadContext<'_>) -> Result<R> {
    let mut records = Rendered::new(RecordType::of::<R>(), Included::Same("{}".to_owned()), 1);
    records.push(cells, reading)?;
    serde_json::from_slice(records.record(0)).map_err(|why| Error::Corrupt(why.to_string()))
}

fn push_state(json: &mut Vec<u8>, cells: &mut Cells<'_, '_>, now: Timestamp) -> Result<()> {
    let state = cells.text()?;
    if state != EXPIRING {
        push_string(json, state);
        return cells.int_or_null().map(drop);
    }
    let expires_at = cells.timestamp_or_null()?;
    push_string(json, shown_state(EXPIRING, expires_at, now));
    Ok(())
}

fn push_value(json: &mut Vec<u8>, cells: &mut Cells<'_, '_>, shape: Shape, is_nullable: bool) -> Result<()> {
    let is_null = match shape {
        Shape::Text => cells
            .text_or_null()?
            .map(|text| push_string(json, text))
            .is_none(),
        Shape::Json => cells
            .text_or_null()?
            .map(|text| json.extend_from_slice(text.as_bytes()))
            .is_none(),
        Shape::Timestamp => {
            let timestamp = cells.timestamp_or_null()?;
            timestamp
                .map(|timestamp| {
                    json.push(b'"');
                    json.extend_from_slice(&timestamp.bytes());
                    json.push(b'"');
                })
                .is_none()
        }
        Shape::Boolean => {
            let value = cells.int_or_null()?;
            let text: Option<&[u8]> =
                value.map(|value| if value == 0 { b"false".as_slice() } else { b"true" });
            text.map(|text| json.extend_from_slice(text)).is_none()
        }
        Shape::Integer => cells
            .int_or_null()?
            .map(|number| push_integer(json, number))
            .is_none(),
    };
    match (is_null, is_nullable) {
        (false, _) => Ok(()),
        (true, true) => {
            json.extend_from_slice(b"null");
            Ok(())
        }
        (true, false) => Err(Error::Corrupt(
            "null in a column that a record always has".to_owned(),
        )),
    }
}

fn push_string(json: &mut Vec<u8>, text: &str) {
    // Looked at without a stop at the first one: several bytes at once.
    let is_plain = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\';
    if text.bytes().fold(true, |all, byte| all & is_plain(byte)) {
        json.push(b'"');
        json.extend_from_slice(text.as_bytes());
        json.push(b'"');
        return;
    }
    // Writing to memory does not fail, and text is always JSON.
    let _ = serde_json::to_writer(json, text);
}
