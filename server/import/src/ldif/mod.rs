//! LDIF content records (RFC 2849) → entries.
//!
//! Written here because no crate on crates.io was found that reads LDIF. `record` knows the syntax and no attribute, `entry`
//! knows the attributes and no syntax; `attributes` is their table. `placement` and `unique_id` each know the attributes
//! for one question: is this entry alive, and who is it.

mod attributes;
mod description;
mod entry;
mod placement;
mod record;
#[cfg(test)]
mod tests;
mod unique_id;

use std::io::BufRead;
use std::rc::Rc;
use std::sync::Arc;

use super::passed_over::PassedOver;
use super::{Entry, Options, PresentColumns, Refusal};
pub(super) use attributes::mapping;
use entry::Meaning;
use record::Records;

/// Reads an LDIF file.
pub(super) struct Ldif<R> {
    records: Records<R>,
    options: Options,
    present: PresentColumns,
    passed_over: PassedOver,
}

impl<R: BufRead> Ldif<R> {
    pub(super) fn new(source: R, options: Options) -> Self {
        let mut present = PresentColumns::default();
        if options.clear_missing {
            attributes::mark_all(&options, &mut present);
        }
        let mapping = Arc::clone(&options.mapping);
        let keep = move |name: &str| attributes::keeps(name, &mapping);
        Self {
            records: Records::new(source, Rc::new(keep)),
            present,
            options,
            passed_over: PassedOver::default(),
        }
    }

    pub(super) fn passed_over(&self) -> &PassedOver {
        &self.passed_over
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
                Ok(Meaning::Entry(kind)) => {
                    attributes::mark_present(&record, &self.options, &mut self.present);
                    self.passed_over.attributes.add_all(&record.dropped);
                    attributes::count_second_values(&record, &mut self.passed_over.attributes);
                    return Some(Ok(Entry {
                        line: record.line,
                        kind,
                    }));
                }
                Ok(Meaning::Aside(what)) => self.passed_over.entries.add(&what, record.line),
                Err(reason) => return Some(Err(Refusal::new(record.line, &record.dn, reason))),
            }
        }
    }
}
