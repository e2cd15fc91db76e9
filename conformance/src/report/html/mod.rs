//! The report as one HTML file that needs nothing else: no network, and no script to be read.
//!
//! Invariant: every value goes through [`Escaped`]; a target can write nothing but text into the page, and the page's
//! policy would load nothing if it could.

mod checks;
mod failures;
mod missing;
mod points;

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::engine::outcome::Outcome;
use crate::report::console::LEVELS;
use crate::report::text::{self, counted};
use crate::report::xml::Escaped;
use crate::report::{Causes, Report, Verdict, WaiverNote};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// Writes the report.
///
/// # Errors
/// It cannot be written.
pub(super) fn write(report: &Report, mut to: impl Write) -> io::Result<()> {
    let causes = Causes::of(report);
    let page = filled(PAGE, |name| match name {
        "title" => Escaped(&format!("{} {}", report.target, report.headline())).to_string(),
        "style" => STYLE.to_owned(),
        "script" => SCRIPT.to_owned(),
        "verdict-class" => class(report.verdict.word()),
        "mark" => verdict_mark(&report.verdict).to_owned(),
        "verdict" => Escaped(report.headline()).to_string(),
        "target" => Escaped(&report.target).to_string(),
        "why" => why(report),
        "fix-first" => failures::fix_first(&causes),
        "counts" => counts(report),
        "causes" => failures::causes(&causes),
        "missing" => missing::section(report, &causes),
        "matrix" => checks::matrix(report),
        "legend" => legend(report),
        "options" => options(report),
        "levels" => Escaped(LEVELS).to_string(),
        "checks" => checks::all(report),
        "seen" => seen(report),
        "points" => points::seen(report),
        "unseen" => points::unseen(report),
        "facts" => facts(report),
        "runner" => Escaped(report.runner).to_string(),
        _ => String::new(),
    });
    to.write_all(page.as_bytes())
}

/// The template with each `{{name}}` replaced, in one pass: what replaces a name is not looked at again.
fn filled(template: &str, value: impl Fn(&str) -> String) -> String {
    let mut page = String::new();
    let mut rest = template;
    while let Some((before, (name, after))) = rest
        .split_once("{{")
        .and_then(|(before, from)| Some((before, from.split_once("}}")?)))
    {
        page.push_str(before);
        page.push_str(&value(name));
        rest = after;
    }
    page.push_str(rest);
    page
}

/// The class of an outcome or a verdict, by its word.
fn class(word: &str) -> String {
    word.replace(' ', "-")
}

fn verdict_mark(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Conforms => "✓",
        Verdict::Violates => "✗",
        _ => "?",
    }
}

/// The sign that tells an outcome where colour alone would.
fn mark(word: &str) -> &'static str {
    match word {
        "passed" => "✓",
        "failed" => "✗",
        "error" => "!",
        "inconclusive" => "~",
        "waived" => "≈",
        "not judged" => "↷",
        "not exercised" => "○",
        "not offered" => "–",
        _ => "•",
    }
}

fn badge(word: &str) -> String {
    format!(
        "<span class=\"badge {}\">{} {word}</span>",
        class(word),
        mark(word)
    )
}

fn why(report: &Report) -> String {
    let limits = report.limits();
    let all = report
        .verdict
        .why()
        .into_iter()
        .chain(limits.iter().map(String::as_str));
    all.map(|why| format!("<p class=\"why\">{}</p>", Escaped(why)))
        .collect()
}

fn counts(report: &Report) -> String {
    let chip = |(word, count): (&str, usize)| {
        let class = class(word);
        format!(
            "<li><a class=\"{class}\" data-outcome=\"{class}\" href=\"#outcome={class}\"><b>{count}</b> {word}</a></li>"
        )
    };
    report.counts().into_iter().map(chip).collect()
}

fn options(report: &Report) -> String {
    let option = |(word, count)| format!("<option value=\"{}\">{word} ({count})</option>", class(word));
    report.counts().into_iter().map(option).collect()
}

fn legend(report: &Report) -> String {
    let sign = |(word, _)| {
        format!(
            "<span class=\"{}\"><b>{}</b> {word}</span> ",
            class(word),
            mark(word)
        )
    };
    report.counts().into_iter().map(sign).collect()
}

fn seen(report: &Report) -> String {
    format!(
        "{}.",
        report.observed().as_deref().unwrap_or(super::point::NOT_OBSERVED)
    )
}

fn facts(report: &Report) -> String {
    let mut facts = String::new();
    let mut fact = |name: &str, value: String| _ = writeln!(facts, "<dt>{name}</dt><dd>{value}</dd>");
    let judgement = format!("{} {}", report.contract.title, report.contract.version);
    fact("Judged by", Escaped(&judgement).to_string());
    fact("Began", format!("<time>{}</time>", Escaped(&report.started_at)));
    fact("Took", format!("{:.1} s", report.seconds));
    fact("Sent", Escaped(&text::requests(report)).to_string());
    fact("Seed", report.seed.to_string());
    let written = match report.writes.is_empty() {
        true => "nothing".to_owned(),
        false => Escaped(&report.writes.join(", ")).to_string(),
    };
    fact("Wrote to", written);
    let unfinished = report.with("error").count();
    if unfinished > 0 {
        fact("Not finished", counted(unfinished, "check", "checks"));
    }
    if !report.notes.is_empty() {
        fact("To be known", list(report.notes.iter().cloned()));
    }
    if !report.waivers.is_empty() {
        let note = |note: &WaiverNote| format!("{}: {}", note.kind.word(), note.note);
        fact("Waivers to look at", list(report.waivers.iter().map(note)));
    }
    facts
}

/// An unordered list of texts.
fn list(texts: impl Iterator<Item = String>) -> String {
    let items: String = texts.map(|text| format!("<li>{}</li>", Escaped(&text))).collect();
    format!("<ul>{items}</ul>")
}

/// What an outcome says beside its findings: cases, gaps, reasons, observations.
fn told(outcome: &Outcome) -> String {
    let mut told = String::new();
    if let Some(cases) = outcome.cases() {
        _ = writeln!(told, "<p class=\"hint\">{}</p>", counted(cases, "case", "cases"));
    }
    let head = match outcome {
        Outcome::Passed { .. } => "Could not be looked at:",
        Outcome::NotExercised { .. } => "The data lacks:",
        Outcome::Inconclusive { .. } => "Looked wrong at first, and then not:",
        Outcome::NotOffered { .. } => "The target does not offer, and need not:",
        Outcome::NotJudged { .. } => "Rests on what has failed already:",
        Outcome::Waived { .. } => "Known:",
        Outcome::Error { .. } => "Could not be finished:",
        Outcome::Failed { .. } | Outcome::Observed { .. } => "",
    };
    let notes = outcome.notes();
    if !notes.is_empty() {
        _ = writeln!(
            told,
            "<p>{head}</p>{}",
            list(notes.into_iter().map(str::to_owned))
        );
    }
    let sights = outcome.observations();
    if !sights.is_empty() {
        let sights = sights.iter();
        let sights = sights.map(|seen| format!("{} {}: {}", seen.point, seen.question, seen.choice));
        _ = writeln!(told, "{}", list(sights));
    }
    told
}
