//! Physical lines of bounded length, numbered: what LDIF and JSON lines are read from.

use std::io::{BufRead, Read as _};

use super::MAX_LINE;

/// A physical line without its line end.
pub(super) enum Line<'a> {
    /// What it holds, perhaps nothing.
    Bytes(&'a [u8]),
    /// The start of one that is longer than [`MAX_LINE`]; the rest was passed over.
    TooLong(&'a [u8]),
    /// The source failed; nothing follows.
    Broken(std::io::Error),
}

/// Reads lines that end in LF or CR LF, without a byte order mark before the first.
pub(super) struct Lines<R> {
    source: R,
    buffer: Vec<u8>,
    number: u64,
    over: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(source: R) -> Self {
        Self {
            source,
            buffer: Vec::new(),
            number: 0,
            over: false,
        }
    }

    /// The next line and its number, counted from 1.
    pub(super) fn next(&mut self) -> Option<(u64, Line<'_>)> {
        if self.over {
            return None;
        }
        self.number += 1;
        match self.fill() {
            Ok(false) => {
                self.over = true;
                None
            }
            Ok(true) => Some((self.number, self.line())),
            Err(error) => {
                self.over = true;
                Some((self.number, Line::Broken(error)))
            }
        }
    }

    fn fill(&mut self) -> std::io::Result<bool> {
        self.buffer.clear();
        // Room for the line end and a byte order mark: the limit is on what the line holds.
        let room = MAX_LINE as u64 + 5;
        let read = self
            .source
            .by_ref()
            .take(room)
            .read_until(b'\n', &mut self.buffer)?;
        if read as u64 == room && self.buffer.last() != Some(&b'\n') {
            self.source.skip_until(b'\n')?;
        }
        Ok(read > 0)
    }

    fn line(&self) -> Line<'_> {
        let line = self.buffer.strip_suffix(b"\n").unwrap_or(&self.buffer);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line = if self.number == 1 {
            line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)
        } else {
            line
        };
        if line.len() > MAX_LINE {
            Line::TooLong(line)
        } else {
            Line::Bytes(line)
        }
    }
}
