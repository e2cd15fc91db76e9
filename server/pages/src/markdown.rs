//! Descriptions of the contract and entries of the decisions, from Markdown to HTML.

use maud::{Markup, PreEscaped};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};
use rollcall_contract::Origin;

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

/// A description without its last sentence if that says where the element comes from: the page shows the origin beside it.
pub(super) fn without_origin<'d>(description: &'d str, origin: &Origin) -> &'d str {
    let words = origin.in_words().unwrap_or_default();
    let description = description.trim();
    description
        .strip_suffix(words.as_str())
        .unwrap_or(description)
        .trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_this_page_or_nowhere() {
        let PreEscaped(text) =
            block("[a](#l4-x) [b](records.md#r10-y) [c](../../SECURITY.md#limits) <b>d</b>");
        assert_eq!(
            text,
            "<p><a href=\"#L4\">a</a> <a href=\"#R10\">b</a> c &lt;b&gt;d&lt;/b&gt;</p>\n"
        );
    }
}
