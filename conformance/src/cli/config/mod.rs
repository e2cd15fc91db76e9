//! The settings of a run: each is a flag, an environment variable and a key of the configuration file, declared once.
//!
//! Invariant: the token is no setting. It would end up in a file that is shared.

mod fault;
mod file;
mod pair;

use std::path::PathBuf;

use clap::builder::BoolishValueParser;
use clap::{Arg, Args};
use schemars::{JsonSchema, Schema, schema_for};
use serde::Deserialize;
use serde_json::{Map, Value};

pub use fault::Fault;
pub(crate) use fault::{address, time};
pub use file::{ConfigError, DEFAULT_FILE, File};
pub use pair::{NotAPair, Pair};

// The headings of the flags in the help.
pub(crate) const TARGET: &str = "Target";
const POLITENESS: &str = "Politeness";
pub(crate) const CHECKS: &str = "What to check";
const WRITES: &str = "Writes";
pub(crate) const OUTPUT: &str = "Output";

/// The value of a switch, in the help.
pub(crate) const YES_NO: &str = "true|false";

/// Lets a switch, which is a flag with the value [`YES_NO`], be given without its value: it is true then.
pub(crate) fn switch(flag: Arg) -> Arg {
    if flag.get_value_names().is_none_or(|names| names != [YES_NO]) {
        return flag;
    }
    flag.num_args(0..=1)
        .require_equals(true)
        .default_missing_value("true")
        .hide_possible_values(true)
        .value_parser(BoolishValueParser::new())
}

/// The settings of a run. Paths are relative to the working directory.
#[derive(Args, Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(title = "rollcall.toml")]
pub struct Settings {
    /// The address of the target, version included: `https://directory.example/api/v1`
    #[arg(long, env = "ROLLCALL_BASE_URL", value_name = "URL", help_heading = TARGET)]
    pub base_url: Option<String>,
    /// The file that contains the token and nothing else; `-` for standard input.
    #[arg(long, env = "ROLLCALL_TOKEN_FILE", value_name = "FILE", help_heading = TARGET)]
    pub token_file: Option<PathBuf>,
    /// The member that contains the records of a list, such as data, or a pointer to it, such as /result/items. Without this,
    /// the runner finds it if only one fits.
    #[arg(long, env = "ROLLCALL_ENVELOPE", value_name = "MEMBER", help_heading = TARGET)]
    pub envelope: Option<String>,
    /// Trust the certificate authorities in this PEM file too.
    #[arg(long, env = "ROLLCALL_CA_FILE", value_name = "PEM", help_heading = TARGET)]
    pub ca_file: Option<PathBuf>,
    /// Accept any certificate. A machine between the runner and the target can then read the token.
    #[arg(long, env = "ROLLCALL_INSECURE", value_name = YES_NO, help_heading = TARGET)]
    pub insecure: Option<bool>,

    /// Seconds to wait for an answer (default: 30).
    #[arg(long, env = "ROLLCALL_TIMEOUT", value_name = "S", help_heading = POLITENESS)]
    #[schemars(range(min = 1))]
    pub timeout: Option<u64>,
    /// The most requests to send (default: 4000; with --thorough 15000).
    #[arg(long, env = "ROLLCALL_MAX_REQUESTS", value_name = "N", help_heading = POLITENESS)]
    #[schemars(range(min = 1))]
    pub max_requests: Option<usize>,
    /// The most requests at the same time (default: 4).
    #[arg(long, env = "ROLLCALL_CONCURRENCY", value_name = "N", help_heading = POLITENESS)]
    #[schemars(range(min = 1))]
    pub concurrency: Option<usize>,
    /// How long the run may take, such as 120s or 5m (default: no limit). The most telling requests come first.
    #[arg(long, env = "ROLLCALL_BUDGET", value_name = "TIME", help_heading = POLITENESS)]
    pub budget: Option<String>,
    /// The most requests in a second, such as 10 or 0.5 (default: no limit).
    #[arg(long, env = "ROLLCALL_RATE", value_name = "N", help_heading = POLITENESS)]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub rate: Option<f64>,

    /// Judge by this annotated OpenAPI document in place of the built-in document.
    #[arg(long, env = "ROLLCALL_CONTRACT", value_name = "FILE", help_heading = CHECKS)]
    pub contract: Option<PathBuf>,
    /// Only these checks: numbers (E3) or clauses (§4.4), separated by commas.
    #[arg(long, env = "ROLLCALL_ONLY", value_name = "ID|§", value_delimiter = ',', help_heading = CHECKS)]
    pub only: Vec<String>,
    /// Not these checks: numbers or clauses, separated by commas.
    #[arg(long, env = "ROLLCALL_SKIP", value_name = "ID|§", value_delimiter = ',', help_heading = CHECKS)]
    pub skip: Vec<String>,
    /// Try every pair of parameters of every list, with up to 15000 requests; without it the pairs that about 2500 requests reach.
    #[arg(long, env = "ROLLCALL_THOROUGH", value_name = YES_NO, help_heading = CHECKS)]
    pub thorough: Option<bool>,
    /// The seed that selects values and queries (default: 1). Each report names it.
    #[arg(long, env = "ROLLCALL_SEED", value_name = "N", help_heading = CHECKS)]
    pub seed: Option<u64>,
    /// The name of a search that the specification does not name, such as `org=filter[org_search]`.
    #[arg(long, env = "ROLLCALL_SEARCH", value_name = "KEY=NAME", value_delimiter = ',', help_heading = CHECKS)]
    #[serde(deserialize_with = "pair::table")]
    #[schemars(with = "std::collections::BTreeMap<String, String>")]
    pub search: Vec<Pair>,
    /// Known violations, each with a reason and a last day.
    #[arg(long, env = "ROLLCALL_WAIVERS", value_name = "FILE", help_heading = CHECKS)]
    pub waivers: Option<PathBuf>,
    /// The choices at open points that the target claims to make: `reference`, or a file that --write-profile wrote.
    #[arg(long, env = "ROLLCALL_PROFILE", value_name = "reference|FILE", help_heading = CHECKS)]
    pub profile: Option<String>,

    /// Change records: the fixtures, else a few records that the run finds by reading. The report names them.
    #[arg(long, env = "ROLLCALL_ALLOW_WRITES", value_name = YES_NO, help_heading = WRITES)]
    pub allow_writes: Option<bool>,
    /// A record that may be changed, by kind and id, such as workspace-user=wsusr_1.
    #[arg(long, env = "ROLLCALL_FIXTURE", value_name = "KIND=ID", value_delimiter = ',', help_heading = WRITES)]
    #[serde(deserialize_with = "pair::table")]
    #[schemars(with = "std::collections::BTreeMap<String, String>")]
    pub fixture: Vec<Pair>,

    /// Write a report: a form and a file, or a file whose ending tells the form. The forms: json, junit (.xml), html, sarif,
    /// sarif-violations, tap, markdown (.md), har, badge, github. `-` is standard output.
    #[arg(long, env = "ROLLCALL_REPORT", value_name = "[FORM=]FILE", value_delimiter = ',',
          help_heading = OUTPUT)]
    pub report: Vec<String>,
    /// Write the choices of the target at open points to this file.
    #[arg(long, env = "ROLLCALL_WRITE_PROFILE", value_name = "FILE", help_heading = OUTPUT)]
    pub write_profile: Option<PathBuf>,
    /// Print no progress.
    #[arg(long, short, env = "ROLLCALL_QUIET", value_name = YES_NO, help_heading = OUTPUT)]
    pub quiet: Option<bool>,
    /// Print more progress, all findings and all observations.
    #[arg(long, short, env = "ROLLCALL_VERBOSE", value_name = YES_NO, help_heading = OUTPUT)]
    pub verbose: Option<bool>,
    /// Print without colours, as with the variable NO_COLOR.
    #[arg(long, env = "ROLLCALL_NO_COLOR", value_name = YES_NO, help_heading = OUTPUT)]
    pub no_color: Option<bool>,
}

impl Settings {
    /// These settings, and where they say nothing, those below. Of pairs with one key the last counts, which is ours.
    #[must_use]
    pub fn over(self, below: Self) -> Self {
        Self {
            base_url: self.base_url.or(below.base_url),
            token_file: self.token_file.or(below.token_file),
            envelope: self.envelope.or(below.envelope),
            ca_file: self.ca_file.or(below.ca_file),
            insecure: self.insecure.or(below.insecure),
            timeout: self.timeout.or(below.timeout),
            max_requests: self.max_requests.or(below.max_requests),
            concurrency: self.concurrency.or(below.concurrency),
            budget: self.budget.or(below.budget),
            rate: self.rate.or(below.rate),
            contract: self.contract.or(below.contract),
            only: first(self.only, below.only),
            skip: first(self.skip, below.skip),
            thorough: self.thorough.or(below.thorough),
            seed: self.seed.or(below.seed),
            search: [below.search, self.search].concat(),
            waivers: self.waivers.or(below.waivers),
            profile: self.profile.or(below.profile),
            allow_writes: self.allow_writes.or(below.allow_writes),
            fixture: [below.fixture, self.fixture].concat(),
            report: first(self.report, below.report),
            write_profile: self.write_profile.or(below.write_profile),
            quiet: self.quiet.or(below.quiet),
            verbose: self.verbose.or(below.verbose),
            no_color: self.no_color.or(below.no_color),
        }
    }
}

/// The JSON Schema of the configuration file.
pub fn schema() -> Schema {
    let mut schema = schema_for!(Settings);
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    let properties = properties.into_iter().flatten();
    for property in properties.filter_map(|(_, property)| property.as_object_mut()) {
        without_null(property);
    }
    schema
}

/// Takes null out of a property: a key is left out where it says nothing, and TOML has no null.
fn without_null(property: &mut Map<String, Value>) {
    property.remove("default");
    let types = property.get("type").and_then(Value::as_array);
    if let Some([only, _null]) = types.map(Vec::as_slice) {
        let only = only.clone();
        property.insert("type".to_owned(), only);
    }
}

/// A list that is given replaces the list below.
fn first<T>(list: Vec<T>, below: Vec<T>) -> Vec<T> {
    if list.is_empty() { below } else { list }
}
