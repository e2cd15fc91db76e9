//! A request: what is asked, and the curl line that asks the same.

use reqwest::Url;
use rollcall_contract::Method;
use serde_json::Value;

use crate::http::credentials::{Credentials, Wrong};

/// One request below the base address.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// The path below the base address, percent-encoded.
    pub path: String,
    /// The query parameters in the order they are sent.
    pub query: Vec<(String, String)>,
    /// The body as it is sent, under the media type of JSON whether or not it is any.
    pub body: Option<String>,
    /// What stands in the header `Authorization`.
    pub credentials: Credentials,
    /// How its query is written.
    pub spelling: Spelling,
    /// Whether only the page is read that it asks for, of a list that may have more.
    pub one_page: bool,
    /// Headers that do not matter by the specification, by name and value.
    pub headers: Vec<(&'static str, &'static str)>,
    /// The request that is sent right before it, each time it is sent. Its answer is not looked at.
    pub before: Option<Box<Request>>,
    /// Whether it is the first request of a connection, each time it is sent.
    pub new_connection: bool,
    /// The address that it is sent to in place of its own, because the target has redirected it.
    pub redirected: Option<Url>,
}

/// What a request says of the answer that it wants. Without it some frameworks answer a refusal with a redirect to a page for
/// people.
const ACCEPT: (&str, &str) = ("accept", "application/json");

/// How a query is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spelling {
    /// As most clients write it: `%5B` for a bracket.
    #[default]
    Usual,
    /// With small letters in what is percent-encoded: `%5b`, which means the same (RFC 3986, 2.1).
    SmallLetters,
    /// With brackets as they are, which many clients do and addresses do not allow.
    PlainBrackets,
}

impl Request {
    /// A GET with the token.
    pub fn get(path: impl Into<String>) -> Self {
        Self {
            method: Method::Get,
            path: path.into(),
            query: Vec::new(),
            body: None,
            credentials: Credentials::Token,
            spelling: Spelling::default(),
            one_page: false,
            headers: Vec::new(),
            before: None,
            new_connection: false,
            redirected: None,
        }
    }

    /// A PATCH with a JSON body.
    pub fn patch(path: impl Into<String>, body: Value, credentials: Credentials) -> Self {
        Self {
            credentials,
            ..Self::patch_text(path, body.to_string())
        }
    }

    /// A PATCH with the token and a body as it is written.
    pub fn patch_text(path: impl Into<String>, body: impl Into<String>) -> Self {
        Self {
            method: Method::Patch,
            body: Some(body.into()),
            ..Self::get(path)
        }
    }

    /// The same request with one more query parameter.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.query.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The same request, for one page alone.
    #[must_use]
    pub fn for_one_page(mut self) -> Self {
        self.one_page = true;
        self
    }

    /// The same request, right after another one.
    #[must_use]
    pub fn after(mut self, before: Self) -> Self {
        self.before = Some(Box::new(before));
        self
    }

    /// Whether it has a query parameter.
    pub fn has(&self, name: &str) -> bool {
        self.query.iter().any(|(one, _)| one == name)
    }

    /// The same request with other credentials.
    #[must_use]
    pub fn showing(mut self, credentials: Credentials) -> Self {
        self.credentials = credentials;
        self
    }

    /// The address it goes to.
    pub fn url(&self, base: &Url) -> Url {
        if let Some(redirected) = &self.redirected {
            return redirected.clone();
        }
        let mut url = base.clone();
        url.set_path(&format!("{}{}", base.path().trim_end_matches('/'), self.path));
        url.set_query(None);
        if !self.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&self.query);
        }
        // A form writes a blank as +, which is a plus to those who read addresses by RFC 3986.
        let mut query = url.query().map(|query| query.replace('+', "%20"));
        query = query.map(|query| match self.spelling {
            Spelling::Usual => query,
            Spelling::SmallLetters => small_letters(&query),
            Spelling::PlainBrackets => query.replace("%5B", "[").replace("%5D", "]"),
        });
        url.set_query(query.as_deref());
        url
    }

    /// The headers that it carries besides its credentials and the type of its body.
    pub fn sent_headers(&self) -> impl Iterator<Item = (&'static str, &'static str)> + '_ {
        let (name, value) = ACCEPT;
        let own = self.headers.iter().any(|(own, _)| *own == name);
        let accept = (!own).then_some((name, value));
        accept.into_iter().chain(self.headers.iter().copied())
    }

    /// Method, path and query, as a person writes them.
    pub fn line(&self) -> String {
        let pairs = self.query.iter().map(|(name, value)| format!("{name}={value}"));
        let query = pairs.collect::<Vec<_>>().join("&");
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{} {}{mark}{query}", self.method, self.path)
    }

    /// The command that sends it; the token is read from the shell's variable `TOKEN`.
    pub fn curl(&self, base: &Url) -> String {
        let mut line = "curl -isS".to_owned();
        if self.spelling == Spelling::PlainBrackets {
            line.push_str(" -g");
        }
        match self.method {
            Method::Get => {}
            Method::Head => line.push_str(" -I"), // With -X curl waits for a body.
            method => line.push_str(&format!(" -X {method}")),
        }
        if let Some(header) = self.credentials.value("$TOKEN", Wrong::in_shell) {
            line.push_str(&format!(" -H \"Authorization: {header}\""));
        }
        for (name, value) in self.sent_headers() {
            line.push_str(&format!(" -H '{name}: {value}'"));
        }
        if let Some(body) = &self.body {
            let body = quoted(body);
            line.push_str(&format!(" -H 'Content-Type: application/json' -d {body}"));
        }
        let line = format!("{line} {}", quoted(self.url(base).as_str()));
        match &self.before {
            // A command that does nothing tells a reader what the first request is for.
            Some(before) => format!(
                ": 'first a request that must not matter to the next'; {}; {line}",
                before.curl(base)
            ),
            None => line,
        }
    }
}

/// `text` in single quotes for a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// An encoded query with small letters in place of the capitals of what is percent-encoded.
fn small_letters(query: &str) -> String {
    let mut digits = 0_u8;
    let spelled = query.chars().map(|letter| {
        let is_digit = digits > 0;
        digits = if letter == '%' {
            2
        } else {
            digits.saturating_sub(1)
        };
        if is_digit {
            letter.to_ascii_lowercase()
        } else {
            letter
        }
    });
    spelled.collect()
}

/// A path segment with everything escaped that is no letter, digit, `-`, `_`, `.` or `~`.
pub fn segment(text: &str) -> String {
    let encoded = |byte: u8| match byte {
        b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(encoded).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curl_line_names_the_token_by_its_variable() {
        let base: Url = "http://h/api/v1".parse().unwrap();
        let request = Request::get("/directory/users").with("filter[last_name]", "O'Neill & Söhne");
        assert_eq!(
            request.curl(&base),
            "curl -isS -H \"Authorization: Bearer $TOKEN\" -H 'accept: application/json' \
             'http://h/api/v1/directory/users?filter%5Blast_name%5D=O%27Neill%20%26%20S%C3%B6hne'"
        );
    }

    #[test]
    fn small_letters_are_those_of_what_is_encoded_alone() {
        let base: Url = "http://h/api/v1".parse().unwrap();
        let mut request = Request::get("/x").with("filter[last_name]", "Ö % AF");
        let usual = request.url(&base);
        request.spelling = Spelling::SmallLetters;
        let small = request.url(&base);
        assert_eq!(small.query(), Some("filter%5blast_name%5d=%c3%96%20%25%20AF"));
        assert!(small.query_pairs().eq(usual.query_pairs()));
    }

    #[test]
    fn a_request_says_what_it_accepts_once() {
        let mut request = Request::get("/x");
        assert_eq!(Vec::from_iter(request.sent_headers()), [ACCEPT]);
        request.headers = vec![("range", "paragraphs=1-2"), ("accept", "*/*")];
        assert_eq!(Vec::from_iter(request.sent_headers()), request.headers);
    }

    #[test]
    fn a_body_is_quoted_for_the_shell() {
        let request = Request::patch("/x", serde_json::json!({"a": "it's"}), Credentials::Nothing);
        let curl = request.curl(&"http://h/api/v1/".parse().unwrap());
        let end = r#"-d '{"a":"it'\''s"}' 'http://h/api/v1/x'"#;
        assert!(curl.ends_with(end), "{curl}");
        assert!(!curl.contains("Authorization"));
    }
}
