//! The contract says where a record shows its parts: the runner itself has the name of none.

use std::fs;
use std::path::Path;

use crate::layers::files;

/// The names of the parts of our records.
const NAMES: [&str; 11] = [
    "id",
    "included",
    "exists",
    "count",
    "links",
    "timestamp",
    "created_at",
    "updated_at",
    "expires_at",
    "deleted_at",
    "state",
];

/// The folders that look at records.
const FOLDERS: [&str; 6] = [
    "oracle/src/open_points",
    "oracle/src/corpus",
    "oracle/src/judge",
    "oracle/src/plan",
    "src/engine",
    "src/checks",
];

/// The file that has some of these names as words: other names may end with them (R11).
const WORDS: (&str, [&str; 2]) = ("oracle/src/open_points/related_number.rs", ["exists", "count"]);

/// The lines of a file without comments and without items for tests.
fn code(text: &str) -> Vec<&str> {
    let mut skipped: Option<&str> = None;
    let lines = text.lines().filter(|line| {
        if let Some(indent) = skipped {
            let rest = line.strip_prefix(indent).unwrap_or_default();
            if !rest.starts_with(' ') && (rest == "}" || rest.ends_with(';')) {
                skipped = None;
            }
            return false;
        }
        let content = line.trim_start();
        if content == "#[cfg(test)]" {
            skipped = Some(&line[..line.len() - content.len()]);
        }
        !content.starts_with("//") && skipped.is_none()
    });
    lines.collect()
}

/// Whether a line has a name as a text, or a pointer with it.
fn names(line: &str, name: &str) -> bool {
    line.contains(&format!("\"{name}\"")) || line.contains(&format!("\"/{name}"))
}

#[test]
fn no_part_of_a_record_is_named_in_the_runner() {
    let runner = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for file in FOLDERS.iter().flat_map(|folder| files(&runner.join(folder))) {
        let place = file.strip_prefix(runner).unwrap().to_string_lossy().into_owned();
        let is_test = place.contains("/tests/") || place.ends_with("/tests.rs");
        if is_test || !place.ends_with(".rs") {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        let code = code(&text);
        let named = NAMES
            .iter()
            .filter(|name| code.iter().any(|line| names(line, name)));
        found.extend(named.map(|name| (place.clone(), *name)));
    }
    let words = WORDS.1.map(|word| (WORDS.0.to_owned(), word));
    assert_eq!(found, words);
}

#[test]
fn items_for_tests_and_comments_are_no_code() {
    let text = "a\n// b\n#[cfg(test)]\nuse c;\nimpl D {\n    #[cfg(test)]\n    fn e() {\n        f;\n    }\n    g\n}\n#[cfg(test)]\nmod tests {\n    h\n}";
    assert_eq!(code(text), ["a", "impl D {", "    g", "}"]);
    assert!(
        names("x[\"state\"]", "state")
            && names("\"/state\"", "state")
            && !names("state(\"a state\")", "state")
    );
}
