//! One answer as it came over the wire. Everything that is not complete, strict HTTP/1.1 is an error.

use std::fmt::{self, Display};
use std::io::{self, BufRead, ErrorKind, Read as _};

/// A complete answer.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// Why there is no complete answer.
pub(crate) enum BrokenAnswer {
    /// The connection was reset, or nothing came in time.
    Socket(io::Error),
    /// The connection ended within an answer.
    CutOff,
    /// The bytes are not HTTP/1.1.
    NotHttp(String),
}

impl Display for BrokenAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Socket(error) => write!(f, "the connection failed: {error}"),
            Self::CutOff => f.write_str("the connection ended within an answer"),
            Self::NotHttp(text) => write!(f, "not HTTP: {text}"),
        }
    }
}

impl Answer {
    /// Reads one answer; none if the stream is at its end. An answer to HEAD has no body, whatever its headers say.
    pub(crate) fn read(stream: &mut impl BufRead, to_head: bool) -> Result<Option<Self>, BrokenAnswer> {
        if stream.fill_buf().map_err(BrokenAnswer::Socket)?.is_empty() {
            return Ok(None);
        }
        let status = status(&line(stream)?)?;
        let mut headers = Vec::new();
        loop {
            let line = line(stream)?;
            if line.is_empty() {
                break;
            }
            let (name, value) = line
                .split_once(": ")
                .ok_or_else(|| BrokenAnswer::NotHttp(line.clone()))?;
            headers.push((name.to_ascii_lowercase(), value.to_owned()));
        }
        let mut answer = Self {
            status,
            headers,
            body: Vec::new(),
        };
        if !to_head && !matches!(status, 100..=199 | 204 | 304) {
            answer.body = answer.read_body(stream)?;
        }
        Ok(Some(answer))
    }

    fn read_body(&self, stream: &mut impl BufRead) -> Result<Vec<u8>, BrokenAnswer> {
        match (self.header("content-length"), self.header("transfer-encoding")) {
            (Some(length), None) => {
                let length = length
                    .parse()
                    .map_err(|_| BrokenAnswer::NotHttp(format!("Content-Length: {length}")))?;
                bytes(stream, length)
            }
            (None, Some("chunked")) => chunks(stream),
            _ => Err(BrokenAnswer::NotHttp(format!("no length of the body: {self:?}"))),
        }
    }

    /// The value of a header, if it is there once.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(own, _)| own == name);
        match (values.next(), values.next()) {
            (Some((_, value)), None) => Some(value),
            _ => None,
        }
    }

    /// Whether the server says that it closes the connection.
    pub(crate) fn announces_close(&self) -> bool {
        self.header("connection")
            .is_some_and(|value| value.eq_ignore_ascii_case("close"))
    }

    /// The body as text.
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// The body as JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// Whether the head or the body contains this text.
    pub(crate) fn contains(&self, text: &str) -> bool {
        let in_body = String::from_utf8_lossy(&self.body).contains(text);
        in_body || self.headers.iter().any(|(_, value)| value.contains(text))
    }
}

fn status(line: &str) -> Result<u16, BrokenAnswer> {
    let not_http = || BrokenAnswer::NotHttp(line.to_owned());
    let (version, rest) = line.split_once(' ').ok_or_else(not_http)?;
    let (status, _reason) = rest.split_once(' ').ok_or_else(not_http)?;
    match status.parse() {
        Ok(status) if matches!(version, "HTTP/1.1" | "HTTP/1.0") && status >= 100 => Ok(status),
        _ => Err(not_http()),
    }
}

fn line(stream: &mut impl BufRead) -> Result<String, BrokenAnswer> {
    let mut line = Vec::new();
    stream
        .take(64 * 1024)
        .read_until(b'\n', &mut line)
        .map_err(BrokenAnswer::Socket)?;
    let Some(text) = line.strip_suffix(b"\r\n") else {
        return match line.ends_with(b"\n") {
            true => Err(BrokenAnswer::NotHttp(line.escape_ascii().to_string())),
            false => Err(BrokenAnswer::CutOff),
        };
    };
    let is_text = text.iter().all(|byte| matches!(byte, b' '..=b'~'));
    match String::from_utf8(text.to_vec()) {
        Ok(text) if is_text => Ok(text),
        _ => Err(BrokenAnswer::NotHttp(text.escape_ascii().to_string())),
    }
}

fn bytes(stream: &mut impl BufRead, length: usize) -> Result<Vec<u8>, BrokenAnswer> {
    let mut bytes = vec![0; length];
    stream
        .read_exact(&mut bytes)
        .map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => BrokenAnswer::CutOff,
            _ => BrokenAnswer::Socket(error),
        })?;
    Ok(bytes)
}

fn chunks(stream: &mut impl BufRead) -> Result<Vec<u8>, BrokenAnswer> {
    let mut body = Vec::new();
    loop {
        let size = line(stream)?;
        let size = usize::from_str_radix(&size, 16).map_err(|_| BrokenAnswer::NotHttp(size))?;
        body.extend(bytes(stream, size)?);
        let end = line(stream)?;
        if !end.is_empty() {
            return Err(BrokenAnswer::NotHttp(end));
        }
        if size == 0 {
            return Ok(body);
        }
    }
}
