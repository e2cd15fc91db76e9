//! A question: a reading request, what was asked before it, and how much of the list is looked at.

use std::fmt;
use std::sync::LazyLock;

use super::query::{self, Query};
use crate::model::USERS;
use crate::mutation::condition::HEADERS;
use crate::mutation::{Draw, Sample};
use crate::{Asked, TOKEN};

/// Keeps the token out of questions.
pub(super) const GRANTED: &str = TOKEN;

/// How much of a list is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// All pages, one after another.
    Walk,
    /// One page, by its number.
    Page(usize),
    /// The first page, and whether it is a list at all.
    Status,
}

/// A reading request with its surroundings.
#[derive(Clone, Debug)]
pub struct Question {
    /// The requests sent before.
    pub before: Vec<Asked>,
    /// The request, without a page.
    pub request: Asked,
    /// How much of the list is looked at.
    pub look: Look,
    /// Whether the first page of a walk is asked for by its number.
    pub names_first_page: bool,
}

/// How many questions about anything there are.
const GENERAL: usize = 1_200;

/// Questions about anything, the same for every mutant.
pub(super) fn general() -> &'static [Question] {
    static QUESTIONS: LazyLock<Vec<Question>> = LazyLock::new(|| {
        let sample = Sample::get();
        let mut draw = Draw::new(0x9e37_79b9);
        let dimensions = dimensions().into_iter();
        let users = std::iter::repeat_with(|| {
            let query = query::draw(&mut draw, sample);
            Question::drawn(&mut draw, query)
        });
        dimensions.chain(users).take(GENERAL).collect()
    });
    &QUESTIONS
}

/// What is asked of the list of dimensions.
fn dimensions() -> Vec<Question> {
    let path = "/directory/dimensions";
    let queries: [&[(&str, &str)]; 8] = [
        &[],
        &[("sort", "name")],
        &[("sort", "-name")],
        &[("filter[state]", "active")],
        &[("filter[name_search]", "ocation")],
        &[("include", "attributes")],
        &[("include", "attributes-count")],
        &[
            ("filter[state]", "staged"),
            ("sort", "name"),
            ("include", "attributes"),
        ],
    ];
    let queries = queries.into_iter();
    queries
        .map(|query| Question::of(path, query, Look::Walk))
        .collect()
}

impl Question {
    /// A question without anything before it.
    pub(super) fn of(path: &str, query: &[(&str, &str)], look: Look) -> Self {
        Self {
            before: Vec::new(),
            request: Asked::get(path, query, GRANTED),
            look,
            names_first_page: false,
        }
    }

    /// A question about users with surroundings that are drawn.
    pub(super) fn drawn(draw: &mut Draw, query: Query) -> Self {
        let look = match query.is_open {
            true => Look::Status,
            false if draw.percent(30) => Look::Page(1 + draw.below(9)),
            false => Look::Walk,
        };
        let pairs: Vec<_> = query
            .pairs
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        let mut question = Self::of(USERS, &pairs, look);
        question.names_first_page = draw.percent(20);
        question.request.on_connection = draw.below(4);
        if draw.percent(25) {
            question.request.headers.push(draw.pick_copy(&HEADERS).to_owned());
        }
        if draw.percent(40) {
            question.before.push(before(draw, &question.request));
        }
        question
    }
}

/// A request after which the answer has to be the same.
fn before(draw: &mut Draw, request: &Asked) -> Asked {
    match draw.below(7) {
        0 => Asked::get(USERS, &[("filter[nobody_knows]", "1")], GRANTED),
        1 => Asked {
            credentials: None,
            ..Asked::get(USERS, &[], GRANTED)
        },
        2 => Asked {
            method: axum::http::Method::PATCH,
            body: Some(serde_json::json!({"roles": true})),
            content_type: Some("application/json".to_owned()),
            ..Asked::get("/workspace/users/wsusr_0nobody/restore", &[], GRANTED)
        },
        3 => Asked::get(USERS, &[("filter[state]", "active")], GRANTED),
        4 => Asked::get(USERS, &[("page", "2"), ("sort", "-last_name")], GRANTED),
        5 => Asked::get(
            USERS,
            &[("include", "manager-user"), ("filter[trashed]", "only")],
            GRANTED,
        ),
        _ => request.clone(),
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let query = self.request.query.iter();
        let query = query.map(|(name, value)| format!("{name}={value}"));
        write!(
            f,
            "{}?{} {:?}",
            self.request.path,
            query.collect::<Vec<_>>().join("&"),
            self.look
        )?;
        if self.names_first_page {
            f.write_str(" page=1")?;
        }
        match self.before.first() {
            Some(before) => write!(f, " after {} {}?{:?}", before.method, before.path, before.query),
            None => Ok(()),
        }
    }
}
