//! How far a run is, on standard error: a line that is written over on a terminal, elsewhere only what fails.

use std::io::{self, Write};

use crate::engine::outcome::Outcome;
use crate::report::console::{Ink, Style};
use crate::report::events::Event;
use crate::report::{Checked, text};

/// Shows the events of a run.
#[derive(Debug)]
pub struct Progress<W> {
    to: W,
    style: Style,
    live: bool,
    checks: usize,
    done: usize,
    failed: usize,
}

/// A time in minutes, of less than two in seconds.
fn minutes(seconds: u64) -> String {
    match seconds {
        0..=119 => format!("{seconds} s"),
        _ => format!("{} min", seconds.div_ceil(60)),
    }
}

/// How many characters the bar has.
const BAR: usize = 24;
/// Back to the beginning of the line, which is then empty.
pub(crate) const CLEAR: &str = "\r\u{1b}[2K";

impl<W: Write> Progress<W> {
    /// Progress that is written to a stream; `live` if that is a terminal, on which a line can be written over.
    pub fn new(to: W, live: bool, style: Style) -> Self {
        Self {
            to,
            style,
            live,
            checks: 0,
            done: 0,
            failed: 0,
        }
    }

    /// Shows one event. Nobody is helped if a closed standard error ends a run, so that what cannot be written is not.
    pub fn show(&mut self, event: &Event<'_>) {
        _ = self.try_show(event);
    }

    fn try_show(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::Started { checks } => {
                self.checks = *checks;
                self.bar("reading")
            }
            Event::ListRead { list, records } => match records {
                Some(records) => self.bar(&format!("read {list}: {records} records")),
                None => self.bar(&format!("read {list}: no list")),
            },
            Event::Expected { seconds, budget } => {
                let clear = if self.live { CLEAR } else { "" };
                let advice = match budget {
                    Some(budget) => format!("it may take {} s (--budget)", budget.as_secs()),
                    None => "--concurrency and --budget make it shorter".to_owned(),
                };
                self.write(&format!(
                    "{clear}the run is expected to take about {}; {advice}\n",
                    minutes(*seconds)
                ))
            }
            Event::Checking { id } => self.bar(id),
            Event::Checked(check) => {
                self.done += 1;
                self.checked(check)
            }
            Event::Revised(check) => self.checked(check),
            Event::Finished(_) if self.live => self.write(CLEAR),
            Event::Finished(_) => Ok(()),
        }
    }

    fn checked(&mut self, check: &Checked) -> io::Result<()> {
        let why = match &check.outcome {
            Outcome::Failed { findings, .. } => findings.first().map_or("", |finding| &finding.about),
            Outcome::Error { why } => why,
            _ => return Ok(()),
        };
        self.failed += 1;
        let word = self.style.paint(Ink::Bad, check.outcome.word());
        let why = text::line(why);
        let clear = if self.live { CLEAR } else { "" };
        self.write(&format!("{clear}{word} {} {} {why}\n", check.id, check.clause))
    }

    fn bar(&mut self, doing: &str) -> io::Result<()> {
        if !self.live {
            return Ok(());
        }
        let filled = (self.done * BAR).checked_div(self.checks);
        let filled = filled.unwrap_or_default().min(BAR);
        let bar = self.style.paint(Ink::Good, "━".repeat(filled));
        let rest = self.style.paint(Ink::Quiet, "━".repeat(BAR - filled));
        let failed = match self.failed {
            0 => String::new(),
            failed => self.style.paint(Ink::Bad, format!(" {failed} failed")),
        };
        let width = self.style.width.saturating_sub(60).max(20);
        let doing: String = text::line(doing).chars().take(width).collect();
        let line = format!("{CLEAR}{bar}{rest} {}/{}{failed} {doing}", self.done, self.checks);
        self.write(&line)
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        self.to.write_all(text.as_bytes())?;
        self.to.flush()
    }
}
