//! Progress on standard error.

use rollcall_conformance::report::console::Style;
use rollcall_conformance::report::events::Event;
use rollcall_conformance::report::progress::Progress;

use super::made::everything;

fn shown(live: bool) -> String {
    let report = everything();
    let mut text = Vec::new();
    let mut progress = Progress::new(&mut text, live, Style::PLAIN);
    progress.show(&Event::Started {
        checks: report.checks.len(),
    });
    progress.show(&Event::ListRead {
        list: "/directory/users",
        records: Some(60),
    });
    for check in &report.checks {
        progress.show(&Event::Checking { id: check.id });
        progress.show(&Event::Checked(check));
    }
    progress.show(&Event::Finished(&report.verdict));
    String::from_utf8(text).unwrap()
}

#[test]
fn elsewhere_than_on_a_terminal_only_failures_are_told() {
    let text = shown(false);
    let told: Vec<_> = text
        .lines()
        .map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(told, ["error A2", "failed S1", "failed E1", "failed E2"]);
}

#[test]
fn a_terminal_shows_a_line_that_is_gone_in_the_end() {
    let text = shown(true);
    assert!(
        text.contains("15/16 3 failed") || text.contains("15/16 4 failed"),
        "{text}"
    );
    assert!(text.ends_with("\r\u{1b}[2K"), "{text:?}");
}
