//! The format of the log. Messages of the commands follow it.

use std::sync::atomic::{AtomicBool, Ordering};

/// How the log looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// A line for people.
    #[default]
    Text,
    /// An object on each line, for programs.
    Json,
}

static IS_JSON: AtomicBool = AtomicBool::new(false);

impl LogFormat {
    /// Takes it for all that is said from now on.
    pub fn take_effect(self) {
        IS_JSON.store(self == Self::Json, Ordering::Relaxed);
    }
}

/// Says why a command has failed, in the same way.
pub fn say_error(why: &str) {
    match IS_JSON.load(Ordering::Relaxed) {
        true => tracing::error!("{why}"),
        false => eprintln!("error: {why}"),
    }
}

/// Says something to the operator on standard error: as it is, or as a line of the log where each line is an object.
pub fn say(text: &str) {
    match IS_JSON.load(Ordering::Relaxed) {
        true => tracing::info!("{text}"),
        false => eprintln!("{text}"),
    }
}
