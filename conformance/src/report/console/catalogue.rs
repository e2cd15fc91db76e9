//! The checks themselves: all in a table, or some in full.

use std::io::{self, Write};

use rollcall_contract::Contract;

use crate::checks::{Check, Level, Subject};
use crate::report::console::Style;
use crate::report::{Demand, text};

/// What the levels mean.
pub(in crate::report) const LEVELS: &str = "\
Levels: must: the specification says so. guarded: it says so of data that the target may not have. \
observe: it leaves this open, so the run only reports it. ruling: a profile says so, which the target claims to follow.";

/// Writes all checks as a table.
///
/// # Errors
/// It cannot be written.
pub fn list(checks: impl Iterator<Item = &'static Check>, mut to: impl Write) -> io::Result<()> {
    writeln!(to, "ID   CLAUSE   LEVEL    WHAT THE SPECIFICATION SAYS")?;
    for check in checks {
        let head = format!("{:<4} {:<8} {:<8} ", check.id, check.clause, check.level);
        hanging(&mut to, &head, check.says)?;
        hanging(&mut to, &format!("{:<23}needs ", ""), check.needs)?;
    }
    writeln!(to)?;
    hanging(&mut to, "", LEVELS)
}

/// Writes what some checks are about.
///
/// # Errors
/// It cannot be written.
pub fn explain(checks: &[&Check], contract: &Contract, mut to: impl Write) -> io::Result<()> {
    for (number, check) in checks.iter().enumerate() {
        if number > 0 {
            writeln!(to)?;
        }
        let level = match check.level {
            Level::Must => "must: the specification says so",
            Level::Guarded => "guarded: the specification says so of data that the target may not have",
            Level::Observe => "observe: the specification leaves it open, so it is reported and never fails",
            Level::Ruling => "ruling: a profile says so, which the target claims to follow",
        };
        writeln!(to, "{}  {}", check.id, check.clause)?;
        hanging(&mut to, "  says   ", check.says)?;
        let demands: Vec<_> = check
            .demanded(contract)
            .map(|rule| Demand::of(rule).to_string())
            .collect();
        lines(&mut to, "  breaks ", &demands)?;
        hanging(&mut to, "  level  ", level)?;
        hanging(&mut to, "  needs  ", check.needs)?;
        hanging(&mut to, "  finds  ", check.finds)?;
        if !check.advice.is_empty() {
            hanging(&mut to, "  advice ", check.advice)?;
        }
        let subject = Subject::of(check, contract);
        lines(&mut to, "  sends  ", &subject.requests)?;
        lines(&mut to, "  open   ", &subject.open_points)?;
        if !check.covers.is_empty() {
            hanging(&mut to, "  covers ", &check.covers.join(", "))?;
        }
    }
    Ok(())
}

/// Several texts, the first of which begins with `head`; each begins a line.
fn lines(to: &mut impl Write, head: &str, texts: &[String]) -> io::Result<()> {
    let others = " ".repeat(head.chars().count());
    for (number, text) in texts.iter().enumerate() {
        hanging(to, if number == 0 { head } else { &others }, text)?;
    }
    Ok(())
}

/// Text in lines, the first of which begins with `head`; the others are indented to its end.
fn hanging(to: &mut impl Write, head: &str, words: &str) -> io::Result<()> {
    let lines = text::hanging(head, words, Style::PLAIN.width);
    lines.iter().try_for_each(|line| writeln!(to, "{line}"))
}
