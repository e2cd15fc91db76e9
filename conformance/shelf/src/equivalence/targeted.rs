//! Questions about the very parameters of a mutant's operator and condition, so that its condition is met.

use super::query::{self, Query};
use super::question::{Look, Question};
use crate::mutation::condition::{ParameterClass, RequestClass};
use crate::mutation::{Condition, Draw, Mutant, Sample};

/// So many questions about a mutant.
pub(super) fn questions(mutant: &Mutant, count: usize) -> Vec<Question> {
    let sample = Sample::get();
    let mut draw = Draw::new(0x5851_f42d);
    (0..count)
        .map(|nth| question(&mut draw, sample, mutant, nth))
        .collect()
}

fn question(draw: &mut Draw, sample: &Sample, mutant: &Mutant, nth: usize) -> Question {
    // At first nothing else is asked, so that a difference is seen apart from everything else.
    let mut query = if nth.is_multiple_of(3) {
        Query::default()
    } else {
        few(draw, sample)
    };
    for (name, word) in &mutant.operator.about {
        about(draw, sample, &mut query, name, word);
    }
    let mut page = None;
    if let Condition::Parameters(classes) = &*mutant.condition {
        for class in classes {
            page = meet(draw, sample, &mut query, class).or(page);
        }
    }
    if let Condition::Value(_) = &*mutant.condition
        && mutant
            .operator
            .about
            .iter()
            .all(|(name, _)| !name.starts_with("filter["))
    {
        let (name, _) = draw.pick_copy(&sample.filters());
        query.add_filter(draw, sample, name);
    }
    let classes = mutant.operator.class.into_iter().chain(match &*mutant.condition {
        Condition::Value(class) => Some(*class),
        _ => None,
    });
    for class in classes {
        if draw.percent(70) {
            query.classify(draw, sample, class);
        }
    }
    if !query.has("sort") && nth.is_multiple_of(2) {
        query.add_sort(draw, "id");
    }
    let mut question = Question::drawn(draw, query);
    if let (Some(page), false) = (page, question.look == Look::Status) {
        question.look = if draw.percent(50) {
            Look::Walk
        } else {
            Look::Page(page)
        };
    }
    if let Condition::Request(class) = &*mutant.condition {
        surround(&mut question, class);
    }
    question
}

/// A drawn query without most of its filters.
fn few(draw: &mut Draw, sample: &Sample) -> Query {
    let mut query = query::draw(draw, sample);
    let mut filters = 0;
    query.pairs.retain(|(name, _)| {
        filters += usize::from(name.starts_with("filter["));
        !name.starts_with("filter[") || name == "filter[trashed]" || filters < 2
    });
    query.is_open = false;
    query
        .pairs
        .retain(|(name, _)| !name.contains("expired_") && !name.contains("deactivated_"));
    query
}

fn about(draw: &mut Draw, sample: &Sample, query: &mut Query, name: &str, word: &str) {
    match name {
        "sort" if word.is_empty() => {
            for _ in 0..2 + draw.below(2) {
                // Fields with equal values first, so that the next key decides.
                let ties = ["state", "last_name", "first_name", "is_manager", "manager_id"];
                let field = if draw.percent(50) {
                    draw.pick_copy(&ties).to_owned()
                } else {
                    sample.field(draw)
                };
                query.add_sort(draw, &field);
            }
        }
        "sort" => {
            query.pairs.retain(|(one, _)| one != "sort");
            query.add_sort(draw, word);
        }
        "include" if word.is_empty() => {
            for _ in 0..1 + draw.below(3) {
                let form = draw.pick_copy(&["", "", "-count", "-exists"]);
                query.add_word("include", &format!("{}{form}", sample.relation(draw).name));
            }
        }
        "include" => query.add_word("include", word),
        "filter[trashed]" => {
            if draw.percent(85) {
                query.add_trashed(draw);
            }
        }
        _ => query.add_filter(draw, sample, name),
    }
}

/// Adds what a condition on parameters needs; the page, if it needs one.
fn meet(draw: &mut Draw, sample: &Sample, query: &mut Query, class: &ParameterClass) -> Option<usize> {
    match class {
        ParameterClass::Sort | ParameterClass::SortKeys(_) => {
            let count = if let ParameterClass::SortKeys(count) = class {
                *count
            } else {
                1
            };
            while query
                .pairs
                .iter()
                .find(|(name, _)| name == "sort")
                .map_or(0, |(_, words)| words.split(',').count())
                < count
            {
                let field = sample.field(draw);
                query.add_sort(draw, &field);
            }
        }
        ParameterClass::SortBy(field) => query.add_sort(draw, field),
        ParameterClass::Descending => {
            let field = sample.field(draw);
            query.add_word("sort", &format!("-{field}"));
        }
        ParameterClass::Include => query.add_word("include", &sample.relation(draw).name),
        ParameterClass::Relation(name) => {
            let form = draw.pick_copy(&["", "-count", "-exists"]);
            query.add_word("include", &format!("{name}{form}"));
        }
        ParameterClass::CountForm => {
            query.add_word("include", &format!("{}-count", sample.relation(draw).name))
        }
        ParameterClass::Relations(count) => {
            for _ in 0..count + 2 {
                query.add_word("include", &sample.relation(draw).name);
            }
        }
        ParameterClass::Filter(name) => query.add_filter(draw, sample, name),
        ParameterClass::Filters(count) => {
            // Filters that go with others, so that something is found.
            for name in ["filter[manager]", "filter[created_after]", "filter[email_search]"]
                .into_iter()
                .take(*count)
            {
                query.add_filter(draw, sample, name);
            }
        }
        ParameterClass::NoFilter => query
            .pairs
            .retain(|(name, _)| !name.starts_with("filter[") || name == "filter[trashed]"),
        ParameterClass::Search => query.add_filter(draw, sample, "filter[email_search]"),
        ParameterClass::Bound => query.add_filter(draw, sample, "filter[created_after]"),
        ParameterClass::PageFrom(page) => return Some(*page),
        ParameterClass::Trashed(word) => {
            query.pairs.retain(|(name, _)| name != "filter[trashed]");
            query.add("filter[trashed]", (*word).to_owned());
        }
    }
    None
}

/// Gives a question the surroundings that a condition needs.
fn surround(question: &mut Question, class: &RequestClass) {
    match class {
        RequestClass::Header(name) => question.request.headers.push((*name).to_owned()),
        RequestClass::FirstOnConnection => question.request.on_connection = 0,
        RequestClass::LaterOnConnection => question.request.on_connection = 1,
        RequestClass::Repeated => question.before = vec![question.request.clone()],
        _ => {}
    }
}
