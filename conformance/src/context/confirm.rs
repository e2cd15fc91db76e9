//! Looking again: an answer becomes a violation only if it stays wrong, with the records that it rests on read anew.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Context;
use crate::case::{Accusation, Case};
use crate::exchange::Exchange;
use crate::finding::Finding;
use crate::listing::Listed;
use crate::outcome::Settled;
use crate::patience::PAUSES;
use crate::request::Request;
use crate::target::Trouble;

/// So many of the records that an accusation rests on are read again; the rest of them would tell nothing new.
const CULPRITS: usize = 12;

impl Context {
    /// Judges a case. What looks wrong is looked at again, with the records it rests on read again in between; only what
    /// stays wrong every time is a violation.
    pub(crate) async fn judge(&mut self, case: &Case) -> Result<Settled, Trouble> {
        let mut answers = self.ask_all(case.list, &case.requests).await?;
        let Some(mut accusation) = (case.judge)(&answers, self.list(case.list)) else {
            return Ok(Settled::Right);
        };
        let mut requests = case.requests.clone();
        if let Some(narrower) = self.shown_early(case, &answers, &accusation) {
            accusation = narrower;
            requests = requests.into_iter().map(Request::for_one_page).collect();
        }
        for pause in PAUSES {
            tokio::time::sleep(pause).await;
            self.refresh(case, &accusation).await?;
            answers.clear();
            for request in &requests {
                answers.push(self.ask_again(case.list, request).await?);
            }
            let again = (case.judge)(&answers, self.list(case.list));
            let Some(again) = again.and_then(|again| again.still(&accusation)) else {
                return Ok(Settled::Moved(format!(
                    "{} {}: {}, but not every time",
                    self.list(case.list).subject.name(),
                    case.about,
                    accusation.actual
                )));
            };
            accusation = again;
        }
        let evidence = self.evidence_of(case, &accusation, &answers).await?;
        let about = format!("{} {}", self.list(case.list).subject.name(), case.about);
        let told = (accusation.expected, accusation.actual);
        let finding = self.finding(about.trim_end(), told, evidence);
        let clause = case.clause.clone().unwrap_or(finding.clause);
        Ok(Settled::Wrong(Box::new(Finding { clause, ..finding })))
    }

    /// What is wrong on the first page of an answer alone, if that shows it: then it need not be read to its end again.
    ///
    /// Of several answers none is cut, for what one of them lacks may stand on a later page.
    fn shown_early(
        &self,
        case: &Case,
        answers: &[Arc<Listed>],
        accusation: &Accusation,
    ) -> Option<Accusation> {
        let [answer] = answers else { return None };
        let paging = &self.list(case.list).paging;
        if !paging.stable && paging.sort.is_none() {
            return None; // Next time others would stand there.
        }
        let cut = Listed::Records(answer.reading()?.first_page()?);
        let narrower = (case.judge)(&[Arc::new(cut)], self.list(case.list))?;
        narrower.still(accusation)
    }

    /// Sends a request that was answered wrongly again: the last answer if every one is wrong, else none.
    pub(crate) async fn stays_wrong(
        &self,
        request: &Request,
        is_wrong: impl Fn(&Exchange) -> bool,
    ) -> Result<Option<Exchange>, Trouble> {
        let mut last = None;
        for pause in PAUSES {
            tokio::time::sleep(pause).await;
            let exchange = self.target.send(request).await?;
            if !is_wrong(&exchange) {
                return Ok(None);
            }
            last = Some(exchange);
        }
        Ok(last)
    }

    /// Reads again what an accusation rests on.
    async fn refresh(&mut self, case: &Case, accusation: &Accusation) -> Result<(), Trouble> {
        let culprits = accusation.culprits.iter().flatten().take(CULPRITS).cloned();
        let ids: BTreeSet<String> = culprits.collect();
        let list = &mut self.corpus.lists[case.list];
        let fullest = list.fullest_look();
        for look in case.looks.iter().chain(&fullest) {
            list.refresh(&self.target, look, &ids).await?;
        }
        Ok(())
    }
}
