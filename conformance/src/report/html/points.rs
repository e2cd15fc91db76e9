//! What the specification leaves open, point by point.

use std::fmt::Write as _;

use crate::report::point::NOT_OBSERVED;
use crate::report::xml::Escaped;
use crate::report::{Point, Report};

/// A row for each open point.
pub(super) fn table(report: &Report) -> String {
    let mut html = String::new();
    for point in &report.points {
        _ = writeln!(
            html,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td></tr>",
            Escaped(&point.id),
            Escaped(&point.says),
            observed(point)
        );
    }
    html
}

fn observed(point: &Point) -> String {
    if point.observed.is_empty() {
        return format!("<span class=\"none\">{NOT_OBSERVED}</span>");
    }
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
