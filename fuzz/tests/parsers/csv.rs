//! CSV files: `server/import/src/csv/`, and `server/import/src/export/`, which writes what it reads.

use rollcall_fuzz::target;
use rollcall_import::Format;

use crate::import_file;

target!(property);

/// What is accepted comes back from an export.
fn property(input: &[u8]) {
    let rows = import_file::rows(Format::Csv, input);
    import_file::survives_export(&rows);
}
