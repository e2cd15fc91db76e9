//! What the specification leaves open, point by point.

use std::fmt::Write as _;

use crate::report::point::NOT_OBSERVED;
use crate::report::text::counted;
use crate::report::xml::Escaped;
use crate::report::{Point, Report};

/// A row for each open point that something was seen of.
pub(super) fn seen(report: &Report) -> String {
    let mut html = String::new();
    for point in report.points.iter().filter(|point| !point.observed.is_empty()) {
        _ = writeln!(
            html,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td></tr>",
            Escaped(&point.id),
            Escaped(&point.says),
            observed(point)
        );
    }
    match html.is_empty() {
        true => format!("<tr><td colspan=\"3\" class=\"none\">{NOT_OBSERVED}</td></tr>"),
        false => html,
    }
}

/// The other points, folded: they are many, and there is nothing to say about them but that.
pub(super) fn unseen(report: &Report) -> String {
    let unseen: Vec<_> = report
        .points
        .iter()
        .filter(|point| point.observed.is_empty())
        .collect();
    if unseen.is_empty() {
        return String::new();
    }
    let mut html = format!(
        "<details class=\"unseen\"><summary>{} {NOT_OBSERVED}</summary>\n<dl>",
        counted(unseen.len(), "point was", "points were")
    );
    for point in unseen {
        let (id, says) = (Escaped(&point.id), Escaped(&point.says));
        _ = writeln!(html, "<dt>{id}</dt><dd>{says}</dd>");
    }
    html.push_str("</dl></details>");
    html
}

fn observed(point: &Point) -> String {
    let mut html = "<ul>".to_owned();
    for sight in &point.observed {
        _ = write!(
            html,
            "<li>{}: <strong>{}</strong> <a class=\"clause\" href=\"#check-{id}\">{id}</a></li>",
            Escaped(&sight.question),
            Escaped(&sight.choice),
            id = sight.check
        );
    }
    html.push_str("</ul>");
    html
}
