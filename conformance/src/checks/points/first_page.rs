//! What a request comes to, in a word or two that are the same whatever the data.

use std::collections::BTreeSet;
use std::sync::Arc;

use rollcall_contract::{Match, ValueKind};
use rollcall_oracle::corpus::Projection;
use rollcall_oracle::corpus::listing::{Pages, identity, single_page};
use rollcall_oracle::corpus::predicate::ObservableFilter;
use rollcall_oracle::corpus::records::Record;
use rollcall_oracle::http::exchange::Exchange;
use rollcall_oracle::http::request::Request;
use rollcall_oracle::http::target::TargetError;
use rollcall_oracle::plan::sample::is_usable;

use crate::cases::filters;
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;

/// What came of a request: the status if it is no success, else the records of the first page.
#[derive(Clone, Debug)]
pub(super) struct FirstPage {
    exchange: Arc<Exchange>,
    /// The records; none if the answer is no list of them.
    pub(super) records: Option<Vec<Arc<Record>>>,
}

impl FirstPage {
    /// Asks a list with some parameters.
    pub(super) async fn of(
        engine: &mut Engine,
        list: usize,
        parameters: &[(&str, &str)],
    ) -> Result<Self, TargetError> {
        let request = engine.query(list, parameters);
        Self::to(engine, list, &request).await
    }

    /// Sends a request to a list.
    pub(super) async fn to(engine: &mut Engine, list: usize, request: &Request) -> Result<Self, TargetError> {
        let exchange = engine.fetch_first_page(request).await?;
        let page = single_page((*exchange).clone(), &engine.target, &engine.list(list).paging);
        Ok(Self {
            records: page.reading().map(|reading| reading.records.clone()),
            exchange,
        })
    }

    /// The word for the answer to some parameters, as [`FirstPage::word`].
    pub(super) async fn word_of(
        engine: &mut Engine,
        list: usize,
        parameters: &[(&str, &str)],
        same: &[(&str, &Self)],
    ) -> Result<String, TargetError> {
        Ok(Self::of(engine, list, parameters).await?.word(same))
    }

    /// The first of some pages that were read before.
    pub(super) fn among(pages: &Pages) -> Self {
        Self {
            exchange: Arc::new(pages.pages[0].clone()),
            records: Some(pages.page(0).records),
        }
    }

    /// The identifiers of the records.
    pub(super) fn ids(&self) -> BTreeSet<String> {
        let records = self.records.iter().flatten();
        records.map(|record| identity(record)).collect()
    }

    /// The first record.
    pub(super) fn first(&self) -> Option<&Record> {
        self.records.as_ref()?.first().map(AsRef::as_ref)
    }

    /// The word for the answer: its status, that it has no records, or the first of some words whose answer is the same.
    pub(super) fn word(&self, same: &[(&str, &Self)]) -> String {
        self.word_or("[]", same)
    }

    /// The same, with another word for no records.
    pub(super) fn word_or(&self, none: &str, same: &[(&str, &Self)]) -> String {
        if self.records.is_none() {
            return self.exchange.status.to_string();
        }
        let ids = self.ids();
        if ids.is_empty() {
            return none.to_owned();
        }
        let known = same.iter().find(|(_, other)| other.ids() == ids);
        known.map_or("other records", |(word, _)| *word).to_owned()
    }

    /// The word for an answer of which only matters whether there is one.
    pub(super) fn granted(&self) -> String {
        granted(&self.exchange)
    }
}

/// The word for an answer of which only matters whether it is a success.
pub(super) fn granted(exchange: &Exchange) -> String {
    match exchange.is_success() {
        true => "accepted".to_owned(),
        false => exchange.status.to_string(),
    }
}

/// An exact or partial filter by a text, with two values that live records have, few of them; the values have letters.
pub(super) async fn texts(
    engine: &mut Engine,
    matching: Match,
    is_good: impl Fn(&str) -> bool,
) -> Result<Option<(ObservableFilter, String, String)>, TargetError> {
    for filter in filters(engine, matching, &mut CheckResult::default()).await? {
        // Identifiers have letters of one case.
        let refers = filter.projection != Projection::Default
            || filter.is_identifier()
            || filter.is_join(engine.list(filter.list));
        if refers || !matches!(filter.kind, ValueKind::Text { .. }) {
            continue;
        }
        let mut values: Vec<_> = engine.values(&filter).into_iter().collect();
        values.sort_by_key(|(_, count)| *count);
        let usable = |value: &String| is_usable(value) && value.to_uppercase() != *value && value.len() > 3;
        let mut values = values.into_iter().map(|(value, _)| value).filter(usable);
        if let Some(first) = values.by_ref().find(|value| is_good(value))
            && let Some(second) =
                values.find(|value| !value.contains(&first) && !first.contains(value.as_str()))
        {
            return Ok(Some((filter, first, second)));
        }
    }
    Ok(None)
}
