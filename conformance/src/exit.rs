//! What the runner tells the shell.

use std::process::ExitCode;

use crate::report::Verdict;

/// The exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// The target conforms, as far as it could be looked at.
    Conforms = 0,
    /// The target violates the specification.
    Violates = 1,
    /// The run could not be made, or showed too little: usage, an unreachable target, no records.
    CouldNotRun = 2,
}

impl From<&Verdict> for Exit {
    fn from(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Conforms => Self::Conforms,
            Verdict::Violates => Self::Violates,
            Verdict::CouldNotRun { .. } => Self::CouldNotRun,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
