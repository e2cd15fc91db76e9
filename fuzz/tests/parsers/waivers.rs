//! The file of waivers: `conformance/src/waiver/file.rs`.

use rollcall_conformance::checks;
use rollcall_conformance::run::waiver;
use rollcall_fuzz::target;

target!(property);

/// A waiver is for a check that exists and gives a reason. An error names a line of the file.
fn property(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    match waiver::read(&text) {
        Ok(waivers) => {
            for waiver in waivers {
                assert_eq!(checks::find(&waiver.check).unwrap().id, waiver.check);
                assert!(!waiver.reason.trim().is_empty());
            }
        }
        Err(error) => {
            let lines = text.split('\n').count();
            assert!((1..=lines).contains(&error.line), "{error} of {lines}");
            assert!(!error.why.is_empty() && !error.why.contains('\n'));
        }
    }
}
