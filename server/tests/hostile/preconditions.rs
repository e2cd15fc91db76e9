//! `If-Match` never fails open: a header that cannot be read, or that names no current tag, leaves the record as it is.

use crate::client::{get, patch};
use crate::demo::OPERATOR;
use crate::server::Server;

/// An active attribute of the demo.
struct Record<'s> {
    server: &'s Server,
    path: String,
}

impl<'s> Record<'s> {
    fn find(server: &'s Server) -> Self {
        let list = "/api/v1/directory/attributes?filter[state]=active&page[size]=1";
        let records = server.connect().ask(get(list, OPERATOR)).json();
        let id = records[0]["id"].as_str().unwrap();
        Self {
            server,
            path: format!("/api/v1/directory/attributes/{id}"),
        }
    }

    /// The record and its current tag.
    fn fetch(&self) -> (String, String) {
        let answer = self.server.connect().ask(get(&self.path, OPERATOR));
        assert_eq!(answer.status, 200);
        (
            answer.text().to_owned(),
            answer.header("etag").unwrap().to_owned(),
        )
    }

    /// Deprecates it under these header lines; the status of the answer and the code of its problem.
    fn deprecate(&self, lines: &[u8]) -> (u16, String) {
        let path = format!("{}/deprecate", self.path);
        let request = patch(&path, OPERATOR, lines, r#"{"expires_after_days": 5}"#);
        let answer = self.server.connect().ask(request);
        match answer.status {
            200 => (200, String::new()),
            status => (status, answer.problem_code().unwrap()),
        }
    }

    fn assert_refused(&self, lines: &[u8], status: u16, code: &str) {
        let before = self.fetch();
        let shown = lines[..lines.len().min(100)].escape_ascii();
        assert_eq!(self.deprecate(lines), (status, code.to_owned()), "{shown}");
        assert_eq!(self.fetch(), before, "{shown}");
    }
}

fn line(value: impl AsRef<[u8]>) -> Vec<u8> {
    [b"If-Match: ", value.as_ref(), b"\r\n"].concat()
}

#[test]
fn a_tag_that_cannot_be_read_or_does_not_match_is_412() {
    let server = Server::start();
    let record = Record::find(&server);
    let tag = record.fetch().1;
    let bare = tag.trim_matches('"');
    for value in [
        b"\"\xe9\"".to_vec(),
        b"\"other\"".to_vec(),
        b"\"other\", \"another\"".to_vec(),
        b"\"".to_vec(),
        b"\"\"".to_vec(),
        b"".to_vec(),
        b",".to_vec(),
        b"**".to_vec(),
        b"\"*\"".to_vec(),
        b"*, \"other\"".to_vec(),
        bare.into(),
        format!("\"{bare}").into(),
        format!("{bare}\"").into(),
        format!("\"{bare}\"\"").into(),
        format!("'{bare}'").into(),
        format!("W/{tag}").into(),
        format!("w/{tag}").into(),
        format!("\"{}\"", bare.to_uppercase()).into(),
        format!("\"{}\"", &bare[1..]).into(),
        format!("\"{bare} \"").into(),
        [tag.as_bytes(), b", \"\xe9\""].concat(),
        [b"\xe9, ", tag.as_bytes()].concat(),
        format!("{tag}; {tag}").into(),
        format!("{tag} {tag}").into(),
    ] {
        record.assert_refused(&line(value), 412, "precondition_failed");
    }
}

#[test]
fn all_lines_count() {
    let server = Server::start();
    let record = Record::find(&server);
    let tag = record.fetch().1;
    for lines in [
        [line("\"other\""), line("\"another\"")].concat(),
        [line("\"other\""), line("\"\u{e9}\"")].concat(),
        [line(&tag), line("\"")].concat(),
        [line("*"), line("\"other\"")].concat(),
        [line("\"other\""), line("*")].concat(),
        [line("*"), line("*")].concat(),
    ] {
        record.assert_refused(&lines, 412, "precondition_failed");
    }
    let second = [line("\"other\""), line(&tag)].concat();
    assert_eq!(record.deprecate(&second).0, 200);
    assert_ne!(record.fetch().1, tag, "the record is changed");
    record.assert_refused(&second, 412, "precondition_failed");
}

#[test]
fn the_header_may_have_1024_bytes() {
    let server = Server::start();
    let record = Record::find(&server);
    let tag = record.fetch().1;
    let filler = |length: usize| format!("\"{}\", ", "x".repeat(length - 4));
    let long = |length: usize| [filler(length - tag.len()), tag.clone()].concat();
    let refused = [line(long(1_025)), line("x".repeat(20_000)), line(&tag).repeat(90)];
    for lines in refused {
        record.assert_refused(&lines, 400, "value_too_long");
    }
    assert_eq!(long(1_024).len(), 1_024);
    assert_eq!(record.deprecate(&line(long(1_024))).0, 200);
}

#[test]
fn the_current_tag_and_the_star_let_a_change_through() {
    let server = Server::start();
    let record = Record::find(&server);
    for value in ["*".to_owned(), format!("\"other\",{}", record.fetch().1)] {
        let path = format!("{}/activate", record.path);
        let activated = server.connect().ask(patch(&path, OPERATOR, b"", ""));
        assert_eq!(activated.status, 200);
        let tag = activated.header("etag").unwrap();
        let value = if value == "*" {
            value
        } else {
            format!("\"other\",{tag}")
        };
        assert_eq!(record.deprecate(&line(value)).0, 200);
    }
}
