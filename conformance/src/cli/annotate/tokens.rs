//! The text of a document as tokens with their places: a YAML document through its parser, a JSON document directly.
//!
//! The text was read as a document before, so it has no errors here that matter.

use std::borrow::Cow;

use saphyr_parser::{Event, Parser, ScalarStyle, Span};

/// A token; places are bytes from the beginning of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// A mapping begins.
    Mapping {
        start: usize,
        is_flow: bool,
        anchor: usize,
    },
    /// A sequence begins.
    Sequence { anchor: usize },
    /// The mapping or sequence ends; a block has no end of its own.
    End { end: Option<usize> },
    /// A key or a value.
    Scalar {
        text: Cow<'t, str>,
        start: usize,
        end: usize,
        is_block: bool,
        column: usize,
    },
    /// The anchor of a node that is repeated here.
    Alias { anchor: usize, end: usize },
}

/// The tokens of a YAML document.
///
/// # Errors
/// Where the text is not understood.
pub(super) fn of_yaml(text: &str, mut take: impl FnMut(Token<'_>)) -> Result<(), String> {
    let bytes = ByteIndex::of(text);
    let mut flows = Vec::new();
    for event in Parser::new_from_str(text) {
        let (event, Span { start, end }) = event.map_err(|error| error.to_string())?;
        let (from, to) = (bytes.at(text, start.index()), bytes.at(text, end.index()));
        let opens = |sign: u8| text.as_bytes().get(from) == Some(&sign);
        take(match event {
            Event::MappingStart(anchor, _) => {
                flows.push(opens(b'{'));
                Token::Mapping {
                    start: from,
                    is_flow: opens(b'{'),
                    anchor,
                }
            }
            Event::SequenceStart(anchor, _) => {
                flows.push(opens(b'['));
                Token::Sequence { anchor }
            }
            Event::MappingEnd | Event::SequenceEnd => Token::End {
                // The parser may have read on, up to a comment.
                end: flows
                    .pop()
                    .unwrap_or_default()
                    .then(|| match text.as_bytes().get(from) {
                        Some(b'}' | b']') => from + 1,
                        _ => to,
                    }),
            },
            Event::Scalar(text, style, ..) => Token::Scalar {
                text,
                start: from,
                end: to,
                is_block: matches!(style, ScalarStyle::Literal | ScalarStyle::Folded),
                column: start.col(),
            },
            Event::Alias(anchor) => Token::Alias { anchor, end: to },
            _ => continue,
        });
    }
    Ok(())
}

/// The bytes at which characters begin, of every sixty-fourth.
struct ByteIndex(Vec<usize>);

impl ByteIndex {
    const EVERY: usize = 64;

    fn of(text: &str) -> Self {
        Self(
            text.char_indices()
                .step_by(Self::EVERY)
                .map(|(at, _)| at)
                .collect(),
        )
    }

    /// Where the character with this number begins.
    fn at(&self, text: &str, number: usize) -> usize {
        let known = self.0.get(number / Self::EVERY).copied().unwrap_or(text.len());
        let rest = text.get(known..).unwrap_or_default();
        rest.char_indices()
            .nth(number % Self::EVERY)
            .map_or(text.len(), |(at, _)| known + at)
    }
}

/// The tokens of a JSON document.
pub(super) fn of_json(text: &str, mut take: impl FnMut(Token<'_>)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let start = at;
        at += 1;
        match byte {
            b'{' => take(Token::Mapping {
                start,
                is_flow: true,
                anchor: 0,
            }),
            b'[' => take(Token::Sequence { anchor: 0 }),
            b'}' | b']' => take(Token::End { end: Some(at) }),
            b',' | b':' | b' ' | b'\t' | b'\r' | b'\n' => {}
            b'"' => {
                while let Some(byte) = bytes.get(at).filter(|byte| **byte != b'"') {
                    at += if *byte == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(bytes.len());
                take(scalar(text, start, at));
            }
            _ => {
                let ends = |byte: &u8| b",:]} \t\r\n".contains(byte);
                at += bytes[at..].iter().take_while(|byte| !ends(byte)).count();
                take(scalar(text, start, at));
            }
        }
    }
}

fn scalar(text: &str, start: usize, end: usize) -> Token<'_> {
    let written = text.get(start..end).unwrap_or_default();
    let read = serde_json::from_str::<Cow<'_, str>>(written);
    Token::Scalar {
        text: read.unwrap_or(Cow::Borrowed(written)),
        start,
        end,
        is_block: false,
        column: 0,
    }
}
