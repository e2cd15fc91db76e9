//! The runner against a model of the API that is kept in memory: conforming, broken in one way each, and different in
//! ways the specification leaves open.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails with a trace")]

mod benign;
mod broken_off;
mod command_line;
mod configuration;
#[path = "../shared/drawn.rs"]
mod drawn;
mod faults;
mod folder;
mod frame;
mod layers;
#[path = "../shared/meant.rs"]
mod meant;
mod model;
mod mutants;
mod politeness;
mod profiles;
mod reports;
mod sample;
mod tls;
mod waivers;
mod whole;
mod writes;

use std::time::Duration;

use proptest::test_runner::{Config, FileFailurePersistence};
use rollcall_conformance::report::Format;
use rollcall_conformance::report::console::{self, Style};
use rollcall_conformance::{Report, RunConfig, TargetConfig, Token, run};
use rollcall_shelf::model::CONTRACT;
use rollcall_shelf::{Hooks, Model, TOKEN};

/// A quarter of the processor time of these tests was the allocator of the system.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How many people the model has unless a test says otherwise.
const PEOPLE: usize = 60;

/// How many people the targets of the shelf have.
const SHELF: usize = 200;

/// How many of them are judged at once: half of a run that writes is waiting.
const AT_ONCE: usize = 8;

/// Judges the model as it is, with so many people.
async fn judge(people: usize) -> Report {
    judge_model(Model::new(people, Hooks::default()), |_| {}).await
}

/// Judges the model with changes.
async fn judge_hooks(change: impl FnOnce(&mut Hooks)) -> Report {
    let mut hooks = Hooks::default();
    change(&mut hooks);
    judge_model(Model::new(PEOPLE, hooks), |_| {}).await
}

/// Judges a model; nobody else uses it, so that it may be written to.
async fn judge_model(model: Model, configure: impl FnOnce(&mut TargetConfig)) -> Report {
    judge_as(model, configure, |_| {}).await
}

/// Judges the model as it is, with so many people, by reading alone.
async fn judge_reading(people: usize) -> Report {
    let model = Model::new(people, Hooks::default());
    judge_as(model, |_| {}, |config| config.allow_writes = false).await
}

/// Judges a model with changes to how it is spoken with, and to what is looked into.
async fn judge_as(
    model: Model,
    configure: impl FnOnce(&mut TargetConfig),
    choose: impl FnOnce(&mut RunConfig),
) -> Report {
    let base = model.serve().await;
    let mut target = TargetConfig::new(base, Token::new(TOKEN).unwrap());
    target.timeout = Duration::from_secs(5);
    configure(&mut target);
    let names = ["id", "org", "metadata"].map(|key| (key.to_owned(), format!("filter[{key}_search]")));
    let mut config = RunConfig {
        searches: names.into(),
        allow_writes: true,
        ..RunConfig::new(CONTRACT.clone())
    };
    choose(&mut config);
    run(target, config, |_| {}).await
}

/// The numbers of the checks that failed.
fn failed(report: &Report) -> Vec<&'static str> {
    report.failed().map(|check| check.id).collect()
}

/// Everything a report shows to a person or a program.
fn printed(report: &Report) -> String {
    let mut text = Vec::new();
    let style = Style {
        verbose: true,
        ..Style::PLAIN
    };
    console::write(report, style, &mut text).unwrap();
    for format in Format::ALL {
        report.write(format, &mut text).unwrap();
    }
    String::from_utf8(text).unwrap()
}

/// Settings of a property with so many cases. The seeds of cases that fail are kept, and tried first from then on.
fn properties(cases: u32) -> Config {
    const FAILING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/all/failing-seeds.txt");
    Config {
        cases,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(FAILING))),
        ..Config::default()
    }
}
