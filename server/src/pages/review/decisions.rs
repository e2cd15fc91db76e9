//! The decisions of `docs/decisions`, read from their Markdown.

use maud::{Markup, PreEscaped};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};

const README: &str = include_str!("../../../../docs/decisions/README.md");

const FILES: [&str; 5] = [
    include_str!("../../../../docs/decisions/records.md"),
    include_str!("../../../../docs/decisions/lists.md"),
    include_str!("../../../../docs/decisions/operations.md"),
    include_str!("../../../../docs/decisions/access.md"),
    include_str!("../../../../docs/decisions/policy.md"),
];

/// The entry of an open point.
pub(super) struct Decision {
    /// The number of the point, such as `L10`.
    pub(super) id: &'static str,
    /// Its title.
    pub(super) title: Markup,
    /// What this server does, what the runner accepts, and why.
    pub(super) text: Markup,
}

/// All entries, in the order of the files.
pub(super) fn all() -> impl Iterator<Item = Decision> {
    FILES
        .into_iter()
        .flat_map(|file| file.split("\n## ").skip(1))
        .filter_map(|entry| {
            let (heading, text) = entry.split_once('\n')?;
            let (id, title) = heading.split_once(": ")?;
            Some(Decision {
                id,
                title: inline(title),
                text: block(text),
            })
        })
}

/// What all decisions follow from: the text above the table of the index.
pub(super) fn principles() -> Markup {
    let (text, _) = README.split_once("\n| ").unwrap_or((README, ""));
    let (_, text) = text.split_once('\n').unwrap_or(("", text));
    block(text)
}

/// Markdown as HTML.
pub(super) fn block(text: &str) -> Markup {
    let mut link_is_kept = Vec::new();
    let events = Parser::new_ext(text, Options::ENABLE_TABLES).filter_map(|event| match event {
        Event::Start(Tag::Link {
            link_type,
            dest_url,
            title,
            id,
        }) => {
            let here = on_this_page(&dest_url);
            link_is_kept.push(here.is_some());
            here.map(|url| {
                Event::Start(Tag::Link {
                    link_type,
                    dest_url: url.into(),
                    title,
                    id,
                })
            })
        }
        Event::End(TagEnd::Link) => link_is_kept.pop().unwrap_or_default().then_some(event),
        Event::Html(text) | Event::InlineHtml(text) => Some(Event::Text(text)),
        event => Some(event),
    });
    let mut written = String::new();
    html::push_html(&mut written, events);
    PreEscaped(written)
}

/// A line of Markdown as HTML, without a paragraph around it.
pub(super) fn inline(line: &str) -> Markup {
    let PreEscaped(written) = block(line);
    let written = written.trim();
    let inner = written
        .strip_prefix("<p>")
        .and_then(|rest| rest.strip_suffix("</p>"));
    PreEscaped(inner.unwrap_or(written).to_owned())
}

/// The place of the page that a link between the decisions leads to; none for a link to another document.
fn on_this_page(url: &str) -> Option<String> {
    let (_, fragment) = url.split_once('#')?;
    let (id, _) = fragment.split_once('-')?;
    let is_point = id.starts_with(['r', 'l', 'o', 'a', 'p']) && id[1..].parse::<u8>().is_ok();
    is_point.then(|| format!("#{}", id.to_uppercase()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::document::model;

    #[test]
    fn every_open_point_of_the_contract_has_one_entry_with_ruling_answers_and_reason() {
        let entries: Vec<_> = all().collect();
        let mut ids: Vec<_> = entries.iter().map(|entry| entry.id).collect();
        let mut points: Vec<_> = model()
            .expect("a contract")
            .open_points
            .iter()
            .map(|point| point.id.as_str())
            .collect();
        ids.sort_unstable();
        points.sort_unstable();
        assert_eq!(ids, points);
        for entry in entries {
            for part in ["This server", "The runner accepts", "Why"] {
                assert!(
                    entry.text.0.contains(&format!("<em>{part}</em>")),
                    "{}: {part}",
                    entry.id
                );
            }
        }
    }

    #[test]
    fn links_lead_to_this_page_or_nowhere() {
        let PreEscaped(text) =
            block("[a](#l4-x) [b](records.md#r10-y) [c](../../SECURITY.md#limits) <b>d</b>");
        assert_eq!(
            text,
            "<p><a href=\"#L4\">a</a> <a href=\"#R10\">b</a> c &lt;b&gt;d&lt;/b&gt;</p>\n"
        );
        assert!(!principles().0.contains(".md"));
    }
}
