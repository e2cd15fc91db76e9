//! What a check has at hand: the contract, the target, the corpus, the answers to requests that were sent before, and the
//! account of what has failed.
//!
//! Invariant: nothing is called a violation that did not stay one when it was looked at again.

pub(crate) mod budget;
pub(crate) mod case;
pub mod check;
pub mod config;
mod confirm;
pub mod finding;
mod first_page;
pub mod fixture;
mod memo;
pub mod outcome;
pub mod profile;
pub(crate) mod region;
mod reproduction;
pub mod suspect;
pub(crate) mod topic;
pub mod waiver;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Display;
use std::sync::Arc;

use futures_util::stream::{self, StreamExt, TryStreamExt};
use rollcall_contract::{Contract, Pointer};
use rollcall_oracle::corpus::clause::Clause;
use rollcall_oracle::corpus::listing::{ListResponse, Pages, read};
use rollcall_oracle::corpus::predicate::ObservableFilter;
use rollcall_oracle::corpus::query::sorting;
use rollcall_oracle::corpus::snapshot::Snapshot;
use rollcall_oracle::corpus::{Corpus, ListCorpus, Projection};
use rollcall_oracle::http::exchange::{Evidence, Exchange};
use rollcall_oracle::http::request::Request;
use rollcall_oracle::http::target::{Target, TargetError};
use rollcall_oracle::open_points::blanks::Blanks;
use rollcall_oracle::plan::Coverage;
use rollcall_oracle::plan::sample::Choice;

use crate::engine::case::Case;
use crate::engine::check::{Catalogue, Check};
use crate::engine::config::RunConfig;
use crate::engine::finding::Finding;
use crate::engine::memo::Memo;
use crate::engine::outcome::{CaseResult, CheckResult, Observation, Revision};

/// What a check has at hand.
#[derive(Debug)]
pub struct Engine {
    /// What the API means.
    pub(crate) contract: Arc<Contract>,
    /// How the run is configured.
    pub(crate) config: RunConfig,
    /// The server under test.
    pub(crate) target: Target,
    /// What was read of it.
    pub(crate) corpus: Corpus,
    /// What was observed so far.
    pub(crate) observed: Vec<Observation>,
    /// How much of what can be asked was asked, list by list.
    pub(crate) coverage: Vec<Coverage>,
    /// The identifiers of the records that were written to.
    pub(crate) written: Vec<String>,
    /// Violations of checks that are done already, or that are not yet due.
    pub(crate) revisions: Vec<Revision>,
    /// Requests that the specification allows, and whose connection was closed without an answer.
    pub(crate) unanswered: Vec<Request>,
    /// How many planned queries were left out because the time was up.
    pub(crate) left_out: usize,
    /// What the target does with blanks around the value of a filter, as soon as that is known.
    pub(crate) blanks: Option<Blanks>,
    /// The numbers of the checks that have failed.
    pub(crate) failing: BTreeSet<&'static str>,
    answers: HashMap<Request, Arc<ListResponse>>,
    memo: Memo,
    /// What was glanced at.
    pub(crate) first_pages: HashMap<Request, Arc<Exchange>>,
    /// Every check there is.
    pub(crate) catalogue: Catalogue,
    /// The check at work.
    pub(crate) check: &'static Check,
    failed: BTreeMap<(usize, String), &'static str>,
}

/// How the account of what failed calls paging.
pub(crate) const PAGE: &str = "page";

/// How the account of what failed calls several filters in one request.
pub(crate) const TOGETHER: &str = "filters together";

/// So many cases, times the concurrency, are asked for before they are judged.
const WAVE: usize = 2;

/// What a long list needs, so that answers which are read in part can be compared.
const BY_ID: &str = "a list that can be sorted by the identifier, since it is long";

impl Engine {
    pub(crate) fn new(config: RunConfig, target: Target, corpus: Corpus, catalogue: Catalogue) -> Self {
        Self {
            contract: Arc::clone(&config.contract),
            config,
            target,
            corpus,
            observed: Vec::new(),
            coverage: Vec::new(),
            written: Vec::new(),
            revisions: Vec::new(),
            unanswered: Vec::new(),
            left_out: 0,
            blanks: None,
            failing: BTreeSet::new(),
            answers: HashMap::new(),
            memo: Memo::default(),
            first_pages: HashMap::new(),
            catalogue,
            check: catalogue.first(),
            failed: BTreeMap::new(),
        }
    }

    /// What a check worked out under a key and left for later ones.
    pub(crate) fn recall<T: Send + Sync + 'static>(&self, key: impl Display) -> Option<Arc<T>> {
        self.memo.get(&key.to_string())
    }

    /// Leaves for later checks what was worked out; one value of each type under a key.
    pub(crate) fn remember<T: Send + Sync + 'static>(&mut self, key: impl Display, value: &Arc<T>) {
        self.memo.set(key.to_string(), Arc::clone(value));
    }

    /// From now on violations are found by this check.
    pub(crate) fn begin(&mut self, check: &'static Check) {
        self.check = check;
    }

    /// A violation that this check has found, of the clause that the check is from.
    pub(crate) fn finding(
        &self,
        about: impl Into<String>,
        told: (impl Into<String>, impl Into<String>),
        evidence: Vec<Evidence>,
    ) -> Finding {
        Finding::new(about, Clause::of_check(self.check.clause), told, evidence)
    }

    /// Notes what the queries of a plan cover.
    pub(crate) fn cover(&mut self, list: String, coverage: &Coverage) {
        match self.coverage.iter_mut().find(|known| known.list == list) {
            Some(known) => *known = std::mem::take(known).and(coverage),
            None => self.coverage.push(Coverage {
                list,
                ..coverage.clone()
            }),
        }
    }

    /// Choices for one purpose.
    pub(crate) fn choice(&self, purpose: &str) -> Choice {
        Choice::new(self.config.seed, purpose)
    }

    /// One list of the corpus.
    pub(crate) fn list(&self, list: usize) -> &ListCorpus {
        &self.corpus.lists[list]
    }

    /// The lists that answer with records, as indices into the corpus.
    pub(crate) fn readable(&self) -> Vec<usize> {
        let lists = self.corpus.lists.iter().enumerate();
        let readable = lists.filter(|(_, list)| list.widest_snapshot().is_some());
        readable.map(|(index, _)| index).collect()
    }

    /// A list in a way it may not have been read yet.
    pub(crate) async fn snapshot(
        &mut self,
        list: usize,
        projection: &Projection,
    ) -> Result<Option<&Snapshot>, TargetError> {
        self.corpus.lists[list].projection(&self.target, projection).await
    }

    /// A request for a list with some parameters.
    pub(crate) fn query(&self, list: usize, parameters: &[(&str, &str)]) -> Request {
        let request = Request::get(&self.list(list).spec.operation.path);
        let parameters = parameters.iter();
        parameters.fold(request, |request, (name, value)| request.with(name, value))
    }

    /// The answer to a request for a list, all its pages; the first time it is sent, later remembered.
    pub(crate) async fn ask(
        &mut self,
        list: usize,
        request: &Request,
    ) -> Result<Arc<ListResponse>, TargetError> {
        let answers = self.ask_all(list, std::slice::from_ref(request)).await?;
        match answers.into_iter().next() {
            Some(answer) => Ok(answer),
            None => self.ask_again(list, request).await,
        }
    }

    /// The answers to several requests, as [`Engine::ask`]; what is not remembered is asked side by side.
    pub(crate) async fn ask_all(
        &mut self,
        list: usize,
        requests: &[Request],
    ) -> Result<Vec<Arc<ListResponse>>, TargetError> {
        self.prefetch(requests.iter().map(|request| (list, request.clone())).collect())
            .await?;
        Ok(self.remembered(requests).cloned().collect())
    }

    /// Remembers how a list was read in one way as the answer to its request.
    pub(crate) fn remember_reading(&mut self, list: usize, projection: &Projection) {
        let Some(snapshot) = self.corpus.lists[list].snapshot(projection) else {
            return;
        };
        let answer = || Arc::new(snapshot.response.clone());
        self.answers
            .entry(snapshot.request.clone())
            .or_insert_with(answer);
    }

    /// The answer to a request, if it is remembered.
    pub(crate) fn answered(&self, request: &Request) -> Option<&ListResponse> {
        self.answers.get(request).map(AsRef::as_ref)
    }

    /// The answers to some requests, as far as they are remembered.
    fn remembered<'a>(
        &'a self,
        requests: &'a [Request],
    ) -> impl Iterator<Item = &'a Arc<ListResponse>> + Clone {
        let (answers, requests) = (&self.answers, requests.iter());
        requests.filter_map(move |request| answers.get(request))
    }

    /// Asks side by side what was not asked before.
    pub(crate) async fn prefetch(&mut self, wanted: Vec<(usize, Request)>) -> Result<(), TargetError> {
        let is_open = |(_, request): &(usize, Request)| !self.answers.contains_key(request);
        let open: BTreeSet<(usize, Request)> = wanted.into_iter().filter(is_open).collect();
        let this = &*self;
        let asked: Vec<_> = stream::iter(open)
            .map(|(list, request)| async move {
                let answer = this.ask_again(list, &request).await?;
                Ok::<_, TargetError>((request, answer))
            })
            .buffer_unordered(self.config.concurrency.max(1))
            .try_collect()
            .await?;
        self.answers.extend(asked);
        Ok(())
    }

    /// The answer to a request for a list, whether or not it was sent before.
    pub(crate) async fn ask_again(
        &self,
        list: usize,
        request: &Request,
    ) -> Result<Arc<ListResponse>, TargetError> {
        let response = read(&self.target, request, &self.list(list).paging).await?;
        Ok(Arc::new(response))
    }

    /// Judges cases one after the other and counts them. Of those that take for granted what has failed already, only the
    /// reason is counted.
    pub(crate) async fn run_cases(
        &mut self,
        cases: Vec<Case>,
        result: &mut CheckResult,
    ) -> Result<(), TargetError> {
        // Wave by wave, so that what has failed is not asked for any further.
        let wave = self.config.concurrency.max(1) * WAVE;
        let mut cases = cases.into_iter().peekable();
        while cases.peek().is_some() {
            self.run_batch(cases.by_ref().take(wave).collect(), result)
                .await?;
        }
        Ok(())
    }

    async fn run_batch(&mut self, cases: Vec<Case>, result: &mut CheckResult) -> Result<(), TargetError> {
        let open = cases.iter().filter(|case| self.failed_for(case).is_none());
        let wanted = open.flat_map(|case| case.requests.iter().map(|request| (case.list, request.clone())));
        self.prefetch(wanted.collect()).await?;
        for case in cases {
            match self.failed_for(&case) {
                // What this very check has found is told already.
                Some((_, check)) if check == self.check.id => {}
                Some((parameter, check)) => result.blocked_by(parameter, check),
                None => {
                    let case_result = self.judge(&case).await?;
                    if let (CaseResult::Pass, Some(needs)) = (&case_result, self.unexercised(&case)) {
                        result.gap(needs);
                        continue;
                    }
                    if matches!(case_result, CaseResult::Fail(_)) {
                        for parameter in case.invalidates {
                            self.invalidate(case.list, &parameter, self.check.id);
                        }
                    }
                    result.add(case_result);
                }
            }
        }
        Ok(())
    }

    /// What a case needs that its answers do not have.
    fn unexercised(&self, case: &Case) -> Option<String> {
        let mut readings = self.remembered(&case.requests).map(|answer| answer.reading());
        let order = &self.list(case.list).paging.order;
        let is_sorted = |request: &Request| order.as_ref().is_some_and(|name| request.has(name));
        let is_compared = case.requests.len() > 1 && !case.requests.iter().any(is_sorted);
        if is_compared && readings.clone().flatten().any(Pages::is_sample) {
            return Some(BY_ID.to_owned());
        }
        let needs = case.needs.as_ref()?;
        let is_empty = |reading: Option<&Pages>| reading.is_none_or(|reading| reading.records.is_empty());
        readings.any(is_empty).then(|| needs.clone())
    }

    /// From now on a parameter of a list, which has failed a check, is not taken for granted.
    pub(crate) fn invalidate(&mut self, list: usize, parameter: &str, check: &'static str) {
        self.failed.entry((list, parameter.to_owned())).or_insert(check);
    }

    /// From now on what the records of a list show of a member is not taken for granted: by no filter and no order, and
    /// in no comparison.
    pub(crate) fn distrust(&mut self, list: usize, member: &str, check: &'static str) {
        let is_it = |place: &Pointer| place.to_string() == member;
        let spec = &self.list(list).spec;
        let filters = spec.filters.iter().filter(|judged| {
            let conditions = judged.filter.all.iter().map(|condition| &condition.field);
            judged.filter.fields.iter().chain(conditions).any(is_it)
        });
        let filters = filters.map(|judged| judged.name.clone());
        let orders = spec.list.sort.iter().filter(|(_, at)| is_it(at));
        let resting: Vec<String> = filters.chain(orders.map(|(field, _)| sorting(field))).collect();
        for parameter in resting.iter().map(String::as_str).chain([member]) {
            self.invalidate(list, parameter, check);
        }
    }

    /// The members that are not taken for granted, each with its list and the check that has failed.
    pub(crate) fn distrusted(&self) -> BTreeMap<(usize, String), &'static str> {
        let members = self.failed.iter().filter(|((_, name), _)| name.starts_with('/'));
        members.map(|(key, check)| (key.clone(), *check)).collect()
    }

    /// The check that a parameter of a list has failed.
    pub(crate) fn failed(&self, list: usize, parameter: &str) -> Option<&'static str> {
        self.failed.get(&(list, parameter.to_owned())).copied()
    }

    /// What a case takes for granted and has failed: a parameter, or paging if one of its answers has several pages.
    pub(crate) fn failed_for(&self, case: &Case) -> Option<(String, &'static str)> {
        let failed = |parameter: &str| Some((parameter.to_owned(), self.failed(case.list, parameter)?));
        let mut parameters = case.depends_on.iter().chain(&case.invalidates);
        let parameter = parameters.find_map(|parameter| failed(parameter));
        parameter.or_else(|| failed(PAGE).filter(|_| self.remembered(&case.requests).any(has_pages)))
    }

    /// The values that live records show of a filter's first member, each with its number of records.
    pub(crate) fn values(&self, filter: &ObservableFilter) -> BTreeMap<String, usize> {
        let Some((snapshot, place)) = self.seen(filter).zip(filter.places.first()) else {
            return BTreeMap::new();
        };
        let index = snapshot.by(place);
        let counts = index
            .groups()
            .map(|(value, group)| (value.to_owned(), group.live.len()));
        counts.filter(|(_, live)| *live > 0).collect()
    }

    /// The view in which a filter's members are seen.
    pub(crate) fn seen(&self, filter: &ObservableFilter) -> Option<&Snapshot> {
        filter.snapshot(self.list(filter.list))
    }
}

/// Whether an answer was read page by page.
fn has_pages(answer: &Arc<ListResponse>) -> bool {
    answer.reading().is_some_and(|reading| reading.asked > 1)
}
