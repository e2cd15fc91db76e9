//! The beginning of a file, looked at before it is read: what is no text, or text in another form, is said by its name.

use super::Format;

/// So many bytes tell.
pub const LENGTH: u64 = 64 << 10;

/// Beginnings of files that are no text of the formats, and what they are.
const KINDS: [(&[u8], &str); 8] = [
    (b"\xff\xfe", "UTF-16; save it as UTF-8 (ldifde without -u)"),
    (b"\xfe\xff", "UTF-16; save it as UTF-8"),
    (
        b"PK\x03\x04",
        "a workbook, or another zip archive; save the table as CSV (UTF-8)",
    ),
    (
        b"\xd0\xcf\x11\xe0",
        "a workbook of an older Excel; save the table as CSV (UTF-8)",
    ),
    (b"\x1f\x8b", "compressed; unpack it first"),
    (b"%PDF", "a PDF; export the table as CSV"),
    (b"<!", "a page in HTML; perhaps the export asked for a sign-in"),
    (b"<html", "a page in HTML; perhaps the export asked for a sign-in"),
];

/// Why a file that begins with these bytes cannot be read as this format; none where it may be read.
pub fn objection(start: &[u8], format: Format) -> Option<String> {
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    let begins = |known: &[u8]| text.len() >= known.len() && text[..known.len()].eq_ignore_ascii_case(known);
    if let Some((_, what)) = KINDS.iter().find(|(known, _)| begins(known)) {
        return Some(format!("this is {what}"));
    }
    // Letters of ASCII, each beside a zero.
    let is_zero: Vec<bool> = text.iter().take(4).map(|byte| *byte == 0).collect();
    if matches!(
        is_zero[..],
        [true, false, true, false] | [false, true, false, true]
    ) {
        return Some("this is UTF-16 without a mark at its beginning; save it as UTF-8".to_owned());
    }
    let lines = text.trim_ascii_end();
    if lines.contains(&b'\r') && !lines.contains(&b'\n') {
        return Some("the lines end in CR alone; save it with LF or CR LF".to_owned());
    }
    if format == Format::Jsonl && text.trim_ascii_start().starts_with(b"[") {
        return Some(
            "this is a JSON array; one object on each line is wanted, as jq -c '.[]' writes them".to_owned(),
        );
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Format, objection};

    #[test]
    fn what_is_no_text_of_the_format_is_named() {
        let cases: [(&[u8], Format, Option<&str>); 13] = [
            (b"\xff\xfed\0n\0:\0", Format::Ldif, Some("UTF-16")),
            (b"d\0n\0:\0 \0", Format::Ldif, Some("UTF-16")),
            (b"\0d\0n\0:\0 ", Format::Ldif, Some("UTF-16")),
            (b"PK\x03\x04\x14\0\x06\0", Format::Csv, Some("workbook")),
            (b"\x1f\x8b\x08", Format::Jsonl, Some("compressed")),
            (b"<!DOCTYPE html>", Format::Csv, Some("HTML")),
            (
                b"email,first_name\ra@x.example,A\r",
                Format::Csv,
                Some("CR alone"),
            ),
            (b"dn: uid=a\robjectClass: person", Format::Ldif, Some("CR alone")),
            (b"\xef\xbb\xbf [{}]", Format::Jsonl, Some("JSON array")),
            (b"email,first_name\r\na@x.example,A\r\n", Format::Csv, None),
            (b"email,first_name\r", Format::Csv, None),
            (b"{\"email\":\"a@x.example\"}", Format::Jsonl, None),
            (b"", Format::Csv, None),
        ];
        for (start, format, expected) in cases {
            let found = objection(start, format);
            match expected {
                Some(part) => assert!(
                    found.as_deref().is_some_and(|found| found.contains(part)),
                    "{start:?}: {found:?}"
                ),
                None => assert_eq!(found, None, "{start:?}"),
            }
        }
    }
}
