//! The bytes of a CSV file on their way to the CSV library: without the byte order mark, no more of them for a row than a row may
//! have, and seen by [`RowStarts`].

use std::io::{BufRead, Chain, Cursor, Read};

use super::row_starts::RowStarts;
use crate::MAX_LINE;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// What the CSV library reads from.
pub(super) struct Source<R> {
    /// The line end after the last row shows a quotation mark that is still open there, and lets lines be counted.
    file: Chain<R, &'static [u8]>,
    /// The first bytes, once they were looked at.
    first: Option<Cursor<Vec<u8>>>,
    /// How many bytes the row may still have: a quotation mark that is never closed would take in the whole file.
    left: usize,
    pub(super) row_starts: RowStarts,
}

impl<R: BufRead> Source<R> {
    pub(super) fn new(file: R) -> Self {
        Self {
            file: file.chain(b"\n".as_slice()),
            first: None,
            left: MAX_LINE,
            row_starts: RowStarts::new(),
        }
    }

    /// Lets the next row have all the bytes that a row may have.
    pub(super) fn begin_row(&mut self) {
        self.left = MAX_LINE;
    }

    /// Reads the first bytes, but for the byte order mark, however they arrive.
    fn first(&mut self) -> std::io::Result<&mut Cursor<Vec<u8>>> {
        let first = match self.first.take() {
            Some(first) => first,
            None => {
                let mut first = Vec::new();
                let length = BYTE_ORDER_MARK.len() as u64;
                self.file.by_ref().take(length).read_to_end(&mut first)?;
                if first == BYTE_ORDER_MARK {
                    first.clear();
                }
                Cursor::new(first)
            }
        };
        Ok(self.first.insert(first))
    }
}

impl<R: BufRead> Read for Source<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let room = buffer.len().min(self.left);
        if room == 0 && !buffer.is_empty() {
            return Err(std::io::Error::other(format!(
                "a row is longer than {MAX_LINE} bytes"
            )));
        }
        let mut read = self.first()?.read(&mut buffer[..room])?;
        if read == 0 {
            read = self.file.read(&mut buffer[..room])?;
        }
        self.left -= read;
        self.row_starts.see(&buffer[..read]);
        Ok(read)
    }
}
