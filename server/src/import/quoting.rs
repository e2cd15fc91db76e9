//! Quotation marks of a CSV file as RFC 4180 has them: what stands behind the mark that closes a cell belongs to no cell.
//!
//! The CSV library takes `"B"x` for `Bx`. Here the same bytes are looked at on their way to it.

use std::collections::VecDeque;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    CellBegins,
    Plain,
    Quoted,
    /// Behind a mark that closes the cell, or is the first of two.
    Marked,
}

/// Finds the lines on which text follows a closing quotation mark.
#[derive(Debug)]
pub(super) struct Quoting {
    place: Place,
    line: u64,
    faults: VecDeque<u64>,
}

impl Quoting {
    pub(super) fn new() -> Self {
        Self {
            place: Place::default(),
            line: 1,
            faults: VecDeque::new(),
        }
    }

    /// Looks at the next bytes of the file.
    pub(super) fn see(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.place = match (self.place, byte) {
                (Place::Quoted, b'"') => Place::Marked,
                (Place::Quoted, _) => Place::Quoted,
                (Place::Marked, b'"') => Place::Quoted,
                (_, b',' | b'\n') => Place::CellBegins,
                (Place::CellBegins, b'"') => Place::Quoted,
                // A carriage return belongs to the line end.
                (Place::Marked, b'\r') => Place::Marked,
                (Place::Marked, _) => {
                    self.faults.push_back(self.line);
                    Place::Plain
                }
                (Place::CellBegins | Place::Plain, _) => Place::Plain,
            };
            self.line += u64::from(*byte == b'\n');
        }
    }

    /// The first line up to this one on which text follows a closing mark, and forgets all of them.
    pub(super) fn fault_until(&mut self, line: u64) -> Option<u64> {
        let first = self.faults.front().copied().filter(|fault| *fault <= line);
        while self.faults.front().is_some_and(|fault| *fault <= line) {
            self.faults.pop_front();
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use super::Quoting;

    #[test]
    fn text_behind_a_closing_mark_is_found_and_nothing_else() {
        let cases = [
            ("a,\"b\",c\n", None),
            ("\"say \"\"hi\"\"\",x\r\n", None),
            ("\"\"\n", None),
            ("\"two\nlines\",x\n", None),
            ("O\"Neil,5\"\n", None),
            ("\"a\"\r\n\"b\"", None),
            ("a\n\"B\"x,c\n", Some(2)),
            ("\"B\" ,c\n", Some(1)),
            ("\"two\nlines\"x\n", Some(2)),
        ];
        for (text, fault) in cases {
            let mut quoting = Quoting::new();
            quoting.see(text.as_bytes());
            assert_eq!(quoting.fault_until(9), fault, "{text:?}");
            assert_eq!(quoting.fault_until(9), None);
        }
    }
}
