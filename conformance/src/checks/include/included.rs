//! The shape of a relation (I15).

use std::collections::BTreeMap;
use std::sync::Arc;

use super::relations::{RelationRuling, Rule, each};
use crate::checks::CheckFuture;
use crate::checks::sort::sortable::lists;
use crate::corpus::listing::identity;
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;
use crate::oracle::RelationShapes;

pub(super) fn well_formed<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let rule = Rule {
            expected: "the shape that is listed for the relation",
            needs: "a record that has the relation",
            absence: false,
        };
        let shapes = Arc::new(shapes(engine));
        each(
            engine,
            result,
            rule,
            |_| true,
            move |one, record, _| {
                let wrong = shapes
                    .get(&one.list)
                    .and_then(|shapes| shapes.wrong(record, &one.relation));
                match wrong {
                    None => RelationRuling::NotApplicable,
                    Some(Ok(())) => RelationRuling::Holds,
                    Some(Err(what)) => RelationRuling::Violated(identity(record), what),
                }
            },
        )
        .await
    })
}

/// What judges the relations of each list.
fn shapes(engine: &Engine) -> BTreeMap<usize, RelationShapes> {
    let lists = lists(engine).into_iter();
    lists
        .map(|list| (list, RelationShapes::of(&engine.contract, engine.list(list))))
        .collect()
}
