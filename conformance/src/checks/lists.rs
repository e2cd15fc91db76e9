//! §4.1, §4.4.7: the lists are there, and they are lists.

use super::{Check, Level, Looking};
use crate::context::Context;
use crate::corpus::Look;
use crate::exchange::Exchange;
use crate::finding::{Clause, Finding};
use crate::listing::Listed;
use crate::outcome::Tally;

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

fn reachable<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        for list in &context.corpus.lists {
            let name = list.subject.name();
            if !list.offered {
                tally.absent(name);
                continue;
            }
            list.unsteady.iter().for_each(|what| tally.moved(what));
            for look in [Look::Default, Look::Trashed] {
                let Some(view) = list.view(&look) else { continue };
                match &view.listed {
                    Listed::Records(_) => tally.case(),
                    // What an extension takes and answers is not for the specification to say.
                    _ if !list.subject.specified => {
                        tally.gap(format!("{name} answers {}", view.listed.describe()))
                    }
                    answer => tally.finding(Finding {
                        about: name.to_owned(),
                        clause: Clause::of_source(&list.subject.operation.origin.source),
                        expected: "2xx with an array of records".to_owned(),
                        actual: answer.describe(),
                        evidence: vec![context.evidence(answer)],
                    }),
                }
            }
        }
        Ok(())
    })
}

/// S11: answers are JSON and say so.
pub(super) fn media_type<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        for list in context.corpus.lists.iter().filter(|list| list.offered) {
            let exchanges = [&Look::Default, &Look::Trashed].map(|look| list.view(look));
            let is_wrong = |exchange: &Exchange| exchange.is_success() && !exchange.says_json();
            for exchange in exchanges.into_iter().flatten().map(|view| view.listed.exchange()) {
                if !exchange.is_success() {
                    tally.gap(format!("a success from {}", list.subject.name()));
                    continue;
                }
                if !is_wrong(exchange) {
                    tally.case();
                    continue;
                }
                match context.stays_wrong(&exchange.request, is_wrong).await? {
                    None => tally.moved(format!("{} had another media type once", exchange.request.line())),
                    Some(exchange) => {
                        let shown = exchange.content_type.as_deref().unwrap_or("no media type");
                        let told = ("the media type application/json, or one built on JSON", shown);
                        let evidence = vec![exchange.evidence(&context.target.config().base_url)];
                        tally.finding(context.finding(list.subject.name(), told, evidence));
                    }
                }
            }
        }
        Ok(())
    })
}
