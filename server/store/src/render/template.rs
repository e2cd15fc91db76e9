//! The JSON of a record without what differs from record to record: its constant texts, joined once for each type of record and
//! base address.

use std::any::TypeId;
use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

use rollcall::record::Shape;

use crate::tables::column::Column;
use crate::tables::table::{RecordType, StoredPart};

/// Texts are copied in blocks of this size: to copy a known number of bytes takes no call. Most texts are one block.
const BLOCK: usize = 32;

/// The most templates that a thread keeps; a server has one base address and some twenty types.
const MOST_KEPT: usize = 64;

/// The constant texts of a record, and what stands between them.
pub(crate) struct Template {
    texts: Vec<[u8; BLOCK]>,
    /// From left to right.
    pub(crate) parts: Vec<TemplatePart>,
}

/// A constant text, and what follows it.
pub(crate) struct TemplatePart {
    blocks: Range<usize>,
    length: usize,
    /// What follows.
    pub(crate) hole: Hole,
}

/// What differs from record to record.
#[derive(Debug)]
pub(crate) enum Hole {
    /// The state, which follows from two columns.
    State,
    /// The value of a stored member; of the identifier the first time.
    Value {
        /// How it is written.
        shape: Shape,
        /// Whether it may be null.
        is_nullable: bool,
    },
    /// Numbers of related records, with constant texts between them.
    Counts(Counts),
    /// The identifier once more.
    Id,
    /// What stands under `included`.
    Included,
    /// Nothing: the record ends.
    End,
}

/// Counts that follow each other. Most counts of most records have one digit, so the texts between them are copied at once.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    /// The texts, with a zero for each count.
    zeros: Vec<u8>,
    /// Where the zeros are.
    places: Vec<usize>,
}

impl Counts {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    fn add(&mut self, text_before: &str) {
        self.zeros.extend_from_slice(text_before.as_bytes());
        self.places.push(self.zeros.len());
        self.zeros.push(b'0');
    }

    /// Adds these counts and the texts between them.
    pub(crate) fn push(&self, json: &mut Vec<u8>, counts: &[i64]) {
        if counts
            .iter()
            .fold(true, |all, count| all & (0..=9).contains(count))
        {
            let start = json.len();
            json.extend_from_slice(&self.zeros);
            for (place, count) in self.places.iter().zip(counts) {
                json[start + place] += count.to_le_bytes()[0];
            }
            return;
        }
        let mut end = 0;
        for (place, count) in self.places.iter().zip(counts) {
            json.extend_from_slice(&self.zeros[end..*place]);
            push_integer(json, *count);
            end = place + 1;
        }
    }
}

/// Adds a number.
pub(crate) fn push_integer(json: &mut Vec<u8>, number: i64) {
    // Writing to memory does not fail, and a number is always JSON.
    let _ = serde_json::to_writer(json, &number);
}

thread_local! {
    static KNOWN: RefCell<Vec<(TypeId, String, Arc<Template>)>> = const { RefCell::new(Vec::new()) };
}

impl Template {
    /// The template of a record whose links begin with `base`.
    pub(crate) fn of(record: RecordType, base: &str) -> Arc<Self> {
        KNOWN.with_borrow_mut(|known| {
            let id = (record.id)();
            let is_it = |(known, of, _): &&(TypeId, String, Arc<Self>)| *known == id && of == base;
            if let Some((.., template)) = known.iter().find(is_it) {
                return Arc::clone(template);
            }
            if known.len() >= MOST_KEPT {
                known.clear();
            }
            let template = Arc::new(Self::new(record, base));
            known.push((id, base.to_owned(), Arc::clone(&template)));
            template
        })
    }

    fn new(record: RecordType, base: &str) -> Self {
        let base = serde_json::Value::from(base).to_string();
        let mut template = Self {
            texts: Vec::new(),
            parts: Vec::new(),
        };
        let mut text = String::new();
        for part in record.parts() {
            let hole = match part {
                StoredPart::Text(constant) => {
                    text.push_str(constant);
                    continue;
                }
                StoredPart::Link(path) => {
                    text.push_str(&base[1..base.len() - 1]);
                    text.push_str(path);
                    Hole::Id
                }
                StoredPart::Member {
                    column: Column::State,
                    ..
                } => Hole::State,
                StoredPart::Member {
                    shape, is_nullable, ..
                } => Hole::Value { shape, is_nullable },
                StoredPart::Count(_) => {
                    let last = template.parts.last_mut().map(|part| &mut part.hole);
                    if let Some(Hole::Counts(counts)) = last {
                        counts.add(&text);
                        text.clear();
                        continue;
                    }
                    let mut counts = Counts::default();
                    counts.add("");
                    Hole::Counts(counts)
                }
                StoredPart::Included => Hole::Included,
            };
            template.add(&text, hole);
            text.clear();
        }
        template.add(&text, Hole::End);
        template
    }

    fn add(&mut self, text: &str, hole: Hole) {
        let first = self.texts.len();
        self.texts.extend(text.as_bytes().chunks(BLOCK).map(|bytes| {
            let mut block = [0; BLOCK];
            block[..bytes.len()].copy_from_slice(bytes);
            block
        }));
        self.parts.push(TemplatePart {
            blocks: first..self.texts.len(),
            length: text.len(),
            hole,
        });
    }

    /// Adds the constant text of a part.
    pub(crate) fn push_text(&self, json: &mut Vec<u8>, part: &TemplatePart) {
        let end = json.len() + part.length;
        for block in &self.texts[part.blocks.clone()] {
            json.extend_from_slice(block);
        }
        json.truncate(end);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn counts_of_any_length_stand_between_the_same_texts(
            counts in prop::collection::vec(prop_oneof![4 => 0..10_i64, 1 => any::<i64>()], 0..6),
        ) {
            let mut template = Counts::default();
            let mut expected = "before ".to_owned();
            for (place, count) in counts.iter().enumerate() {
                let text = format!(", \"{place}\": ");
                template.add(&text);
                expected += &format!("{text}{count}");
            }
            let mut json = b"before ".to_vec();
            template.push(&mut json, &counts);
            prop_assert_eq!(String::from_utf8(json).unwrap(), expected);
        }
    }
}
