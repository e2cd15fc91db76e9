//! Sends the queries of a plan, judges the answers, and shrinks each query whose answer is wrong to the smallest one that
//! shows it still.

use std::sync::Arc;

use rollcall_contract::ValueKind;
use rollcall_oracle::corpus::ListCorpus;
use rollcall_oracle::corpus::listing::ListResponse;
use rollcall_oracle::corpus::predicate::ObservableFilter;
use rollcall_oracle::corpus::query::Query;
use rollcall_oracle::http::preceding::Preceding;
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::judge::{Aspect, Facts, is_suspicious, judge};
use rollcall_oracle::plan::{Plan, most_telling_first, plan, plan_values};

use super::asked::Asked;
use super::disturbance::disturbed;
use super::domain::{self, Known};
use super::minimal::{Minimal, minimised};
use super::shared_faults::{name_common_signs, name_fault_of_all_filters, name_fault_of_filtered_pages};
use super::shrink::rests_on_failed_pages;
use super::suspicion::{differs_from_whole, settled};
use super::{Explored, rounds};
use crate::discovery::references::question;
use crate::engine::Engine;
use crate::engine::check::Check;
use crate::engine::outcome::Revision;
use crate::engine::region::{Owes, Stage};

/// So many queries for pairs of parameters are planned for a list.
const PAIRS: usize = 90;
/// So many answers at most are read to their end because one page looks wrong.
const SUSPICIOUS: usize = 12;
/// So many queries are sent before their answers are judged, at first and at most.
const WAVE: usize = 40;
const LONGEST_WAVE: usize = 320;

impl Stage {
    /// So many violations of a list are shrunk: a target with more is mended step by step.
    fn most(self) -> usize {
        match self {
            Self::Values => 40,
            Self::Combinations => 6,
        }
    }

    /// The share of the time that is left which the queries of a list may take.
    fn share(self) -> f64 {
        match self {
            Self::Values => 0.2,
            Self::Combinations => 0.25,
        }
    }

    /// So many percent of the requests that are left the queries of a list may take once a violation was found: the other checks
    /// need some, too.
    fn percent_of_requests(self) -> usize {
        match self {
            Self::Values => 75,
            Self::Combinations => 60,
        }
    }

    /// The values of a query, each asked for alone: one that is known to fail hides what the others do.
    fn parts(self, query: &Query) -> Vec<Query> {
        if self == Self::Combinations || query.filters.len() < 2 {
            return Vec::new();
        }
        let filters = query.filters.iter();
        filters.map(|(filter, value)| Query::by(filter, value)).collect()
    }

    fn plan(self, engine: &Engine, known: &Known) -> Plan {
        match self {
            Self::Values => plan_values(&known.domain, &mut engine.choice("values")),
            Self::Combinations => {
                let most = if engine.config.thorough { usize::MAX } else { PAIRS };
                let mut first = plan(&known.domain, &mut engine.choice("plan"), most);
                for round in 1..rounds(engine) {
                    let further = plan(&known.domain, &mut engine.choice(&format!("plan {round}")), PAIRS);
                    first.coverage.queries += further.queries.len();
                    first.queries.extend(further.queries);
                }
                first
            }
        }
    }
}

/// Asks a list all that a stage plans for it.
pub(super) async fn explore(
    engine: &mut Engine,
    list: usize,
    stage: Stage,
    explored: &mut Explored,
) -> Result<(), TargetError> {
    let mut known = domain::known(engine, list, stage).await?;
    let plan = stage.plan(engine, &known);
    let name = engine.list(list).spec.name().to_owned();
    engine.cover(name, &plan.coverage);
    if stage == Stage::Values {
        explored.expect(engine.list(list), &known);
    }
    let mut queries = as_read(engine, list, &known);
    let planned = match engine.has_budget() {
        true => most_telling_first(plan.queries),
        false => plan.queries,
    };
    queries.extend(disturbed(engine, list, planned));
    let mut found: Vec<Minimal> = Vec::new();
    let ended = send(engine, list, (stage, &mut known, queries), &mut found, explored).await;
    // A target with many violations may use up all requests: what was found until then is told.
    tell(engine, list, (stage, &known), found, explored);
    ended
}

/// Sends queries, and adds the violations that their answers show.
async fn send(
    engine: &mut Engine,
    list: usize,
    (stage, known, mut queries): (Stage, &mut Known, Vec<Query>),
    found: &mut Vec<Minimal>,
    explored: &mut Explored,
) -> Result<(), TargetError> {
    let deadline = engine.deadline(stage.share());
    let most_requests = engine.requests_until(stage.percent_of_requests());
    let mut suspicious = SUSPICIOUS;
    while !queries.is_empty() {
        let mut unproven = Vec::new();
        let mut rest = &queries[..];
        let mut size = WAVE;
        while !rest.is_empty() {
            let is_spent = !found.is_empty() && engine.target.sent() >= most_requests;
            if is_spent || deadline.is_over() {
                engine.left_out += rest.len();
                break;
            }
            let (wave, later) = rest.split_at(rest.len().min(size));
            rest = later;
            // As long as nothing is wrong, more is asked before it is looked at: a slow target has more to do at once.
            if found.is_empty() && unproven.is_empty() {
                size = (size * 2).min(LONGEST_WAVE);
            }
            prefetch(engine, list, wave).await?;
            let doubtful: Vec<Query> = doubtful(engine, list, &known.facts, wave, suspicious);
            prefetch(engine, list, &doubtful).await?;
            for query in wave {
                let answer = engine.ask(list, &query.request(engine.list(list))).await?;
                if rests_on_failed_pages(engine, list, &answer) {
                    continue;
                }
                if answer.reading().is_none() {
                    accept(engine, list, &mut known.facts, query).await?;
                }
                let violations = judge(&known.facts, engine.list(list), query, &answer);
                let is_right = violations.is_empty();
                explored.count((engine, list), known, (query, &answer, is_right), stage);
                let mut aspects: Vec<Aspect> = violations.iter().map(|violation| violation.aspect).collect();
                if suspicious > 0 && is_suspicious(&known.facts, engine.list(list), query, &answer) {
                    suspicious -= 1;
                    unproven.push(query.whole());
                    if differs_from_whole(engine, list, &known.facts, query).await? {
                        aspects.push(Aspect::Page);
                    }
                }
                note_relations(&mut known.facts, engine.list(list), (query, &aspects), &answer);
                for aspect in aspects {
                    let list_corpus = engine.list(list);
                    let mut earlier = explored
                        .found
                        .iter()
                        .filter(|one| one.list == list)
                        .chain(&*found);
                    let is_by_all_filters = !query.filters.is_empty()
                        && aspect.is_like(Aspect::Alien)
                        && explored.failing_by_all_filters.contains(&list);
                    if is_by_all_filters || earlier.any(|known| known.explains(list_corpus, query, aspect)) {
                        unproven.extend(stage.parts(query));
                    } else if found.len() < stage.most()
                        && (found.is_empty() || engine.target.sent() < most_requests)
                        && let Some((known, query)) = settled(engine, list, known, (query, aspect)).await?
                    {
                        let query = (&query, aspect);
                        found.extend(minimised(engine, list, &known, query, &mut explored.unsteady).await?);
                    }
                    // The answer may be wrong in other members too.
                    let moving = std::mem::take(&mut explored.unsteady.moving);
                    if !moving.is_subset(&known.facts.moving) {
                        Arc::make_mut(&mut known.facts).moving.extend(moving);
                        unproven.push(query.clone());
                    }
                }
            }
        }
        queries = unproven;
    }
    Ok(())
}

/// Tells the violations that were found, those of one cause together.
fn tell(
    engine: &mut Engine,
    list: usize,
    (stage, known): (Stage, &Known),
    found: Vec<Minimal>,
    explored: &mut Explored,
) {
    // A query that could not be shrunk further may be explained by one that came later.
    let list_corpus = engine.list(list);
    let is_explained = |one: &&Minimal| {
        let mut others = found.iter();
        others.any(|other| other.size() < one.size() && other.explains(list_corpus, &one.query, one.aspect))
    };
    let told = found.iter().filter(|one| !is_explained(one));
    let mut told: Vec<Minimal> = told.cloned().collect();
    let earlier: Vec<&Minimal> = explored.found.iter().filter(|one| one.list == list).collect();
    name_common_signs(&earlier, &mut told);
    if stage == Stage::Values && name_fault_of_all_filters(engine.list(list), known.expected.len(), &mut told)
    {
        explored.failing_by_all_filters.insert(list);
        told.retain(|one| one.query.filters.len() < 2 || !one.aspect.is_like(Aspect::Alien));
    }
    name_fault_of_filtered_pages(engine, list, &mut told);
    told.retain(|one| !engine.failing.contains(one.check.id));
    let revisions = told.into_iter().map(|one| Revision {
        check: one.check.id,
        finding: one.finding,
    });
    engine.revisions.extend(revisions);
    explored.found.extend(found);
}

/// The queries whose answers have to be read to their end, at most so many, because one page looks wrong.
fn doubtful(engine: &Engine, list: usize, facts: &Facts, wave: &[Query], most: usize) -> Vec<Query> {
    let list_corpus = engine.list(list);
    let answered = wave
        .iter()
        .filter_map(|query| Some((query, engine.answered(&query.request(list_corpus))?)));
    let doubtful = answered.filter(|(query, answer)| is_suspicious(facts, list_corpus, query, answer));
    doubtful.map(|(query, _)| query.whole()).take(most).collect()
}

/// The questions that the list was read by with all its relations, whose answers are remembered: they are judged as any other.
fn as_read(engine: &mut Engine, list: usize, known: &Known) -> Vec<Query> {
    let references = known.facts.references.iter().flatten();
    let read = references.chain(known.facts.of_deleted.values());
    // A list without records shows nothing.
    let read = read.filter(|_| known.domain.count > 0);
    let mut queries = Vec::new();
    for projection in read {
        engine.remember_reading(list, projection);
        queries.extend(question(engine, list, projection));
    }
    queries
}

/// Notes the relations of an answer about which nothing is wrong, if the list could not be read with all of them.
fn note_relations(
    facts: &mut Arc<Facts>,
    list: &ListCorpus,
    (query, aspects): (&Query, &[Aspect]),
    answer: &ListResponse,
) {
    let is_read = facts.references.iter().any(Option::is_some);
    let is_wrong = aspects.iter().any(|aspect| matches!(aspect, Aspect::Relation(_)));
    if let (false, false, Some(reading)) = (is_read, is_wrong, answer.reading()) {
        Arc::make_mut(facts).seen.note(list, query, reading);
    }
}

/// Asks for each value of a query that was refused alone, unless the specification demands that it is accepted: what is accepted
/// alone must not be refused beside other parameters.
async fn accept(
    engine: &mut Engine,
    list: usize,
    facts: &mut Arc<Facts>,
    query: &Query,
) -> Result<(), TargetError> {
    if query.filters.len() + query.sort.len() + query.include.len() < 2 {
        return Ok(());
    }
    let questionable: Vec<_> = facts.questionable(query).cloned().collect();
    for (filter, value) in questionable {
        let alone = Query {
            first_page: true,
            ..Query::by(&filter, &value)
        };
        let answer = engine.ask(list, &alone.request(engine.list(list))).await?;
        if answer.reading().is_some() {
            Arc::make_mut(facts).accepted.insert((filter.name, value));
        }
    }
    Ok(())
}

/// Sends the requests of several queries at once. One that is sent right after another request is left out, so that nothing
/// comes between.
async fn prefetch(engine: &mut Engine, list: usize, queries: &[Query]) -> Result<(), TargetError> {
    let follows = |query: &Query| query.after.as_ref().is_some_and(Preceding::is_request);
    let alone = queries.iter().filter(|query| !follows(query));
    let wanted = alone.map(|query| (list, query.request(engine.list(list))));
    engine.prefetch(wanted.collect()).await
}

impl Explored {
    /// Notes which filters of a list the checks of single values have to look at.
    fn expect(&mut self, list: &ListCorpus, known: &Known) {
        for (filter, checks) in &known.expected {
            for check in checks {
                let labels = labels(check, filter).map(|label| format!("{} {label}", list.spec.name()));
                self.filters.entry(check.id).or_default().there.extend(labels);
            }
        }
    }

    /// Counts a query for every check that it exercises.
    fn count(
        &mut self,
        (engine, list): (&Engine, usize),
        known: &Known,
        (query, answer, is_right): (&Query, &ListResponse, bool),
        stage: Stage,
    ) {
        let list = engine.list(list);
        let asked = Asked::of(list, (&known.domain, &known.facts), query, answer);
        for check in engine.catalogue.exercised_by(asked, stage) {
            *self.queries.entry(check.id).or_default() += usize::from(is_right);
        }
        for one in &query.filters {
            for check in engine.catalogue.exercised_by(asked.by(one), stage) {
                let label = format!("{} {}", list.spec.name(), label(check, one));
                self.filters.entry(check.id).or_default().asked.insert(label);
                *self.queries.entry(check.id).or_default() += usize::from(is_right);
            }
        }
    }
}

/// How a check calls what it has to look at of a filter: the filter, or each of its words.
fn labels<'f>(check: &Check, filter: &'f ObservableFilter) -> impl Iterator<Item = String> + use<'f> {
    let words: &[String] = match &filter.kind {
        ValueKind::Word(words) if check.region.owes == Owes::EveryWord => words,
        _ => &[],
    };
    let whole = words.is_empty().then(|| filter.name.clone());
    whole
        .into_iter()
        .chain(words.iter().map(|word| of_word(filter, word)))
}

/// The one of these that a value stands for.
fn label(check: &Check, (filter, value): &(ObservableFilter, String)) -> String {
    match filter.kind {
        ValueKind::Word(_) if check.region.owes == Owes::EveryWord => of_word(filter, value),
        _ => filter.name.clone(),
    }
}

fn of_word(filter: &ObservableFilter, word: &str) -> String {
    format!("{}={word}", filter.name)
}
