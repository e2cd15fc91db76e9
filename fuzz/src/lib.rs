//! Runs a fuzz target: replays its corpus, then tries mutations of the corpus.
//!
//! A target is a file in `tests/parsers/` and a folder of the same name in `corpus/`. It holds one property: a function that
//! takes bytes and panics if the parser is wrong about them. [`target!`] turns it into a test. Under `cargo bolero` the same
//! property is driven by libFuzzer. `README.md` says how to run both.

mod corpus;
mod input;
mod mutation;
mod pieces;

use std::cell::Cell;
use std::path::Path;
use std::time::Duration;

pub use corpus::Corpus;
pub use input::Input;
pub use mutation::Mutations;
pub use pieces::Pieces;

/// How long `cargo test` tries mutations of one target; `BOLERO_RANDOM_TEST_TIME_MS` replaces it.
pub const TEST_TIME: Duration = Duration::from_millis(200);

/// The environment variable that keeps each input in a file before it is tried. A stack overflow or an endless loop ends
/// the process, and then that file is the finding.
const KEEP_LAST: &str = "ROLLCALL_FUZZ_KEEP_LAST";

thread_local! {
    /// The length of the shortest input that failed: each test has a thread, and goes on after a failure to make it smaller.
    static SHORTEST: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Turns a property, a `fn(&[u8])`, into the test `fuzz` of the module it is used in.
#[macro_export]
macro_rules! target {
    ($property:path) => {
        #[test]
        fn fuzz() {
            #[cfg(not(fuzzing))]
            {
                let corpus = $crate::Corpus::of(module_path!());
                corpus.replay($property);
                bolero::check!()
                    .with_generator($crate::Mutations::of(&corpus))
                    .with_test_time($crate::TEST_TIME)
                    .for_each(|input: &$crate::Input| {
                        $crate::check(
                            input,
                            module_path!(),
                            env!("CARGO_TARGET_TMPDIR").as_ref(),
                            $property,
                        )
                    });
            }
            #[cfg(fuzzing)]
            bolero::check!().for_each(|bytes: &[u8]| $property(bytes));
        }
    };
}

/// Holds one input against a property. The shortest input that fails is written to `findings/<target>` below `folder`.
pub fn check(input: &Input, module: &str, folder: &Path, property: fn(&[u8])) {
    let findings = folder.join("findings");
    let target = corpus::name(module);
    if std::env::var_os(KEEP_LAST).is_some() {
        input.write(&findings, &format!("{target}.last"));
    }
    let Err(panic) = std::panic::catch_unwind(|| property(input.bytes())) else {
        return;
    };
    let length = input.bytes().len();
    if length < SHORTEST.get() {
        SHORTEST.set(length);
        let file = input.write(&findings, target);
        eprintln!(
            "an input of {length} bytes fails; it is kept in {}",
            file.display()
        );
    }
    std::panic::resume_unwind(panic);
}
