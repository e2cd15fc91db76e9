//! Changes as people and programs read them: text, JSON, annotations of GitHub, Markdown.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{Change, Effect};
use crate::lines::line_of;

/// Operations that one line names; a change of a schema can touch all of them.
const NAMED: usize = 3;

/// Changes, with the file and the text of the new contract.
pub struct Report<'c> {
    file: &'c str,
    changes: Vec<(&'c Change, usize)>,
}

impl<'c> Report<'c> {
    /// Finds the line of each change in `text`, the new contract, which is in `file`.
    pub fn new(changes: &'c [Change], file: &'c str, text: &str) -> Self {
        let changes = changes.iter().map(|change| (change, line_of(text, &change.at)));
        Self {
            file,
            changes: changes.collect(),
        }
    }

    /// A paragraph for each change.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (change, line) in &self.changes {
            _ = writeln!(
                text,
                "{}: {}: {}",
                change.effect(),
                change.element,
                change.difference
            );
            _ = writeln!(text, "    {}:{line}", self.file);
            _ = writeln!(text, "    {}", change.reason);
            if let Some(operations) = named(change) {
                _ = writeln!(text, "    Touches {operations}.");
            }
        }
        or_nothing(text)
    }

    /// An array with an object for each change.
    pub fn json(&self) -> Value {
        let changes = self.changes.iter().map(|(change, line)| {
            json!({
                "effect": change.effect().to_string(),
                "element": change.element,
                "difference": change.difference,
                "reason": change.reason.to_string(),
                "operations": change.operations,
                "file": self.file,
                "line": line,
                "pointer": change.at.to_string(),
            })
        });
        changes.collect()
    }

    /// Workflow commands that GitHub shows at the lines of a pull request: breaking changes are errors, others are notices.
    pub fn github(&self) -> String {
        let mut text = String::new();
        for (change, line) in &self.changes {
            let level = match change.effect() {
                Effect::Breaking => "error",
                Effect::Compatible | Effect::Words => "notice",
            };
            let touches = named(change).map(|operations| format!(" Touches {operations}."));
            let message = format!(
                "{}. {}{}",
                change.difference,
                change.reason,
                touches.unwrap_or_default()
            );
            let (file, title) = (
                property(self.file),
                property(&format!("{}: {}", change.effect(), change.element)),
            );
            _ = writeln!(
                text,
                "::{level} file={file},line={line},title={title}::{}",
                data(&message)
            );
        }
        text
    }

    /// A list for each effect.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        for (effect, heading) in [
            (Effect::Breaking, "Breaking"),
            (Effect::Compatible, "Compatible"),
            (Effect::Words, "Words only"),
        ] {
            let of_effect = || {
                self.changes
                    .iter()
                    .filter(|(change, _)| change.effect() == effect)
            };
            if of_effect().next().is_some() {
                _ = writeln!(text, "### {heading}\n");
                for (change, line) in of_effect() {
                    let (element, difference) = (code(&change.element), escaped(&change.difference));
                    let touches = match named(change) {
                        Some(operations) => format!("line {line}; touches {operations}"),
                        None => format!("line {line}"),
                    };
                    _ = writeln!(
                        text,
                        "- {element}: {difference}. {} ({})",
                        change.reason,
                        escaped(&touches)
                    );
                }
                text.push('\n');
            }
        }
        or_nothing(text)
    }
}

fn or_nothing(text: String) -> String {
    match text.is_empty() {
        true => "Nothing changed.\n".to_owned(),
        false => text,
    }
}

/// The operations that a change touches, unless its element names its only one.
fn named(change: &Change) -> Option<String> {
    match change.operations.as_slice() {
        [] => None,
        [one] if change.element.starts_with(one.as_str()) => None,
        several if several.len() <= NAMED => Some(several.join(", ")),
        several => {
            let first = several[..NAMED].join(", ");
            Some(format!("{first} and {} more", several.len() - NAMED))
        }
    }
}

/// The text of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// A name as code, whatever it has in it.
fn code(name: &str) -> String {
    format!("`{}`", name.replace(['`', '\n'], " "))
}

/// A text in which Markdown finds no sign of its own.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '\n' => escaped.push(' '),
            '*' | '_' | '`' | '[' | ']' | '<' | '>' | '|' | '\\' => escaped.extend(['\\', letter]),
            letter => escaped.push(letter),
        }
    }
    escaped
}
