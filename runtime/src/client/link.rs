//! The `Link` header (RFC 8288), as far as pages need it.

/// The target of the first link whose relation is `next`.
pub(super) fn next<'h>(values: impl IntoIterator<Item = &'h str>) -> Option<&'h str> {
    values
        .into_iter()
        .flat_map(links)
        .find_map(|(target, parameters)| {
            let mut relations = parameters
                .filter(|(name, _)| name.eq_ignore_ascii_case("rel"))
                // Only the first `rel` counts (RFC 8288 §3.3).
                .take(1)
                .flat_map(|(_, value)| value.split_ascii_whitespace());
            relations
                .any(|relation| relation.eq_ignore_ascii_case("next"))
                .then_some(target)
        })
}

/// The links of one header: each target with the text of its parameters.
fn links(header: &str) -> impl Iterator<Item = (&str, impl Iterator<Item = (&str, &str)>)> {
    let mut rest = header;
    std::iter::from_fn(move || {
        let (target, after) = rest.split_once('<')?.1.split_once('>')?;
        let end = end_of_link(after);
        rest = after.get(end + 1..).unwrap_or_default();
        Some((target, parameters(&after[..end])))
    })
}

/// Where the next link begins: at a comma outside quotes.
fn end_of_link(text: &str) -> usize {
    position(text, ',').unwrap_or(text.len())
}

fn parameters(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let begin = position(rest, ';')? + 1;
        let after = &rest[begin..];
        let end = position(after, ';').unwrap_or(after.len());
        rest = &after[end..];
        let (name, value) = after[..end].split_once('=').unwrap_or((&after[..end], ""));
        Some((name.trim(), value.trim().trim_matches('"')))
    })
}

/// The place of a character outside quotes.
fn position(text: &str, wanted: char) -> Option<usize> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (place, character) in text.char_indices() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            _ if character == wanted && !is_quoted => return Some(place),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::next;

    #[test]
    fn the_next_link_is_found_among_others() {
        let cases = [
            (
                vec!["</a>; rel=\"first\", </b?x=1,2>; rel=\"next\""],
                Some("/b?x=1,2"),
            ),
            (
                vec!["</a>; rel=first", "<http://x/c>;rel=next"],
                Some("http://x/c"),
            ),
            (vec!["</a>; title=\"a, b; rel=next\"; rel=prev"], None),
            (vec!["</a>; REL=\"prev NEXT\""], Some("/a")),
            (vec!["</a>; rel=prev; rel=next"], None),
            (
                vec!["</a>; title=\"say \\\"next\\\", <b>\"; rel=next"],
                Some("/a"),
            ),
            (vec!["", "no link", "<", "<a", ">", ";", "rel=next"], None),
            (vec!["</a>"], None),
        ];
        for (headers, expected) in cases {
            assert_eq!(next(headers.clone()), expected, "{headers:?}");
        }
    }
}
