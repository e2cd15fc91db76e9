//! Colours, and none where they would be in the way.

use std::fmt::Display;

/// How the report looks on a terminal, or in a file that took its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether escape sequences for colours are written.
    pub colour: bool,
    /// Whether everything is told of every check.
    pub verbose: bool,
    /// Whether it is told how much of what can be asked was asked.
    pub coverage: bool,
    /// How many characters a line has; commands to be copied are not broken.
    pub width: usize,
}

/// What a colour means.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ink {
    Good,
    Bad,
    Doubtful,
    Quiet,
    Strong,
}

impl Style {
    /// Without colours, in short.
    pub const PLAIN: Self = Self {
        colour: false,
        verbose: false,
        coverage: false,
        width: 100,
    };

    /// The style for a stream: colours only on a terminal, and not where `NO_COLOR` has a value.
    pub fn of(is_terminal: bool, no_color: Option<&std::ffi::OsStr>, verbose: bool) -> Self {
        let forbidden = no_color.is_some_and(|value| !value.is_empty());
        Self {
            colour: is_terminal && !forbidden,
            verbose,
            ..Self::PLAIN
        }
    }

    /// The text in a colour.
    pub(crate) fn paint(self, ink: Ink, text: impl Display) -> String {
        if !self.colour {
            return text.to_string();
        }
        let code = match ink {
            Ink::Good => "32",
            Ink::Bad => "1;31",
            Ink::Doubtful => "33",
            Ink::Quiet => "2",
            Ink::Strong => "1",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}

/// The ink for an outcome, by its word.
pub(crate) fn ink(word: &str) -> Ink {
    match word {
        "passed" => Ink::Good,
        "failed" | "error" => Ink::Bad,
        "inconclusive" | "waived" | "not exercised" | "not judged" => Ink::Doubtful,
        _ => Ink::Quiet,
    }
}
