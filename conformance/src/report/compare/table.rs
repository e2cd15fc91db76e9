//! A comparison as text. Each implementation has a number, so that many of them fit a terminal.

use std::io::{self, Write};

use super::{CheckRow, Columns, Comparison, PointRow, WrittenRun, counts};
use crate::engine::outcome::Outcome;
use crate::report::console::{Style, ink};
use crate::report::text::{self, counted};
use crate::report::{add, mark};

/// How many questions with the same answers are named.
const QUESTIONS: usize = 1;

/// Writes the comparison.
///
/// # Errors
/// It cannot be written.
pub fn write(comparison: &Comparison, style: Style, mut to: impl Write) -> io::Result<()> {
    let mut page = Page {
        style,
        lines: Vec::new(),
    };
    page.implementations(comparison);
    let columns = comparison.last_runs();
    page.clauses(&columns);
    let different = columns.different_checks();
    page.checks("Checks with different outcomes", &different, "    ");
    page.points(
        "Different choices at open points",
        &columns.different_points(),
        "    ",
    );
    page.histories(comparison);
    page.legend(comparison);
    for line in page.lines {
        writeln!(to, "{}", line.trim_end())?;
    }
    Ok(())
}

struct Page {
    style: Style,
    lines: Vec<String>,
}

impl Page {
    fn line(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    fn hanging(&mut self, head: &str, words: &str) {
        self.lines
            .extend(text::hanging(head, &text::line(words), self.style.width));
    }

    fn implementations(&mut self, comparison: &Comparison) {
        for (number, one) in comparison.implementations.iter().enumerate() {
            let Some(last) = comparison.last_runs().runs().get(number).copied() else {
                continue;
            };
            let name = text::line(&one.name);
            self.line(format!("{:>3}  {name}  {}", number + 1, last.verdict.word()));
            self.hanging("       ", &facts(last));
        }
    }

    /// How many checks of each clause came to what.
    fn clauses(&mut self, columns: &Columns<'_>) {
        let clauses = columns.clauses();
        let cells = |rows: &[CheckRow<'_>], column| {
            let counts = counts(rows, column);
            let told = counts
                .iter()
                .map(|(word, count)| format!("{}{count}", mark(word)));
            told.collect::<Vec<_>>().join(" ")
        };
        let table: Vec<(&str, Vec<String>)> = clauses
            .iter()
            .map(|(clause, rows)| {
                let columns = 0..columns.runs().len();
                (*clause, columns.map(|column| cells(rows, column)).collect())
            })
            .collect();
        let widths: Vec<usize> = (0..columns.runs().len())
            .map(|column| {
                let widths = table.iter().map(|(_, cells)| cells[column].chars().count());
                widths.max().unwrap_or(0).max(numbered(column).len())
            })
            .collect();
        let heads = clauses.iter().map(|(clause, _)| clause.chars().count());
        let indent = heads.max().unwrap_or(0);
        self.line("");
        self.line("Clause by clause");
        let row = |head: &str, cells: &mut dyn Iterator<Item = String>| {
            let cells = cells.zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
            format!("    {head:<indent$}  {}", cells.collect::<Vec<_>>().join("  "))
        };
        let head = row("", &mut (0..widths.len()).map(numbered));
        self.line(head);
        for (clause, cells) in table {
            let line = row(clause, &mut cells.into_iter());
            self.line(line);
        }
    }

    /// A line for each check, with a sign for each column.
    fn checks(&mut self, title: &str, rows: &[CheckRow<'_>], indent: &str) {
        if rows.is_empty() {
            return;
        }
        self.line("");
        self.line(title);
        for row in rows {
            let signs = row.outcomes.iter().map(|outcome| match outcome {
                Some(word) => self.style.paint(ink(word), mark(word)),
                None => " ".to_owned(),
            });
            let signs = signs.collect::<Vec<_>>().join(" ");
            let check = row.check;
            let head = format!(
                "{indent}{:<4} {:<8} ",
                text::line(&check.id),
                text::line(&check.clause)
            );
            let room = self
                .style
                .width
                .saturating_sub(head.len() + 2 * row.outcomes.len() + 1);
            let says = text::hanging("", &text::line(&check.says), room);
            self.line(format!(
                "{head}{signs}  {}",
                says.first().map_or("", String::as_str)
            ));
            let below = " ".repeat(head.chars().count() + 2 * row.outcomes.len() + 1);
            self.lines
                .extend(says.into_iter().skip(1).map(|line| format!("{below}{line}")));
        }
    }

    /// The choices of the columns, those with the same choice together.
    fn points(&mut self, title: &str, rows: &[PointRow<'_>], indent: &str) {
        if rows.is_empty() {
            return;
        }
        self.line("");
        self.line(title);
        for row in rows {
            let point = row.point;
            self.hanging(&format!("{indent}{:<4} ", text::line(&point.id)), &point.says);
            for choice in &row.choices {
                let named = choice.questions.iter().take(QUESTIONS).cloned();
                let more = choice.questions.len().saturating_sub(QUESTIONS);
                let more =
                    (more > 0).then(|| format!("and {}", counted(more, "more question", "more questions")));
                let questions = named.chain(more).collect::<Vec<_>>().join(", ");
                self.hanging(&format!("{indent}     - "), &questions);
                let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
                for (column, choice) in choice.choices.iter().enumerate() {
                    let choice = choice.as_deref().unwrap_or("not observed");
                    add(&mut groups, choice, numbered(column));
                }
                for (choice, columns) in groups {
                    self.hanging(&format!("{indent}       {}: ", columns.join(" ")), choice);
                }
            }
        }
    }

    /// What changed from run to run.
    fn histories(&mut self, comparison: &Comparison) {
        for one in &comparison.implementations {
            let Some(columns) = one.history() else {
                continue;
            };
            self.line("");
            self.line(format!("History of {}", text::line(&one.name)));
            for (column, run) in columns.runs().iter().enumerate() {
                self.line(format!("{:>5}  {}", numbered(column), run.verdict.word()));
                self.hanging("         ", &facts(run));
            }
            let checks = columns.different_checks();
            let points = columns.different_points();
            self.checks("  Checks that changed", &checks, "      ");
            self.points("  Choices that changed", &points, "      ");
            if checks.is_empty() && points.is_empty() {
                self.line("  No check and no choice changed.");
            }
            let new: Vec<_> = one.new_failures().iter().map(|check| check.id.as_str()).collect();
            if !new.is_empty() {
                self.line("");
                self.hanging("  New failures in the last run: ", &new.join(", "));
            }
        }
    }

    fn legend(&mut self, comparison: &Comparison) {
        let columns = comparison.last_runs();
        let words = Outcome::WORDS.into_iter();
        let seen = words.filter(|word| columns.runs().iter().any(|run| run.count(word) > 0));
        let legend: Vec<_> = seen.map(|word| format!("{} {word}", mark(word))).collect();
        self.line("");
        self.hanging("", &legend.join(", "));
    }
}

/// What a reader has to know of a run: when, how many checks came to what, and the target.
fn facts(run: &WrittenRun) -> String {
    let counts = Outcome::WORDS.map(|word| (run.count(word), word));
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    let counts: Vec<_> = counts.map(|(count, word)| format!("{count} {word}")).collect();
    format!("{:.0}, {}, {}", run.started_at, counts.join(", "), run.target)
}

fn numbered(column: usize) -> String {
    (column + 1).to_string()
}
