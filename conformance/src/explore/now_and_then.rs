//! Answers that are wrong now and then: the same request is answered rightly and wrongly by turns.

use std::sync::Arc;

use rollcall_oracle::corpus::listing::ListResponse;
use rollcall_oracle::corpus::query::Query;
use rollcall_oracle::http::again::{TIMES, TIMES_OF_NOW_AND_THEN};
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::judge::{Aspect, Facts, judge};

use super::shrink::case;
use crate::engine::Engine;
use crate::engine::finding::Finding;

/// So many queries are sent again and again.
const SEARCHES: usize = 2;
/// How the engine remembers how many were.
const SEARCHED: &str = "now and then";

/// The finding if a query, which was answered wrongly and then rightly, is answered wrongly and rightly by turns. A failure in
/// passing is none, nor is a refusal: a server may be busy.
pub(super) async fn finding(
    engine: &mut Engine,
    list: usize,
    facts: &Arc<Facts>,
    (query, aspect): (&Query, Aspect),
) -> Result<Option<Finding>, TargetError> {
    let searched = engine.recall::<usize>(SEARCHED).map_or(0, |searched| *searched);
    if searched >= SEARCHES {
        return Ok(None);
    }
    engine.remember(SEARCHED, &Arc::new(searched + 1));
    let request = query.request(engine.list(list));
    let (mut turns, mut last_right) = (0, None);
    for _ in 0..TIMES_OF_NOW_AND_THEN {
        let answer = engine.ask_again(list, &request).await?;
        if matches!(answer.as_ref(), ListResponse::Refused(_)) {
            continue;
        }
        let violations = judge(facts, engine.list(list), query, &answer).into_iter();
        let wrong = violations
            .filter(|one| one.aspect.is_like(aspect))
            .map(|one| one.violation)
            .next();
        let Some(violation) = wrong else {
            last_right = Some(answer);
            continue;
        };
        let Some(right) = last_right.take() else {
            continue;
        };
        turns += 1;
        if turns < TIMES {
            continue;
        }
        // Others would tell the same.
        engine.remember(SEARCHED, &Arc::new(SEARCHES));
        let about = case(engine, list, facts, query, aspect).about;
        let about = format!("{} {about}, now and then", engine.list(list).spec.name());
        let evidence = vec![engine.evidence(&right), engine.evidence(&answer)];
        let told = (format!("{}, every time", violation.expected), violation.actual);
        return Ok(Some(engine.finding(about, told, evidence)));
    }
    Ok(None)
}
