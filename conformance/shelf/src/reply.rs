//! An answer while it is made.

use std::borrow::Cow;
use std::io;

use axum::body::{Body, Bytes};
use axum::http::Response;
use futures_util::stream;
use serde_json::{Value, json};

/// An answer.
#[derive(Clone, Debug)]
pub struct Reply {
    /// Its status.
    pub status: u16,
    /// Its headers, but for what HTTP itself adds.
    pub headers: Vec<(String, String)>,
    content: Content,
    is_cut_off: bool,
}

#[derive(Clone, Debug)]
enum Content {
    Text(String),
    Json(Value),
}

impl Reply {
    /// JSON with a status.
    pub fn json(status: u16, body: Value) -> Self {
        Self::of(status, Content::Json(body))
    }

    /// JSON that is written already.
    pub fn written(status: u16, body: String) -> Self {
        Self::of(status, Content::Text(body))
    }

    /// A refusal.
    pub fn problem(status: u16) -> Self {
        Self::json(status, json!({"status": status}))
    }

    /// Whether it succeeds.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The body as a value, to be changed; null if it is no JSON.
    pub fn body(&mut self) -> &mut Value {
        if let Content::Text(text) = &self.content {
            self.content = Content::Json(serde_json::from_str(text).unwrap_or_default());
        }
        match &mut self.content {
            Content::Json(value) => value,
            Content::Text(_) => unreachable!("text was turned into a value"),
        }
    }

    /// The records of a list, to be changed; none if it shows no list.
    pub fn records(&mut self) -> Option<&mut Vec<Value>> {
        if !self.is_success() {
            return None;
        }
        self.body().as_array_mut()
    }

    /// The body as text.
    pub fn text(&self) -> Cow<'_, str> {
        match &self.content {
            Content::Text(text) => Cow::Borrowed(text),
            Content::Json(value) => Cow::Owned(value.to_string()),
        }
    }

    /// How long the body is, in bytes.
    pub fn length(&self) -> usize {
        self.text().len()
    }

    /// Gives it another body, as it is.
    pub fn say(&mut self, text: impl Into<String>) {
        self.content = Content::Text(text.into());
    }

    /// Closes the connection in place of an answer.
    pub fn cut_off(&mut self) {
        self.is_cut_off = true;
    }

    /// Sets a header.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        self.headers.retain(|(one, _)| one != name);
        self.headers.push((name.to_owned(), value.into()));
    }

    /// Takes a header away.
    pub fn drop(&mut self, name: &str) {
        self.headers.retain(|(one, _)| one != name);
    }

    pub fn response(self) -> Response<Body> {
        let mut response = Response::builder().status(self.status);
        for (name, value) in &self.headers {
            response = response.header(name, value);
        }
        let body = match self.is_cut_off {
            true => Body::from_stream(stream::iter([Err::<Bytes, _>(io::Error::other("cut off"))])),
            false => Body::from(self.text().into_owned()),
        };
        response.body(body).unwrap()
    }

    fn of(status: u16, content: Content) -> Self {
        let kind = ("content-type".to_owned(), "application/json".to_owned());
        Self {
            status,
            headers: vec![kind],
            content,
            is_cut_off: false,
        }
    }
}
