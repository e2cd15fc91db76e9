//! Where in the text an annotation of an element goes.
//!
//! In a mapping of the block style it is a line of its own after a member of the mapping. In the flow style, and in JSON, it
//! follows the last member.

use std::collections::{HashMap, HashSet};

use rollcall_contract::Pointer;

use super::tokens::Token;

/// Where members of an element go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    /// On lines of their own after the line of this byte, or after the block of text whose first line has it.
    Block { after: Leaf, column: usize },
    /// At this byte, each after a comma and this space.
    Flow { at: usize, space: String },
    /// Nowhere: an alias repeats the element, or is the element.
    Aliased,
}

/// The end of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Leaf {
    /// The byte after it; for a block of text, that where the block begins.
    pub(super) end: usize,
    /// For a block of text, the column of the mapping that it is a member of.
    pub(super) block_of: Option<usize>,
}

/// Finds the spots of elements. In a mapping of the block style, the annotation goes before the member that the element is
/// wanted with, if it has it.
pub(super) struct Locator<'w> {
    text: &'w str,
    wanted: &'w HashMap<Pointer, &'static str>,
    stack: Vec<Frame>,
    path: Vec<String>,
    /// The end of the last value.
    last: Leaf,
    found: HashMap<Pointer, (Spot, Vec<usize>)>,
    aliased: HashSet<usize>,
}

/// A mapping or a sequence that is being read.
struct Frame {
    /// None for a sequence.
    mapping: Option<Mapping>,
    anchor: usize,
    /// The number of the next element of a sequence.
    number: usize,
}

struct Mapping {
    is_flow: bool,
    /// The column of its keys.
    column: Option<usize>,
    /// Whether a key comes next, and not a value.
    is_key_next: bool,
    /// The byte of the last key.
    key: usize,
    /// The element, if it is wanted, and the spot, if it is known before the end.
    wanted: Option<(Pointer, Option<Leaf>)>,
}

impl<'w> Locator<'w> {
    pub(super) fn new(text: &'w str, wanted: &'w HashMap<Pointer, &'static str>) -> Self {
        Self {
            text,
            wanted,
            stack: Vec::new(),
            path: Vec::new(),
            last: Leaf::default(),
            found: HashMap::new(),
            aliased: HashSet::new(),
        }
    }

    pub(super) fn take(&mut self, token: Token<'_>) {
        match token {
            Token::Mapping { is_flow, anchor, .. } => {
                self.begin_value();
                let at = Pointer::of(self.path.iter().map(String::as_str));
                let wanted = self.wanted.contains_key(&at).then_some((at, None));
                let mapping = Mapping {
                    is_flow,
                    column: None,
                    is_key_next: true,
                    key: 0,
                    wanted,
                };
                self.stack.push(Frame {
                    mapping: Some(mapping),
                    anchor,
                    number: 0,
                });
            }
            Token::Sequence { anchor } => {
                self.begin_value();
                self.stack.push(Frame {
                    mapping: None,
                    anchor,
                    number: 0,
                });
            }
            Token::End { end } => self.end(end),
            Token::Scalar {
                text,
                start,
                end,
                is_block,
                column,
            } => {
                if !self.key(&text, start, column) {
                    self.begin_value();
                    self.end_value();
                }
                if end > start || is_block {
                    let block_of = is_block.then(|| self.column());
                    self.last = Leaf {
                        end: if is_block { start } else { end },
                        block_of,
                    };
                }
            }
            Token::Alias { anchor, end } => {
                self.begin_value();
                self.aliased.insert(anchor);
                self.last = Leaf { end, block_of: None };
                self.end_value();
            }
        }
    }

    /// What was found; an element that was not found is part of what an alias repeats.
    pub(super) fn finish(self) -> HashMap<Pointer, Spot> {
        let Self {
            wanted,
            mut found,
            aliased,
            ..
        } = self;
        let spots = wanted.keys().map(|at| {
            let spot = match found.remove(at) {
                Some((spot, anchors)) if !anchors.iter().any(|anchor| aliased.contains(anchor)) => spot,
                _ => Spot::Aliased,
            };
            (at.clone(), spot)
        });
        spots.collect()
    }

    /// The column of the keys of the innermost mapping.
    fn column(&self) -> usize {
        self.stack
            .iter()
            .rev()
            .find_map(|frame| frame.mapping.as_ref()?.column)
            .unwrap_or_default()
    }

    /// Takes a scalar as a key, if one comes next.
    fn key(&mut self, text: &str, start: usize, column: usize) -> bool {
        let Some(mapping) = self.stack.last_mut().and_then(|frame| frame.mapping.as_mut()) else {
            return false;
        };
        if !mapping.is_key_next {
            return false;
        }
        if let Some((at, spot @ None)) = &mut mapping.wanted
            && mapping.column.is_some()
            && self.wanted.get(at) == Some(&text)
        {
            *spot = Some(self.last);
        }
        mapping.column.get_or_insert(column);
        mapping.key = start;
        mapping.is_key_next = false;
        self.path.push(text.to_owned());
        true
    }

    /// Before a value: an element of a sequence has its number as its name.
    fn begin_value(&mut self) {
        let Some(frame) = self.stack.last_mut() else {
            return;
        };
        match &mut frame.mapping {
            // A key that is no text; no document has one.
            Some(mapping) if mapping.is_key_next => {
                mapping.is_key_next = false;
                self.path.push(String::new());
            }
            Some(_) => {}
            None => {
                self.path.push(frame.number.to_string());
                frame.number += 1;
            }
        }
    }

    fn end_value(&mut self) {
        let Some(frame) = self.stack.last_mut() else {
            return;
        };
        self.path.pop();
        if let Some(mapping) = &mut frame.mapping {
            mapping.is_key_next = true;
        }
    }

    fn end(&mut self, end: Option<usize>) {
        let Some(frame) = self.stack.pop() else { return };
        if let Some(Mapping {
            is_flow,
            column: Some(column),
            key,
            wanted: Some((at, spot)),
            ..
        }) = frame.mapping
        {
            let spot = match is_flow {
                true => Spot::Flow {
                    at: self.last.end,
                    space: space_before(self.text, key),
                },
                false => Spot::Block {
                    after: spot.unwrap_or(self.last),
                    column,
                },
            };
            let anchors = self.stack.iter().map(|frame| frame.anchor).chain([frame.anchor]);
            self.found
                .insert(at, (spot, anchors.filter(|anchor| *anchor != 0).collect()));
        }
        if let Some(end) = end {
            self.last = Leaf { end, block_of: None };
        }
        self.end_value();
    }
}

/// The white space before a key.
fn space_before(text: &str, key: usize) -> String {
    let before = text.get(..key).unwrap_or_default();
    before[before.trim_end().len()..].to_owned()
}
