//! LDIF content records (RFC 2849) → entries.
//!
//! Written here because no crate on crates.io was found that reads LDIF. `record` knows the syntax and no
//! attribute, `entry` knows the attributes and no syntax.

mod entry;
mod record;
#[cfg(test)]
mod tests;

use std::io::BufRead;

use super::{Entry, Options, PresentColumns, Refusal};
use record::Records;

/// Reads an LDIF file.
pub(super) struct Ldif<R> {
    records: Records<R>,
    options: Options,
    present: PresentColumns,
    skipped: u64,
}

impl<R: BufRead> Ldif<R> {
    pub(super) fn new(source: R, options: Options) -> Self {
        Self {
            records: Records::new(source, entry::reads),
            options,
            present: PresentColumns::ldif(),
            skipped: 0,
        }
    }

    pub(super) fn skipped(&self) -> u64 {
        self.skipped
    }

    pub(super) fn present_columns(&self) -> &PresentColumns {
        &self.present
    }
}

impl<R: BufRead> Iterator for Ldif<R> {
    type Item = Result<Entry, Refusal>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let record = match self.records.next()? {
                Ok(record) => record,
                Err(refusal) => return Some(Err(refusal)),
            };
            match entry::entry(&record, &self.options) {
                Ok(Some(kind)) => {
                    return Some(Ok(Entry {
                        line: record.line,
                        kind,
                    }));
                }
                Ok(None) => self.skipped += 1,
                Err(reason) => return Some(Err(Refusal::new(record.line, &record.dn, reason))),
            }
        }
    }
}
