//! The stages of answering, and what a variant does at each.
//!
//! A request is granted, its query rewritten; rows match, are found in order, are cut to a page; each is shown as a record;
//! the answer is sent. A write has its body rewritten, is judged, is stored. At every stage the hooks run in the order they
//! were added.

use rollcall_contract::Filter;
use serde_json::Value;

use super::Asked;
use super::model::{Column, Row, Rows, Write};
use super::reply::Reply;
use super::settings::Settings;

type Hook<F> = Vec<Box<F>>;

/// What a variant changes.
#[expect(
    clippy::type_complexity,
    reason = "each type stands once and says what its hook is given"
)]
#[derive(Default)]
pub struct Hooks {
    /// What can be said without code.
    pub settings: Settings,
    pub(super) rows: Hook<dyn Fn(&mut Rows) + Send + Sync>,
    pub(super) request: Hook<dyn Fn(&mut Asked) + Send + Sync>,
    pub(super) grant: Hook<dyn Fn(&Asked) -> Option<bool> + Send + Sync>,
    pub(super) query: Hook<dyn Fn(&mut Asked) + Send + Sync>,
    pub(super) matching: Hook<dyn Fn(&Matching<'_>, bool) -> bool + Send + Sync>,
    pub(super) found: Hook<dyn for<'r> Fn(&Asked, &mut Found<'r>) + Send + Sync>,
    pub(super) page: Hook<dyn for<'r> Fn(&Asked, &mut Vec<&'r Row>) + Send + Sync>,
    pub(super) record: Hook<dyn Fn(&Asked, &Row, &mut Value) + Send + Sync>,
    pub(super) body: Hook<dyn Fn(&Asked, &mut Option<Value>) + Send + Sync>,
    pub(super) write: Hook<dyn Fn(&Asked, &mut Write) + Send + Sync>,
    pub(super) answer: Hook<dyn Fn(&Asked, &mut Reply) + Send + Sync>,
}

/// One filter of a request held against one row.
pub struct Matching<'a> {
    /// The request.
    pub asked: &'a Asked,
    /// The filter's parameter, such as `filter[email]`.
    pub name: &'a str,
    /// What the filter means.
    pub filter: &'a Filter,
    /// The value asked for.
    pub value: &'a str,
    /// The row.
    pub row: &'a Row,
    /// All rows of the list.
    pub rows: &'a [Row],
    pub(super) columns: &'a [Column],
}

/// What a query finds, in order, before it is cut to a page.
pub struct Found<'r> {
    /// The rows found.
    pub rows: Vec<&'r Row>,
    /// All rows of the list.
    pub all: &'r [Row],
    /// How many rows a page has.
    pub page: usize,
}

impl Hooks {
    /// Changes the stored rows before the first request.
    pub fn on_rows(&mut self, hook: impl Fn(&mut Rows) + Send + Sync + 'static) {
        self.rows.push(Box::new(hook));
    }

    /// Rewrites any request before anything else is done with it.
    pub fn on_request(&mut self, hook: impl Fn(&mut Asked) + Send + Sync + 'static) {
        self.request.push(Box::new(hook));
    }

    /// Decides whether a request is granted, or leaves it to the model.
    pub fn on_grant(&mut self, hook: impl Fn(&Asked) -> Option<bool> + Send + Sync + 'static) {
        self.grant.push(Box::new(hook));
    }

    /// Rewrites the query of a reading request before it is evaluated.
    pub fn on_query(&mut self, hook: impl Fn(&mut Asked) + Send + Sync + 'static) {
        self.query.push(Box::new(hook));
    }

    /// Changes the verdict on whether a row matches a filter.
    pub fn on_match(&mut self, hook: impl Fn(&Matching<'_>, bool) -> bool + Send + Sync + 'static) {
        self.matching.push(Box::new(hook));
    }

    /// The same for one filter of the users' list, called by what stands in its brackets.
    pub fn on_filter(
        &mut self,
        name: &str,
        hook: impl Fn(&Matching<'_>, bool) -> bool + Send + Sync + 'static,
    ) {
        let name = format!("filter[{name}]");
        self.on_match(move |matching, verdict| match matching.name == name {
            true if matching.asked.on("/directory/users") => hook(matching, verdict),
            _ => verdict,
        });
    }

    /// Changes what a query finds, before it is cut to a page.
    pub fn on_found(&mut self, hook: impl for<'r> Fn(&Asked, &mut Found<'r>) + Send + Sync + 'static) {
        self.found.push(Box::new(hook));
    }

    /// Changes the rows of a page.
    pub fn on_page(&mut self, hook: impl for<'r> Fn(&Asked, &mut Vec<&'r Row>) + Send + Sync + 'static) {
        self.page.push(Box::new(hook));
    }

    /// Changes a record as it is shown.
    pub fn on_record(&mut self, hook: impl Fn(&Asked, &Row, &mut Value) + Send + Sync + 'static) {
        self.record.push(Box::new(hook));
    }

    /// Rewrites the body of a write before it is judged; none stands for what is no JSON.
    pub fn on_body(&mut self, hook: impl Fn(&Asked, &mut Option<Value>) + Send + Sync + 'static) {
        self.body.push(Box::new(hook));
    }

    /// Changes the verdict on a write, or what it does.
    pub fn on_write(&mut self, hook: impl Fn(&Asked, &mut Write) + Send + Sync + 'static) {
        self.write.push(Box::new(hook));
    }

    /// Changes an answer, of whatever kind.
    pub fn on_answer(&mut self, hook: impl Fn(&Asked, &mut Reply) + Send + Sync + 'static) {
        self.answer.push(Box::new(hook));
    }

    /// Changes a member of one person's record as it is stored.
    pub fn on_person(&mut self, index: usize, hook: impl Fn(&mut Value) + Send + Sync + 'static) {
        self.on_rows(move |rows| {
            if let Some(row) = rows.of("/directory/users").get_mut(index) {
                hook(&mut row.record);
            }
        });
    }
}

impl Matching<'_> {
    /// The text of the row's member that the filter looks at first.
    pub fn own(&self) -> Option<&str> {
        let column = self.columns.first()?;
        column.first_text(self.row)
    }

    /// The row that has this id.
    pub fn row_of(&self, id: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.id() == id)
    }
}
