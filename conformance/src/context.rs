//! What a check has at hand: the contract, the target, the corpus, the answers to requests that were sent before.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use rollcall_contract::Contract;

use crate::checks::Shape;
use crate::corpus::{Corpus, Look, Surveyed, View};
use crate::exchange::Evidence;
use crate::finding::Finding;
use crate::listing::{Listed, read};
use crate::oracle::Field;
use crate::outcome::Settled;
use crate::request::Request;
use crate::sample::Choice;
use crate::target::{Target, Trouble};

/// What a check has at hand.
#[derive(Debug)]
pub struct Context {
    /// What the API means.
    pub(crate) contract: Arc<Contract>,
    /// The server under test.
    pub(crate) target: Target,
    /// What was read of it.
    pub(crate) corpus: Corpus,
    /// What the shapes of records came to, list by list.
    pub(crate) shapes: HashMap<usize, Arc<Shape>>,
    seed: u64,
    answers: HashMap<String, Arc<Listed>>,
}

/// What looks wrong about the answers to some requests.
#[derive(Debug)]
pub(crate) struct Accusation {
    /// What should have come back.
    pub(crate) expected: String,
    /// What came back.
    pub(crate) actual: String,
    /// The records it rests on; none if it is about the answer as such.
    pub(crate) culprits: Option<BTreeSet<String>>,
}

/// What is wrong with some answers, given the view that shows the member in question.
pub(crate) type Judge<'j> = dyn Fn(&[Arc<Listed>], &View) -> Option<Accusation> + Sync + 'j;

/// How often an accusation is checked before it is made.
const RECHECKS: usize = 3;

impl Context {
    pub(crate) fn new(contract: Arc<Contract>, target: Target, corpus: Corpus, seed: u64) -> Self {
        Self {
            contract,
            target,
            corpus,
            seed,
            shapes: HashMap::new(),
            answers: HashMap::new(),
        }
    }

    /// Choices for one purpose.
    pub(crate) fn choice(&self, purpose: &str) -> Choice {
        Choice::new(self.seed, purpose)
    }

    /// One list of the corpus.
    pub(crate) fn list(&self, list: usize) -> &Surveyed {
        &self.corpus.lists[list]
    }

    /// What an exchange looks like in a report.
    pub(crate) fn evidence(&self, listed: &Listed) -> Evidence {
        listed.exchange().evidence(&self.target.config().base_url)
    }

    /// A list in a way it may not have been read yet.
    pub(crate) async fn view(&mut self, list: usize, look: &Look) -> Result<Option<&View>, Trouble> {
        self.corpus.lists[list].look(&self.target, look).await
    }

    /// A request for a list with some parameters.
    pub(crate) fn query(&self, list: usize, parameters: &[(&str, &str)]) -> Request {
        let request = Request::get(&self.list(list).subject.operation.path);
        parameters
            .iter()
            .fold(request, |request, (name, value)| request.with(name, value))
    }

    /// The answer to a request for a list, all its pages; the first time it is sent, later remembered.
    pub(crate) async fn ask(&mut self, list: usize, request: &Request) -> Result<Arc<Listed>, Trouble> {
        let key = format!("{}\n{:?}", request.line(), request.brackets);
        if let Some(known) = self.answers.get(&key) {
            return Ok(Arc::clone(known));
        }
        let answer = self.ask_again(list, request).await?;
        self.answers.insert(key, Arc::clone(&answer));
        Ok(answer)
    }

    /// The answer to a request for a list, whether or not it was sent before.
    pub(crate) async fn ask_again(&self, list: usize, request: &Request) -> Result<Arc<Listed>, Trouble> {
        Ok(Arc::new(
            read(&self.target, request, &self.list(list).paging).await?,
        ))
    }

    /// Judges the answers to some requests. What looks wrong is looked at again, with the records it rests on read again
    /// in between; only what stays wrong every time is a violation.
    ///
    /// `judge` sees the answers in the order of the requests, and the view that shows the member `field` looks at.
    pub(crate) async fn judge(
        &mut self,
        field: &Field,
        requests: &[Request],
        judge: &Judge<'_>,
    ) -> Result<Settled, Trouble> {
        let mut answers = Vec::new();
        for request in requests {
            answers.push(self.ask(field.list, request).await?);
        }
        self.judge_answers(field, requests, answers, judge).await
    }

    /// As [`Context::judge`], of answers that are there already.
    pub(crate) async fn judge_answers(
        &mut self,
        field: &Field,
        requests: &[Request],
        mut answers: Vec<Arc<Listed>>,
        judge: &Judge<'_>,
    ) -> Result<Settled, Trouble> {
        let list = field.list;
        let Some(mut accusation) = self.seen(field).and_then(|view| judge(&answers, view)) else {
            return Ok(Settled::Right);
        };
        for _ in 0..RECHECKS {
            let ids = accusation.culprits.clone().unwrap_or_default();
            self.corpus.lists[list]
                .refresh(&self.target, &field.look, &ids)
                .await?;
            answers.clear();
            for request in requests {
                answers.push(self.ask_again(list, request).await?);
            }
            let again = self.seen(field).and_then(|view| judge(&answers, view));
            let Some(again) = again.and_then(|again| again.still(&accusation)) else {
                return Ok(Settled::Moved(format!(
                    "{}: {}, but not every time",
                    field.name, accusation.actual
                )));
            };
            accusation = again;
        }
        let evidence = answers.iter().map(|answer| self.evidence(answer)).collect();
        let Accusation { expected, actual, .. } = accusation;
        let (about, clause) = (
            format!("{} {}", self.list(list).subject.name(), field.name),
            field.clause.clone(),
        );
        Ok(Settled::Wrong(Box::new(Finding {
            about,
            clause,
            expected,
            actual,
            evidence,
        })))
    }

    /// The view in which a field is seen.
    pub(crate) fn seen(&self, field: &Field) -> Option<&View> {
        self.list(field.list).view(&field.look)
    }
}

impl Accusation {
    /// About an answer as such.
    pub(crate) fn of_answer(expected: impl Into<String>, answer: &Listed) -> Self {
        Self {
            expected: expected.into(),
            actual: answer.describe(),
            culprits: None,
        }
    }

    /// About some records; none of them, no accusation.
    pub(crate) fn of_records(
        culprits: BTreeSet<String>,
        expected: impl Into<String>,
        actual: impl FnOnce(&str) -> String,
    ) -> Option<Self> {
        let first = culprits.first()?;
        let names = match culprits.len() {
            1 => first.clone(),
            count => format!("{first} and {} more", count - 1),
        };
        Some(Self {
            expected: expected.into(),
            actual: actual(&names),
            culprits: Some(culprits),
        })
    }

    /// The accusation, as far as it rests on records that the earlier one rests on too.
    fn still(mut self, earlier: &Self) -> Option<Self> {
        match (&mut self.culprits, &earlier.culprits) {
            (None, None) => Some(self),
            (Some(now), Some(then)) => {
                now.retain(|id| then.contains(id));
                (!now.is_empty()).then_some(self)
            }
            _ => None,
        }
    }
}
