//! What an operation answers, as the pages say it.

use maud::{Markup, html};
use rollcall_contract::Operation;

/// The answer to success, and the other statuses. `review` leads to the review page, and is empty on that page.
pub(super) fn answers(operation: &Operation, review: &str) -> Markup {
    let answer = &operation.answer;
    let others = operation
        .statuses
        .iter()
        .filter(|status| **status != answer.status);
    let others: Vec<_> = others.map(ToString::to_string).collect();
    html! {
        "Answers " (answer.status) " with "
        @if answer.many { "an array of " } @else { "one " }
        @match &answer.schema {
            Some(name) => { a href={ (review) "#record-" (name) } { code { (name) } } },
            None => { "body of any form" },
        }
        ", otherwise " (others.join(", ")) "."
        @if let Some(scope) = &operation.scope { " Needs the scope " code { (scope) } "." }
    }
}
