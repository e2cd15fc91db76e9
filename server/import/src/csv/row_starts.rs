//! Where the rows of a CSV file begin, and whether their quotation marks are those of RFC 4180: what stands behind the mark that
//! closes a cell belongs to no cell.
//!
//! The CSV library takes `"B"x` for `Bx`, and counts empty lines to the row behind them. Here the same bytes are looked at on
//! their way to it, with the same idea of where a row ends.

use std::collections::VecDeque;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    RowBegins,
    CellBegins,
    Plain,
    Quoted,
    /// Behind a mark that closes the cell, or is the first of two.
    Marked,
    /// Behind a closing mark and a carriage return, which belongs to the line end.
    Returned,
}

/// The beginning of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowStart {
    /// The line of its first byte, from 1.
    pub(super) line: u64,
    /// The first line of it on which text follows a closing quotation mark.
    pub(super) fault: Option<u64>,
}

/// Finds the beginnings of rows.
#[derive(Debug)]
pub(super) struct RowStarts {
    place: Place,
    line: u64,
    found: VecDeque<RowStart>,
}

impl RowStarts {
    pub(super) fn new() -> Self {
        Self {
            place: Place::default(),
            line: 1,
            found: VecDeque::new(),
        }
    }

    /// Looks at the next bytes of the file.
    pub(super) fn see(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if self.place == Place::RowBegins && *byte != b'\n' {
                self.found.push_back(RowStart {
                    line: self.line,
                    fault: None,
                });
            }
            self.place = match (self.place, byte) {
                (Place::Quoted, b'"') => Place::Marked,
                (Place::Quoted, _) => Place::Quoted,
                (Place::Marked, b'"') => Place::Quoted,
                (_, b'\n') => Place::RowBegins,
                (Place::Marked, b'\r') => Place::Returned,
                (Place::Returned, _) => self.text_behind_mark(*byte),
                (_, b',') => Place::CellBegins,
                (Place::RowBegins | Place::CellBegins, b'"') => Place::Quoted,
                (Place::Marked, _) => self.text_behind_mark(*byte),
                (Place::RowBegins | Place::CellBegins | Place::Plain, _) => Place::Plain,
            };
            self.line += u64::from(*byte == b'\n');
        }
    }

    fn text_behind_mark(&mut self, byte: u8) -> Place {
        let line = self.line;
        if let Some(row) = self.found.back_mut() {
            row.fault.get_or_insert(line);
        }
        match byte {
            b',' => Place::CellBegins,
            _ => Place::Plain,
        }
    }

    /// The beginning of the next row; the row itself was seen to its end.
    pub(super) fn next(&mut self) -> Option<RowStart> {
        self.found.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use super::{RowStart, RowStarts};

    fn starts(text: &str) -> Vec<(u64, Option<u64>)> {
        let mut starts = RowStarts::new();
        text.as_bytes().iter().for_each(|byte| starts.see(&[*byte]));
        std::iter::from_fn(|| starts.next())
            .map(|RowStart { line, fault }| (line, fault))
            .collect()
    }

    #[test]
    fn text_behind_a_closing_mark_is_found_and_nothing_else() {
        for text in [
            "a,\"b\",c\n",
            "\"say \"\"hi\"\"\",x\r\n",
            "\"\"\n",
            "\"\"\r\n",
            "\"two\nlines\",x\n",
            "O\"Neil,5\"\n",
        ] {
            assert_eq!(starts(text), [(1, None)], "{text:?}");
        }
        for (text, fault) in [
            ("\"B\" ,c\n", 1),
            ("\"two\nlines\"x\n", 2),
            ("\"B\"\r,c\n", 1),
            ("\"B\"\r\"c\"\n", 1),
        ] {
            assert_eq!(starts(text), [(1, Some(fault))], "{text:?}");
        }
    }

    #[test]
    fn rows_begin_behind_empty_lines_and_behind_the_last_line_of_a_quoted_cell() {
        assert_eq!(
            starts("\n\na\n\n\"b\n\nc\",d\ne"),
            [(3, None), (5, None), (8, None)]
        );
        assert_eq!(starts("a\n\"B\"x,c\n\"d\n"), [(1, None), (2, Some(2)), (3, None)]);
    }
}
