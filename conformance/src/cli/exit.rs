//! What the runner tells the shell.

use std::process::ExitCode;

use crate::report::Verdict;

/// The exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// The target conforms in all that was tested.
    Conforms = 0,
    /// The target violates the specification.
    Violates = 1,
    /// The run could not be made: usage, configuration, a token that is refused.
    CouldNotRun = 2,
    /// The run was made and showed too little to conclude anything.
    TooLittle = 3,
    /// The target does not answer.
    Unreachable = 4,
}

impl From<&Verdict> for Exit {
    fn from(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Conforms => Self::Conforms,
            Verdict::Violates => Self::Violates,
            Verdict::CouldNotRun { .. } => Self::CouldNotRun,
            Verdict::TooLittle { .. } => Self::TooLittle,
            Verdict::Unreachable { .. } => Self::Unreachable,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
