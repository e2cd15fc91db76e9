//! What shows a violation: as few requests as possible, which show it again to everyone who repeats them.

use std::collections::BTreeSet;
use std::sync::Arc;

use rollcall_oracle::corpus::Projection;
use rollcall_oracle::corpus::listing::{ListResponse, single_page};
use rollcall_oracle::http::exchange::{Evidence, Exchange};
use rollcall_oracle::http::request::Request;
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::judge::Violation;

use crate::engine::Engine;
use crate::engine::case::Case;

impl Engine {
    /// The exchanges that show a violation: each answer by the page that holds one of its records, and, where records are
    /// missing, a request that shows one of them.
    pub(crate) async fn evidence_of(
        &self,
        case: &Case,
        violation: &Violation,
        answers: &[Arc<ListResponse>],
    ) -> Result<Vec<Evidence>, TargetError> {
        let record_id = violation.record_ids.as_ref().and_then(BTreeSet::first);
        let reproduction = violation.reproduction.as_ref();
        let shown = |index: &usize| reproduction.is_none_or(|some| some.contains(index));
        let base = &self.target.config().base_url;
        let mut evidence = Vec::new();
        for (_, answer) in answers.iter().enumerate().filter(|(index, _)| shown(index)) {
            let reduce_to_record = match record_id.filter(|_| violation.absence) {
                Some(id) => self.reduce_to_record(case.list, answer, id).await?,
                None => None,
            };
            let page = reduce_to_record
                .as_ref()
                .unwrap_or_else(|| answer.page_with(record_id.map(String::as_str)));
            evidence.push(page.evidence(base));
        }
        // Where nothing was asked, the records themselves are what shows it.
        let shown = match case.requests.is_empty() {
            true => 2,
            false => usize::from(violation.absence),
        };
        let mut projections = case.projections.iter();
        let projection = projections.find(|projection| matches!(projection, Projection::Including(_)));
        for id in violation.record_ids.iter().flatten().take(shown) {
            if let Some(request) = self.showing_request(case.list, projection, id) {
                evidence.push(self.target.send(&request).await?.evidence(base));
            }
        }
        Ok(evidence)
    }

    /// Of an answer over several pages that lacks a record, the same question about that record alone, if it is answered
    /// without the record too: one page then shows what is missing.
    async fn reduce_to_record(
        &self,
        list: usize,
        answer: &ListResponse,
        id: &str,
    ) -> Result<Option<Exchange>, TargetError> {
        let list_corpus = self.list(list);
        let several = answer.reading().is_some_and(|reading| reading.pages.len() > 1);
        let by_id = list_corpus.spec.by_identifier();
        let Some(by_id) = by_id.filter(|by_id| several && self.failed(list, &by_id.name).is_none()) else {
            return Ok(None);
        };
        let request = answer.exchange().request.clone();
        if request.query.iter().any(|(name, _)| *name == by_id.name) {
            return Ok(None);
        }
        let exchange = self.target.send(&request.with(&by_id.name, id)).await?;
        let response = single_page(exchange.clone(), &self.target, &list_corpus.paging);
        let lacks = response
            .reading()
            .is_some_and(|reading| !reading.ids().contains(id));
        Ok(lacks.then_some(exchange))
    }

    /// A request that shows a record: by its identifier if that can be relied on, else the page it was seen on.
    fn showing_request(&self, list: usize, projection: Option<&Projection>, id: &str) -> Option<Request> {
        let list_corpus = self.list(list);
        let widest_snapshot = list_corpus.widest_projection();
        let projection = projection.or(widest_snapshot.as_ref())?;
        let snapshot = list_corpus.snapshot(projection)?;
        let by_id = list_corpus.spec.by_identifier();
        let by_id = by_id.filter(|filter| self.failed(list, &filter.name).is_none());
        let deleted = list_corpus
            .widest_snapshot()
            .and_then(|snapshot| snapshot.record(id))
            .is_some_and(|record| list_corpus.spec.is_deleted(record));
        match by_id {
            Some(filter) if deleted || *projection != Projection::Trashed => {
                Some(snapshot.request.clone().with(&filter.name, id))
            }
            Some(filter) => Some(self.query(list, &[(&filter.name, id)])),
            None => snapshot.page(id).cloned(),
        }
    }

    /// What an exchange looks like in a report.
    pub(crate) fn evidence(&self, response: &ListResponse) -> Evidence {
        response.exchange().evidence(&self.target.config().base_url)
    }
}
