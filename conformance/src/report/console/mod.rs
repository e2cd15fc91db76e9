//! The report as a person reads it in ten seconds: the verdict first and last, what is wrong by its causes, with the
//! means to see it again; then what is missing before more could be told.

mod catalogue;
mod causes;
mod paint;

use std::collections::BTreeSet;
use std::io::{self, Write};

pub(super) use catalogue::LEVELS;
pub use catalogue::{explain, list};
pub use paint::Style;
pub(super) use paint::{Ink, ink};

use crate::report::point::NOT_OBSERVED;
use crate::report::text::{self, counted};
use crate::report::{Causes, Checked, Report, Verdict};

/// So many pairs that were not covered are told of each list; all of them with `--verbose`.
const PAIRS: usize = 5;

/// Writes the report.
///
/// # Errors
/// It cannot be written.
pub fn write(report: &Report, style: Style, mut to: impl Write) -> io::Result<()> {
    let mut page = Page {
        style,
        text: String::new(),
        advised: BTreeSet::new(),
    };
    page.verdict(report);
    for reason in report.reasons() {
        page.hanging("  ", &reason);
    }
    page.notes(report);
    let causes = Causes::of(report);
    for cause in causes.failed() {
        page.cause(cause);
    }
    page.section(report, "error", "Not finished");
    page.section(report, "not exercised", "Not tested");
    page.loose(&causes);
    let title = "Inconclusive: wrong at first, and then not";
    page.section(report, "inconclusive", title);
    page.waived(report);
    page.section(report, "not offered", "Not offered");
    page.observations(report);
    if style.coverage || style.verbose {
        page.coverage(report);
    }
    if style.verbose {
        page.all(report);
    }
    page.end(report);
    to.write_all(page.text.as_bytes())
}

/// What is written, in a style.
struct Page {
    style: Style,
    text: String,
    /// The checks whose advice has been told.
    advised: BTreeSet<&'static str>,
}

impl Page {
    fn line(&mut self, line: impl AsRef<str>) {
        self.text.push_str(line.as_ref().trim_end());
        self.text.push('\n');
    }

    fn title(&mut self, title: &str) {
        let title = self.style.paint(Ink::Strong, title);
        self.line(format!("\n{title}"));
    }

    /// A faint line, below the line of a check.
    fn quiet(&mut self, words: &str) {
        let words = self.style.paint(Ink::Quiet, words);
        self.line(format!("       {words}"));
    }

    /// Text in lines, the first of which begins with `head`; the others are indented to its end.
    fn hanging(&mut self, head: &str, words: &str) {
        for line in text::hanging(head, &text::line(words), self.style.width) {
            self.line(line);
        }
    }

    fn verdict(&mut self, report: &Report) {
        let (mark, colour) = match &report.verdict {
            Verdict::Conforms => ("✓", Ink::Good),
            Verdict::Violates => ("✗", Ink::Bad),
            _ => ("?", Ink::Doubtful),
        };
        let target = text::line(&report.target);
        let verdict = format!("{mark} {target} {}", report.headline());
        self.line(self.style.paint(colour, verdict));
    }

    /// The checks with one outcome, those that lack the same together.
    fn section(&mut self, report: &Report, word: &str, title: &str) {
        let gaps = report.gaps(word);
        if !gaps.is_empty() {
            self.title(title);
        }
        for gap in &gaps {
            let notes = match &gap.notes {
                notes if notes.is_empty() => "data that is not there".to_owned(),
                notes if self.style.verbose => notes.join("; "),
                notes => first(notes),
            };
            match gap.checks.as_slice() {
                [check] => self.hanging(&head(check), &notes),
                checks => {
                    let count = counted(checks.len(), "check", "checks");
                    self.hanging(&format!("  {count:<13} "), &format!("{notes} ({})", gap.ids()));
                }
            }
        }
    }

    fn loose(&mut self, causes: &Causes<'_>) {
        if !causes.loose.is_empty() {
            self.title("Not judged");
        }
        for rest in &causes.loose {
            self.hanging(&head(rest.check), &first(&rest.because));
        }
    }

    fn notes(&mut self, report: &Report) {
        if !report.notes.is_empty() {
            self.line("");
        }
        for note in &report.notes {
            self.hanging("note: ", note);
        }
    }

    fn waived(&mut self, report: &Report) {
        self.section(report, "waived", "Waived");
        if !report.waivers.is_empty() {
            self.title("Waivers to look at");
        }
        for waiver in &report.waivers {
            self.hanging(&format!("  {:<8} ", waiver.kind.word()), &waiver.note);
        }
    }

    fn observations(&mut self, report: &Report) {
        if !self.style.verbose {
            if let Some(observed) = report.observed() {
                let told = format!("{observed} (--verbose)");
                self.line(format!("\nLeft open by the specification: {told}"));
            }
            return;
        }
        self.title("Left open by the specification");
        for point in &report.points {
            self.hanging(&format!("  {:<4} ", point.id), &point.says);
            for sight in &point.observed {
                let words = format!("{}: {} ({})", sight.question, sight.choice, sight.check);
                self.hanging("       - ", &words);
            }
            if point.observed.is_empty() {
                let none = self.style.paint(Ink::Quiet, NOT_OBSERVED);
                self.line(format!("       - {none}"));
            }
        }
    }

    /// How much of what can be asked of each list was asked.
    fn coverage(&mut self, report: &Report) {
        self.title("Coverage");
        for one in &report.coverage {
            let told = format!(
                "{} for {} and {} of parameters; the records allow no query for {}, the limit leaves out {}",
                counted(one.queries, "query", "queries"),
                counted(one.values, "value", "values"),
                counted(one.pairs, "pair", "pairs"),
                one.out_of_reach.len(),
                one.left_out.len()
            );
            self.hanging("  ", &format!("{}: {told}", one.list));
            let most = if self.style.verbose { usize::MAX } else { PAIRS };
            for pair in one.out_of_reach.iter().take(most) {
                self.hanging("    no record allows: ", pair);
            }
            for pair in one.left_out.iter().take(most) {
                self.hanging("    left out: ", pair);
            }
        }
    }

    /// Every check with all that is known of it; the findings stand under their causes.
    fn all(&mut self, report: &Report) {
        self.title("All checks");
        for check in &report.checks {
            let word = check.outcome.word();
            let mut told = self.style.paint(ink(word), word);
            if let Some(cases) = check.outcome.cases() {
                told = format!("{told}, {}", counted(cases, "case", "cases"));
            }
            if check.requests > 0 {
                told = format!("{told}, {}", counted(check.requests, "request", "requests"));
            }
            self.line(format!("{}{told}", head(check)));
            self.hanging("       ", check.says);
            for note in check.outcome.notes() {
                self.hanging("       - ", note);
            }
        }
    }

    /// How many checks came to what, in as many lines as it takes.
    fn counts(&mut self, report: &Report) {
        let counts = report.counts();
        if counts.is_empty() {
            self.line("no check was run");
        }
        let (mut line, mut filled) = (String::new(), 0);
        for (number, (word, count)) in counts.iter().enumerate() {
            let comma = if number + 1 < counts.len() { ", " } else { "" };
            let told = format!("{count} {word}");
            let length = told.len() + comma.len();
            if filled > 0 && filled + length > self.style.width {
                self.line(std::mem::take(&mut line));
                filled = 0;
            }
            line.push_str(&self.style.paint(ink(word), told));
            line.push_str(comma);
            filled += length;
        }
        if filled > 0 {
            self.line(line);
        }
    }

    fn end(&mut self, report: &Report) {
        self.line("");
        self.counts(report);
        let requests = text::requests(report);
        let mut facts = format!("{requests} in {:.1} s, seed {}", report.seconds, report.seed);
        if !report.writes.is_empty() {
            let records = counted(report.writes.len(), "record", "records");
            facts = format!("{facts}, wrote to {records}");
        }
        self.hanging("", &facts);
        let judgement = format!("{} {}", report.contract.title, report.contract.version);
        self.hanging("judged by ", &judgement);
        if self.style.verbose && !report.writes.is_empty() {
            self.hanging("written to ", &report.writes.join(", "));
        }
        self.verdict(report);
    }
}

/// How the line of a check begins.
fn head(check: &Checked) -> String {
    format!("  {:<4} {:<8} ", check.id, check.clause)
}

/// The first of some notes, and how many more there are.
fn first(notes: &[&str]) -> String {
    match notes {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [one, more @ ..] => format!("{one}; and {} more", more.len()),
    }
}
