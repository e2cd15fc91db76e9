//! Looking again: an answer becomes a violation only if it stays wrong, with the records that it rests on read anew.

use std::collections::BTreeSet;
use std::sync::Arc;

use rollcall_contract::Pointer;
use rollcall_oracle::corpus::Projection;
use rollcall_oracle::corpus::listing::ListResponse;
use rollcall_oracle::corpus::moving::changed_places;
use rollcall_oracle::corpus::records::Record;
use rollcall_oracle::http::again::PAUSES;
use rollcall_oracle::http::exchange::Exchange;
use rollcall_oracle::http::request::Request;
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::judge::Violation;

use super::Engine;
use crate::engine::case::Case;
use crate::engine::finding::Finding;
use crate::engine::outcome::CaseResult;
use crate::engine::suspect::suspected;

/// So many of the records that a violation rests on are read again; the rest of them would tell nothing new.
const CONFIRMED_RECORDS: usize = 12;

/// The records that a violation rests on and that are read again.
fn confirmed(violation: &Violation) -> BTreeSet<String> {
    let record_ids = violation.record_ids.iter().flatten();
    record_ids.take(CONFIRMED_RECORDS).cloned().collect()
}

impl Engine {
    /// Judges a case. What looks wrong is looked at again, with the records it rests on read again in between; only what
    /// stays wrong every time is a violation.
    pub(crate) async fn judge(&mut self, case: &Case) -> Result<CaseResult, TargetError> {
        let mut answers = self.ask_all(case.list, &case.requests).await?;
        let Some(mut violation) = (case.judge)(&answers, self.list(case.list)) else {
            return Ok(CaseResult::Pass);
        };
        let mut requests = case.requests.clone();
        if let Some(narrower) = self.reduce_to_first_page(case, &answers, &violation) {
            violation = narrower;
            requests = requests.into_iter().map(Request::for_one_page).collect();
        }
        let mut is_moving = violation.compares.is_some();
        let mut moving = BTreeSet::new();
        for (round, pause) in PAUSES.into_iter().enumerate() {
            tokio::time::sleep(pause).await;
            let before = is_moving.then(|| self.records_as_read(case, &violation));
            self.refresh(case, &violation).await?;
            if let Some(before) = before {
                let mut changed = self.changed(&before, &self.records_as_read(case, &violation));
                changed.retain(|place| violation.compares.iter().all(|known| !known.contains(place)));
                // At first some time has passed since the records were read.
                is_moving = round == 0 || !changed.is_empty();
                moving.extend(changed);
            }
            // Behind a balancer each request of a round would go to the same node every time.
            for request in requests.iter().take(1).cycle().take(round) {
                self.target.send(request).await?;
            }
            answers.clear();
            for request in &requests {
                answers.push(self.ask_again(case.list, request).await?);
            }
            let again = (case.judge)(&answers, self.list(case.list));
            let Some(again) = again.and_then(|again| again.confirm(&violation)) else {
                return Ok(CaseResult::Flaky(format!(
                    "{} {}: {}, but not every time",
                    self.list(case.list).spec.name(),
                    case.about,
                    violation.actual
                )));
            };
            violation = again;
        }
        if is_moving {
            let what = format!(
                "{} {}: {}, but the records change with every request",
                self.list(case.list).spec.name(),
                case.about,
                violation.actual
            );
            return Ok(CaseResult::Moving(what, moving));
        }
        let evidence = self.evidence_of(case, &violation, &answers).await?;
        let about = format!("{} {}", self.list(case.list).spec.name(), case.about);
        let told = (violation.expected, violation.actual);
        let finding = self.finding(about.trim_end(), told, evidence);
        let clause = case.clause.clone().unwrap_or(finding.clause);
        let suspects = suspected(&self.list(case.list).spec, &case.requests, &violation.places);
        Ok(CaseResult::Fail(Box::new(Finding {
            clause,
            ignored: self.ignored(case.list, &requests, &answers),
            suspects,
            ..finding
        })))
    }

    /// The filters that have no effect, by the answers to some requests: each is asked for alone, and each time the answer is the
    /// list as it is without it.
    fn ignored(&self, list: usize, requests: &[Request], answers: &[Arc<ListResponse>]) -> BTreeSet<String> {
        let list = self.list(list);
        let whole = list.snapshot(&Projection::Default);
        let Some(whole) = whole.and_then(|snapshot| snapshot.response.reading()) else {
            return BTreeSet::new();
        };
        let filter = |request: &Request| match &request.query[..] {
            [(name, _)] => list.spec.filters.iter().find(|judged| judged.name == *name),
            _ => None,
        };
        let is_same = |answer: &ListResponse, request: &Request| {
            let reading = answer.reading();
            let first = whole.first_page();
            let without = first.as_ref().filter(|_| request.one_page).unwrap_or(whole);
            without.records.len() > 1 && reading.is_some_and(|reading| reading.ids() == without.ids())
        };
        let names = requests.iter().zip(answers).map(|(request, answer)| {
            let judged = filter(request).filter(|_| is_same(answer, request));
            judged.map(|judged| judged.name.clone())
        });
        names.collect::<Option<BTreeSet<String>>>().unwrap_or_default()
    }

    /// What is wrong on the first page of an answer alone, if that shows it: then it need not be read to its end again.
    ///
    /// Of several answers none is cut, for what one of them lacks may stand on a later page.
    fn reduce_to_first_page(
        &self,
        case: &Case,
        answers: &[Arc<ListResponse>],
        violation: &Violation,
    ) -> Option<Violation> {
        let [answer] = answers else { return None };
        let paging = &self.list(case.list).paging;
        if !paging.stable && paging.sort.is_none() {
            return None; // Next time others would stand there.
        }
        let cut = ListResponse::Records(answer.reading()?.first_page()?);
        let narrower = (case.judge)(&[Arc::new(cut)], self.list(case.list))?;
        narrower.confirm(violation)
    }

    /// Sends a request that was answered wrongly again: the last answer if every one is wrong, else none.
    pub(crate) async fn stays_wrong(
        &self,
        request: &Request,
        is_wrong: impl Fn(&Exchange) -> bool,
    ) -> Result<Option<Exchange>, TargetError> {
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

    /// The records that a violation rests on, as they were read last in each way that is read again.
    fn records_as_read(&self, case: &Case, violation: &Violation) -> Vec<Option<Arc<Record>>> {
        let list = self.list(case.list);
        let ids = confirmed(violation);
        let snapshots = self
            .read_again(case)
            .into_iter()
            .filter_map(|projection| list.snapshot(&projection));
        let records = snapshots.flat_map(|snapshot| ids.iter().map(|id| snapshot.shared(id)));
        records.collect()
    }

    /// The places at which records have changed between two readings.
    fn changed(&self, before: &[Option<Arc<Record>>], now: &[Option<Arc<Record>>]) -> BTreeSet<Pointer> {
        let pairs = before.iter().zip(now);
        let pairs = pairs.filter_map(|(before, now)| before.as_ref().zip(now.as_ref()));
        let identifier = &self.contract.identifier;
        pairs
            .flat_map(|(before, now)| changed_places(identifier, before, now))
            .collect()
    }

    /// The ways to read a list that a case rests on.
    fn read_again(&self, case: &Case) -> Vec<Projection> {
        let widest = self.list(case.list).widest_projection();
        case.projections.iter().cloned().chain(widest).collect()
    }

    /// Reads again what a violation rests on.
    async fn refresh(&mut self, case: &Case, violation: &Violation) -> Result<(), TargetError> {
        let ids = confirmed(violation);
        for projection in self.read_again(case) {
            let list = &mut self.corpus.lists[case.list];
            list.refresh(&self.target, &projection, &ids).await?;
        }
        Ok(())
    }
}
