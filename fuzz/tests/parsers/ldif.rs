//! LDIF files: `server/import/src/ldif/`.

use rollcall_fuzz::target;
use rollcall_import::Format;

use crate::import_file;

target!(property);

/// The file is read to its end, or a fatal refusal says where not.
fn property(input: &[u8]) {
    import_file::rows(Format::Ldif, input);
}
