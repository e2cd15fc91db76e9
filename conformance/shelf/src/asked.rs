//! A request, taken apart, and what may still be done to it before it is evaluated.

use std::sync::Arc;

use axum::http::Method;
use serde_json::Value;

/// A request.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Its method.
    pub method: Method,
    /// Its path below the address of the service.
    pub path: String,
    /// Its query, which hooks may rewrite.
    pub query: Vec<(String, String)>,
    /// Its query as it was written, percent-encoded.
    pub written: String,
    /// Its query as it was sent.
    pub sent: Vec<(String, String)>,
    /// The value of the header `Authorization`.
    pub credentials: Option<String>,
    /// The value of the header `Content-Type`.
    pub content_type: Option<String>,
    /// The names of all headers, in lower case.
    pub headers: Vec<String>,
    /// The body; none if it is no JSON.
    pub body: Option<Value>,
    /// How many requests came before it.
    pub number: usize,
    /// How many requests came before it on its connection.
    pub on_connection: usize,
    /// The request that was answered last before this one.
    pub previous: Option<Arc<Previous>>,
    /// The status to refuse it with, if something refused it already.
    pub refused: Option<u16>,
}

/// A request that was answered.
#[derive(Clone, Debug)]
pub struct Previous {
    /// The request; it has no previous request of its own.
    pub asked: Asked,
    /// The status of the answer.
    pub status: u16,
}

impl Asked {
    /// A reading request with a token, as a client sends it that was just started.
    pub fn get(path: &str, query: &[(&str, &str)], token: &str) -> Self {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let query: Vec<_> = query.iter().map(owned).collect();
        Self {
            method: Method::GET,
            path: path.to_owned(),
            written: String::new(),
            sent: query.clone(),
            query,
            credentials: Some(format!("Bearer {token}")),
            content_type: None,
            headers: vec!["authorization".to_owned()],
            body: None,
            number: 0,
            on_connection: 0,
            previous: None,
            refused: None,
        }
    }

    /// Whether this is the list or record under `path`.
    pub fn on(&self, path: &str) -> bool {
        self.path == path
    }

    /// Whether it changes something.
    pub fn writes(&self) -> bool {
        !self.method.is_safe()
    }

    /// Whether it has this parameter.
    pub fn has(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    /// The first value of a parameter.
    pub fn value(&self, name: &str) -> Option<&str> {
        let mut query = self.query.iter();
        query.find_map(|(one, value)| (one == name).then_some(value.as_str()))
    }

    /// The number of the page asked for; 1 if it says none.
    pub fn page(&self) -> usize {
        self.value("page").and_then(|page| page.parse().ok()).unwrap_or(1)
    }

    /// The words of a parameter that takes several, such as `sort`.
    pub fn words(&self, name: &str) -> Vec<&str> {
        let words = self.value(name).unwrap_or_default().split(',');
        words.filter(|word| !word.is_empty()).collect()
    }

    /// The filters, but for the one that lists soft-deleted records.
    pub fn filters(&self) -> impl Iterator<Item = (&str, &str)> {
        let query = self.query.iter();
        query
            .filter(|(name, _)| is_filter(name))
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Takes a parameter away.
    pub fn drop(&mut self, name: &str) {
        self.query.retain(|(one, _)| one != name);
    }

    /// Takes all parameters away that are so.
    pub fn drop_if(&mut self, is: impl Fn(&str, &str) -> bool) {
        self.query.retain(|(name, value)| !is(name, value));
    }

    /// Takes all filters away, but for the one that lists soft-deleted records.
    pub fn drop_filters(&mut self) {
        self.drop_if(|name, _| is_filter(name));
    }

    /// Gives a parameter another value, or adds it.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.query.iter_mut().find(|(one, _)| one == name) {
            Some(one) => one.1 = value,
            None => self.query.push((name.to_owned(), value)),
        }
    }

    /// Calls a parameter by another name.
    pub fn rename(&mut self, name: &str, other: &str) {
        for (one, _) in self.query.iter_mut().filter(|(one, _)| one == name) {
            other.clone_into(one);
        }
    }

    /// Takes all filters away but the last.
    pub fn keep_only_last_filter(&mut self) {
        let last = self.query.iter().rposition(|(name, _)| is_filter(name));
        self.keep_only(last);
    }

    /// Takes all filters away but the first.
    pub fn keep_only_first_filter(&mut self) {
        let first = self.query.iter().position(|(name, _)| is_filter(name));
        self.keep_only(first);
    }

    /// Refuses it with a status.
    pub fn refuse(&mut self, status: u16) {
        self.refused = Some(status);
    }

    fn keep_only(&mut self, kept: Option<usize>) {
        let mut index = 0;
        self.query.retain(|(name, _)| {
            index += 1;
            !is_filter(name) || Some(index - 1) == kept
        });
    }
}

fn is_filter(name: &str) -> bool {
    name.starts_with("filter") && name != "filter[trashed]"
}
