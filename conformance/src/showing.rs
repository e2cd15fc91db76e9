//! What shows a violation: as few requests as possible, which whoever repeats them sees it in again.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::case::{Accusation, Case};
use crate::context::Context;
use crate::corpus::Look;
use crate::exchange::{Evidence, Exchange};
use crate::listing::{Listed, single_page};
use crate::request::Request;
use crate::target::Trouble;

impl Context {
    /// The exchanges that show an accusation: each answer by the page that holds a culprit, and, where culprits are
    /// missing, a request that shows one of them.
    pub(crate) async fn evidence_of(
        &self,
        case: &Case,
        accusation: &Accusation,
        answers: &[Arc<Listed>],
    ) -> Result<Vec<Evidence>, Trouble> {
        let culprit = accusation.culprits.as_ref().and_then(BTreeSet::first);
        let shown = |index: &usize| match &accusation.shows {
            Some(some) => some.contains(index),
            None => true,
        };
        let base = &self.target.config().base_url;
        let mut evidence = Vec::new();
        for (_, answer) in answers.iter().enumerate().filter(|(index, _)| shown(index)) {
            let narrowed = match culprit.filter(|_| accusation.absence) {
                Some(id) => self.narrowed(case.list, answer, id).await?,
                None => None,
            };
            let page = narrowed
                .as_ref()
                .unwrap_or_else(|| answer.page_with(culprit.map(String::as_str)));
            evidence.push(page.evidence(base));
        }
        // Where nothing was asked, the records themselves are what shows it.
        let shown = match case.requests.is_empty() {
            true => 2,
            false => usize::from(accusation.absence),
        };
        for id in accusation.culprits.iter().flatten().take(shown) {
            let look = case.looks.iter().find(|look| matches!(look, Look::Including(_)));
            if let Some(request) = self.witness(case.list, look, id) {
                evidence.push(self.target.send(&request).await?.evidence(base));
            }
        }
        Ok(evidence)
    }

    /// Of an answer over several pages that lacks a record, the same question about that record alone, if it is answered
    /// without the record too: one page then shows what is missing.
    async fn narrowed(&self, list: usize, answer: &Listed, id: &str) -> Result<Option<Exchange>, Trouble> {
        let surveyed = self.list(list);
        let several = answer.reading().is_some_and(|reading| reading.pages.len() > 1);
        let by_id = surveyed.subject.by_identifier();
        let Some(by_id) = by_id.filter(|by_id| several && self.failed(list, &by_id.name).is_none()) else {
            return Ok(None);
        };
        let request = answer.exchange().request.clone();
        if request.query.iter().any(|(name, _)| *name == by_id.name) {
            return Ok(None);
        }
        let exchange = self.target.send(&request.with(&by_id.name, id)).await?;
        let listed = single_page(exchange.clone(), &self.target, &surveyed.paging);
        let lacks = listed
            .reading()
            .is_some_and(|reading| !reading.ids().contains(id));
        Ok(lacks.then_some(exchange))
    }

    /// A request that shows a record: by its identifier if that can be relied on, else the page it was seen on.
    fn witness(&self, list: usize, look: Option<&Look>, id: &str) -> Option<Request> {
        let surveyed = self.list(list);
        let fullest = surveyed.fullest_look();
        let look = look.or(fullest.as_ref())?;
        let view = surveyed.view(look)?;
        let by_id = surveyed.subject.by_identifier();
        let by_id = by_id.filter(|filter| self.failed(list, &filter.name).is_none());
        let deleted = surveyed
            .fullest()
            .and_then(|view| view.record(id))
            .is_some_and(|record| surveyed.subject.is_deleted(record));
        match by_id {
            Some(filter) if deleted || *look != Look::Trashed => {
                Some(view.request.clone().with(&filter.name, id))
            }
            Some(filter) => Some(self.query(list, &[(&filter.name, id)])),
            None => view.page(id).cloned(),
        }
    }

    /// What an exchange looks like in a report.
    pub(crate) fn evidence(&self, listed: &Listed) -> Evidence {
        listed.exchange().evidence(&self.target.config().base_url)
    }
}
