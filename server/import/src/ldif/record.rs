//! LDIF syntax: folded lines, comments, base64 and records, as RFC 2849 has them and a little beyond.
//!
//! Beyond it: no `version` is needed, text may be UTF-8 that isn't base64, folds may split a character, spaces at
//! the end of a line don't count, and what `ldapsearch` prints after its entries is passed over.
//! An attribute that `keep` doesn't name is dropped as soon as its name is known, so it never fills the memory
//! and a password is never held.

use std::io::BufRead;
use std::rc::Rc;

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::description::Description;
use super::unique_id;
use crate::lines::{Line, Lines};
use crate::passed_over::Names;
use crate::{MAX_ENTRY_BYTES, MAX_LINE, Refusal};

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// One record of an LDIF file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Record {
    /// The line of its `dn`.
    pub(super) line: u64,
    /// Its DN as written.
    pub(super) dn: String,
    /// The values that were kept, in file order.
    pub(super) values: Vec<Value>,
    /// The attributes that were dropped, as written.
    pub(super) dropped: Names,
}

/// One value of an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Value {
    /// The name of the attribute, short and in lower case.
    pub(super) name: String,
    /// The options that name its language, as `lang-fr`; empty when it has none.
    pub(super) language: String,
    /// The value; none where it says that the attribute has this value no more.
    pub(super) text: String,
    /// The line it begins on.
    pub(super) line: u64,
}

impl Value {
    /// The memory it takes, in bytes: the texts, and the place in the list of values.
    pub(super) fn size(&self) -> usize {
        size_of::<Self>() + self.name.len() + self.language.len() + self.text.len()
    }
}

/// Reads the records of an LDIF file.
pub(super) struct Records<R> {
    lines: Lines<R>,
    keep: Keep,
    over: bool,
}

/// Which attributes (short names in lower case) are kept.
pub(super) type Keep = Rc<dyn Fn(&str) -> bool>;

impl<R: BufRead> Records<R> {
    /// A reader of `source` that holds on to the attributes `keep` accepts (short names in lower case).
    pub(super) fn new(source: R, keep: Keep) -> Self {
        Self {
            lines: Lines::new(source),
            keep,
            over: false,
        }
    }
}

impl<R: BufRead> Iterator for Records<R> {
    type Item = Result<Record, Refusal>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut draft = Draft::new(Rc::clone(&self.keep));
        while !self.over {
            match self.lines.next() {
                None => self.over = true,
                Some((line, Line::Broken(error))) => {
                    self.over = true;
                    return Some(Err(Refusal::fatal(
                        line,
                        draft.label(),
                        format!("can't be read: {error}"),
                    )));
                }
                Some((line, Line::TooLong(start))) => draft.take_long(line, start),
                Some((_, Line::Bytes(b""))) => {
                    if let Some(outcome) = draft.finish() {
                        self.over = matches!(&outcome, Err(refusal) if refusal.fatal);
                        return Some(outcome);
                    }
                    draft = Draft::new(Rc::clone(&self.keep));
                }
                Some((line, Line::Bytes(bytes))) => draft.take(line, bytes),
            }
        }
        draft.finish()
    }
}

/// The line being put together from its folds.
enum Pending {
    Nothing,
    Comment,
    Dropped,
    /// Where the attribute begins, its description if its first line has all of it, and the text so far.
    Attribute(u64, Option<Description>, Vec<u8>),
}

/// The record being read.
struct Draft {
    keep: Keep,
    record: Record,
    pending: Pending,
    /// The memory that the kept values take.
    bytes: usize,
    /// It has no `dn` and needs none: the end of what `ldapsearch` prints.
    aside: bool,
    refusal: Option<Refusal>,
}

impl Draft {
    fn new(keep: Keep) -> Self {
        let (record, pending) = (Record::default(), Pending::Nothing);
        Self {
            keep,
            record,
            pending,
            bytes: 0,
            aside: false,
            refusal: None,
        }
    }

    fn label(&self) -> &str {
        if self.record.line == 0 {
            "(no dn)"
        } else {
            &self.record.dn
        }
    }

    /// Notes the first thing that is wrong; the rest of the record is then passed over.
    fn refuse(&mut self, line: u64, reason: impl AsRef<str>) {
        if self.refusal.is_none() {
            self.refusal = Some(Refusal::new(line, self.label(), reason));
        }
        self.pending = Pending::Nothing;
        self.record.values.clear();
    }

    fn finish(&mut self) -> Option<Result<Record, Refusal>> {
        self.flush();
        match self.refusal.take() {
            Some(refusal) => Some(Err(refusal)),
            None if self.record.line == 0 => None,
            None => Some(Ok(std::mem::take(&mut self.record))),
        }
    }

    fn take(&mut self, line: u64, bytes: &[u8]) {
        if self.refusal.is_some() {
            return;
        }
        if let Some(folded) = bytes.strip_prefix(b" ") {
            return self.unfold(line, folded);
        }
        self.flush();
        if self.refusal.is_some() {
            return;
        }
        if bytes.starts_with(b"#") {
            self.pending = Pending::Comment;
            return;
        }
        let description = description(bytes);
        self.pending = if description.as_ref().is_some_and(|one| self.drops(one)) {
            let name = bytes.split(|byte| matches!(byte, b':' | b';')).next();
            let name = String::from_utf8_lossy(name.unwrap_or_default());
            self.record.dropped.add(&name, line);
            Pending::Dropped
        } else {
            Pending::Attribute(line, description, bytes.to_vec())
        };
    }

    /// Takes the start of a line that is too long to be kept, such as that of a photo.
    fn take_long(&mut self, line: u64, start: &[u8]) {
        let is_dropped = match start {
            [b' ', ..] => matches!(self.pending, Pending::Comment | Pending::Dropped),
            [b'#', ..] => true,
            _ => description(start).is_some_and(|one| self.drops(&one)),
        };
        if is_dropped {
            return self.take(line, start);
        }
        self.refuse(line, format!("the line is longer than {MAX_LINE} bytes"));
    }

    fn unfold(&mut self, line: u64, folded: &[u8]) {
        match &mut self.pending {
            Pending::Comment | Pending::Dropped => {}
            Pending::Attribute(first, _, text) if text.len() + folded.len() > MAX_LINE => {
                let first = *first;
                self.refuse(
                    first,
                    format!("the unfolded line is longer than {MAX_LINE} bytes"),
                );
            }
            Pending::Attribute(_, _, text) => text.extend_from_slice(folded),
            Pending::Nothing if folded.trim_ascii().is_empty() => {}
            Pending::Nothing => self.refuse(line, "a line begins with a space but continues no line"),
        }
    }

    /// Whether an attribute is not read. A line without a proper name is not dropped, for it has to be refused.
    fn drops(&self, description: &Description) -> bool {
        let name = description.name.as_str();
        let structure = matches!(name, "dn" | "version" | "changetype" | "control") || self.record.line == 0;
        !structure && (description.is_binary || !(self.keep)(name))
    }

    fn flush(&mut self) {
        let pending = std::mem::replace(&mut self.pending, Pending::Nothing);
        let Pending::Attribute(line, begun, bytes) = pending else {
            return;
        };
        match split(line, begun.or_else(|| description(&bytes)), &bytes) {
            Ok(value) => self.add(line, value),
            // The end of what `ldapsearch` prints begins with a line that is no attribute.
            Err(_) if self.record.line == 0 && bytes == b"search result" => self.aside = true,
            Err(_) if self.aside => {}
            Err(reason) => self.refuse(line, reason),
        }
    }

    fn add(&mut self, line: u64, value: Value) {
        let begun = self.record.line > 0;
        match (value.name.as_str(), begun) {
            ("dn", false) => (self.record.line, self.record.dn) = (line, value.text),
            ("dn", true) => self.refuse(
                line,
                "a second dn within the record: an empty line is missing before it",
            ),
            ("version", false) if value.text == "1" => {}
            ("version", false) => {
                self.refuse(line, "version: only version 1 of LDIF is known");
                self.refusal.iter_mut().for_each(|refusal| refusal.fatal = true);
            }
            ("search" | "result" | "ref", false) => self.aside = true,
            (_, false) if self.aside => {}
            (name, false) => {
                let reason = format!("the record begins with {name} instead of dn");
                self.refuse(line, reason);
            }
            ("changetype", true) if value.text.eq_ignore_ascii_case("add") => {}
            ("changetype", true) => self.refuse(
                line,
                "changetype: only entries and changetype add can be imported",
            ),
            ("control", true) => self.refuse(line, "control: only entries can be imported"),
            _ => self.keep(line, value),
        }
    }

    fn keep(&mut self, line: u64, value: Value) {
        self.bytes += value.size();
        if self.bytes > MAX_ENTRY_BYTES {
            return self.refuse(
                line,
                format!("the record takes more than {MAX_ENTRY_BYTES} bytes of memory"),
            );
        }
        self.record.values.push(value);
    }
}

/// The place of the colon that ends a description.
fn colon(line: &[u8]) -> Option<usize> {
    line.iter().position(|byte| *byte == b':')
}

/// The description before the colon of a line.
fn description(line: &[u8]) -> Option<Description> {
    Description::parse(&line[..colon(line)?])
}

/// The value on an unfolded line; no reason quotes the value, which may be a secret.
fn split(number: u64, description: Option<Description>, line: &[u8]) -> Result<Value, String> {
    let (Some(description), Some(colon)) = (description, colon(line)) else {
        return Err("does not begin with the name of an attribute and a colon".to_owned());
    };
    let Description {
        name,
        language,
        is_deleted,
        fault,
        ..
    } = description;
    if let Some(fault) = fault {
        return Err(fault);
    }
    let bytes = match &line[colon + 1..] {
        [b'<', ..] => return Err(format!("{name}: values by URL are not fetched")),
        [b':', encoded @ ..] => {
            let decoded = BASE64.decode(encoded.trim_ascii());
            decoded.map_err(|_| format!("{name}: is not base64"))?
        }
        plain => without_spaces(plain).to_vec(),
    };
    let text = match is_deleted {
        true => String::new(),
        false => unique_id::text(&name, bytes).ok_or_else(|| format!("{name}: is not UTF-8"))?,
    };
    Ok(Value {
        name,
        language,
        text,
        line: number,
    })
}

fn without_spaces(mut text: &[u8]) -> &[u8] {
    while let [b' ', rest @ ..] | [rest @ .., b' '] = text {
        text = rest;
    }
    text
}
