//! Text that a target may have written, made fit for lines that a person or a program reads.
//!
//! Invariant: what comes out of [`line`] is one line without control characters, so that no target moves the cursor of a
//! terminal or ends a line of a report early.

use rollcall_oracle::http::exchange::Evidence;

use crate::engine::finding::Finding;
use crate::report::Report;

/// The text on one line: blanks in place of line breaks, other control characters spelled out.
pub(super) fn line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => line.push(' '),
            '\r' => {}
            c if is_hidden(c) => line.extend(c.escape_unicode()),
            c => line.push(c),
        }
    }
    line
}

/// Characters that change what the others look like: controls, and those that turn the direction of writing.
fn is_hidden(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text in lines of at most `width` characters, broken at blanks where there are any.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let (mut lines, mut line) = (Vec::new(), String::new());
    let mut filled = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if filled > 0 && filled + 1 + length > width {
            lines.push(std::mem::take(&mut line));
            filled = 0;
        }
        if filled > 0 {
            line.push(' ');
            filled += 1;
        }
        line.push_str(word);
        filled += length;
    }
    lines.push(line);
    lines
}

/// The text in lines of `width` characters. The first begins with `head`; the others are indented to its end.
pub(super) fn hanging(head: &str, text: &str, width: usize) -> Vec<String> {
    let indent = head.chars().count();
    let mut lines = wrapped(text, width.saturating_sub(indent).max(30));
    for (number, line) in lines.iter_mut().enumerate() {
        *line = match number {
            0 => format!("{head}{line}"),
            _ => format!("{:indent$}{line}", ""),
        };
    }
    lines
}

/// A number and its noun.
pub(super) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// How many requests were sent, and by which methods: what shows that a run only reads.
pub(super) fn requests(report: &Report) -> String {
    let methods = report.methods.iter();
    let methods: Vec<_> = methods
        .map(|(method, count)| format!("{count} {method}"))
        .collect();
    let requests = counted(report.requests, "request", "requests");
    match methods.is_empty() {
        true => requests,
        false => format!("{requests} ({})", methods.join(", ")),
    }
}

/// The evidence that shows a finding in the fewest steps: commands that stand twice are left out.
pub(super) fn steps(finding: &Finding) -> Vec<&Evidence> {
    let mut steps: Vec<&Evidence> = Vec::new();
    for evidence in &finding.evidence {
        if !steps.iter().any(|step| step.curl == evidence.curl) {
            steps.push(evidence);
        }
    }
    steps
}

/// A finding in a few lines of plain text.
pub(super) fn finding(finding: &Finding) -> String {
    let mut lines = vec![
        format!("{} ({})", line(&finding.about), finding.clause),
        format!("expected: {}", line(&finding.expected)),
        format!("actual: {}", line(&finding.actual)),
    ];
    let steps = steps(finding).into_iter();
    lines.extend(steps.map(|step| format!("{} -> {}", line(&step.curl), step.answer())));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_cannot_move_the_cursor_or_end_early() {
        assert_eq!(line("a\r\nb\u{1b}[2Jc\u{202e}d"), "a b\\u{1b}[2Jc\\u{202e}d");
    }

    #[test]
    fn lines_are_broken_at_blanks_only() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("unbreakable", 3), ["unbreakable"]);
        assert_eq!(wrapped("", 3), [""]);
    }
}
