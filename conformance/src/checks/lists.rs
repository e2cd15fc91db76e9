//! §4.1, §4.4.7: the lists are there, and they are lists.

use super::{Check, CheckFuture, Level};
use crate::corpus::Projection;
use crate::corpus::clause::Clause;
use crate::corpus::listing::ListResponse;
use crate::engine::Engine;
use crate::engine::finding::Finding;
use crate::engine::outcome::CheckResult;
use crate::http::exchange::Exchange;
use crate::oracle::JSON;

pub(super) const CHECKS: &[Check] = &[Check {
    id: "N1",
    covers: &[],
    clause: "§4",
    level: Level::Must,
    says: "Every list can be reached under its path and answers an array of records, in an envelope or without.",
    needs: "nothing",
    finds: "a list that is missing, fails, or has no array of records",
    advice: "Look whether the path has its version and prefix, and whether the token may read this list.",
    core: false,
    run: reachable,
}];

fn reachable<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        for list in &engine.corpus.lists {
            let name = list.spec.name();
            if !list.offered {
                result.absent(name);
                continue;
            }
            list.unsteady.iter().for_each(|what| result.moved(what));
            for projection in [Projection::Default, Projection::Trashed] {
                let Some(snapshot) = list.snapshot(&projection) else {
                    continue;
                };
                match &snapshot.response {
                    ListResponse::Records(_) => result.case(),
                    // What an extension takes and answers is not for the specification to say.
                    _ if !list.spec.specified => {
                        result.gap(format!("{name} answers {}", snapshot.response.describe()))
                    }
                    answer => result.finding(Finding {
                        about: name.to_owned(),
                        clause: Clause::of_source(&list.spec.operation.origin.source),
                        expected: "2xx with an array of records".to_owned(),
                        actual: answer.describe(),
                        evidence: vec![engine.evidence(answer)],
                    }),
                }
            }
        }
        Ok(())
    })
}

/// S11: answers are JSON and say so.
pub(super) fn media_type<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        for list in engine.corpus.lists.iter().filter(|list| list.offered) {
            let exchanges =
                [&Projection::Default, &Projection::Trashed].map(|projection| list.snapshot(projection));
            let is_wrong = |exchange: &Exchange| exchange.is_success() && !exchange.says_json();
            for exchange in exchanges
                .into_iter()
                .flatten()
                .map(|snapshot| snapshot.response.exchange())
            {
                if !exchange.is_success() {
                    result.gap(format!("a success from {}", list.spec.name()));
                    continue;
                }
                if !is_wrong(exchange) {
                    result.case();
                    continue;
                }
                match engine.stays_wrong(&exchange.request, is_wrong).await? {
                    None => result.moved(format!("{} had another media type once", exchange.request.line())),
                    Some(exchange) => {
                        let shown = exchange.content_type.as_deref().unwrap_or("no media type");
                        let told = (JSON, shown);
                        let evidence = vec![exchange.evidence(&engine.target.config().base_url)];
                        result.finding(engine.finding(list.spec.name(), told, evidence));
                    }
                }
            }
        }
        Ok(())
    })
}
