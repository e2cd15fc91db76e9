//! The runner's configuration file: `conformance/src/config/`.

use std::path::Path;
use std::sync::LazyLock;

use jsonschema::Validator;
use rollcall_conformance::cli::config::{ConfigError, File, schema};
use rollcall_conformance::our_contract;
use rollcall_contract::Contract;
use rollcall_fuzz::target;
use serde_json::Value;

target!(property);

static CONTRACT: LazyLock<Contract> = LazyLock::new(|| our_contract().unwrap());
static SCHEMA: LazyLock<Validator> = LazyLock::new(|| {
    let schema = serde_json::to_value(schema()).unwrap();
    jsonschema::validator_for(&schema).unwrap()
});

/// Something that must not be shown.
const SECRET: &str = "hunter2-is-my-token";

/// A file whose values make sense is valid by the schema that we publish. An error names a line of the file, and shows no
/// secret.
fn property(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    match File::parse(Path::new("rollcall.toml"), text.to_string()) {
        Err(error) => named(&text, &error),
        Ok(file) => match file.settings.verify(&CONTRACT) {
            Err(fault) => named(&text, &file.wrong(fault)),
            Ok(()) => {
                let value: Value = toml::from_str(&text).unwrap();
                assert!(SCHEMA.is_valid(&value), "{value}");
            }
        },
    }
    let with_secret = format!("{text}\ntoken = '{SECRET}'\n");
    if !text.contains("hunter2")
        && let Err(error) = File::parse(Path::new("rollcall.toml"), with_secret)
    {
        assert!(!error.to_string().contains("hunter2"), "{error}");
    }
}

fn named(text: &str, error: &ConfigError) {
    let ConfigError::Wrong { line, why, .. } = error else {
        panic!("{error}");
    };
    let lines = text.split('\n').count();
    assert!((1..=lines).contains(line), "line {line} of {lines}: {error}");
    assert!(!why.is_empty());
}
