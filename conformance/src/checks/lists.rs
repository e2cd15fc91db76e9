//! §4.1, §4.4.7: the lists are there, and they are lists.

use crate::engine::region::{Area, MEMBERSHIP, Region};
use std::collections::BTreeSet;

use rollcall_oracle::corpus::Projection;
use rollcall_oracle::corpus::clause::Clause;
use rollcall_oracle::corpus::listing::ListResponse;
use rollcall_oracle::corpus::members::Members;
use rollcall_oracle::corpus::records::{NO_OBJECTS, UNCLEAR};
use rollcall_oracle::http::exchange::Exchange;
use rollcall_oracle::judge::JSON;

use super::{BASE, Check, CheckFuture};
use crate::cases::judge_answer;
use crate::engine::Engine;
use crate::engine::finding::Finding;
use crate::engine::outcome::CheckResult;
use crate::engine::suspect::suspected;

pub(super) const CHECKS: &[Check] = &[Check {
    id: "N1",
    clause: "§4.1, §4.4.7",
    demands: &["list-users", "dimensions"],
    says: "Every list can be reached under its path and answers an array of records, in an envelope or without.",
    needs: "nothing",
    finds: "a list that is missing, fails, or has no array of records",
    advice: "Look whether the path has its version and prefix, and whether the token may read this list.",
    region: Region {
        failed_by: &[Area::BARE.wrong(MEMBERSHIP)],
        ..Region::NONE
    },
    run: reachable,
    ..BASE
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
                    ListResponse::Records(_) => result.count_case(),
                    // The array is specified, and what it holds is open (R12).
                    ListResponse::Malformed { why, .. }
                        if why == NO_OBJECTS
                            && !Members::of(&engine.contract, &list.spec.list.record).described =>
                    {
                        result.count_case();
                        result.gap(format!("{name}: records that are objects"));
                    }
                    // Which of several members is the list is open (L1).
                    ListResponse::Malformed { why, .. } if why == UNCLEAR => {
                        result.gap(format!("{name}: the member that is the list: --envelope NAME"));
                    }
                    // What an extension takes and answers is not for the specification to say.
                    _ if !list.spec.specified => {
                        result.gap(format!("{name} answers {}", snapshot.response.describe()))
                    }
                    answer => {
                        let finding = Finding::new(
                            name,
                            Clause::of_source(&list.spec.operation.origin.source),
                            ("2xx with an array of records", answer.describe()),
                            vec![engine.evidence(answer)],
                        );
                        let requests = [answer.exchange().request.clone()];
                        let suspects = suspected(&list.spec, &requests, &BTreeSet::new());
                        result.finding(finding.suspecting(suspects));
                        // What is wrong with the list as such need not be told of the list with a parameter.
                        break;
                    }
                }
            }
        }
        Ok(())
    })
}

/// S11: answers are JSON and say so.
pub(super) fn media_type<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let lists = engine.corpus.lists.iter().enumerate();
        for (index, list) in lists.filter(|(_, list)| list.offered) {
            for projection in [Projection::Default, Projection::Trashed] {
                let Some(snapshot) = list.snapshot(&projection) else {
                    continue;
                };
                let exchange = snapshot.response.exchange();
                if exchange.is_success() {
                    let once = "had another media type once";
                    judge_answer(engine, index, exchange, other_media_type, once, result).await?;
                } else {
                    result.gap(format!("a success from {}", list.spec.name()));
                }
            }
        }
        Ok(())
    })
}

/// The media types that were expected and found, if a success does not have that of JSON.
fn other_media_type(exchange: &Exchange) -> Option<(String, String)> {
    let shown = exchange.content_type.as_deref().unwrap_or("no media type");
    let is_wrong = exchange.is_success() && !exchange.says_json();
    is_wrong.then(|| (JSON.to_owned(), shown.to_owned()))
}
