//! Files of JSON lines: `server/src/import/jsonl.rs`, and `server/src/export/`, which writes what it reads.

use rollcall_fuzz::target;
use rollcall_server::import::Format;

use crate::import_file;

target!(property);

/// What is accepted comes back from an export.
fn property(input: &[u8]) {
    let rows = import_file::rows(Format::Jsonl, input);
    import_file::survives_export(&rows);
}
