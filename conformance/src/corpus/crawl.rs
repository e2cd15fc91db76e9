//! The first look at a list: its records without and with soft-deleted ones, how it pages, and which order is stable.

use std::sync::Arc;

use rollcall_contract::Role;

use crate::corpus::listing::{IdOrder, LONG, ListResponse, Pages, SortById, identity, single_page};
use crate::corpus::{ListCorpus, Projection};
use crate::http::request::Request;
use crate::http::retry_after::PAUSES;
use crate::http::target::{Target, TargetError};

impl ListCorpus {
    pub(super) async fn crawl(&mut self, target: &Target) -> Result<(), TargetError> {
        let request = Request::get(&self.spec.operation.path);
        let first = self
            .read_steadily(target, &request.clone().for_one_page(), &Projection::Default)
            .await?;
        self.offered = self.spec.specified || !matches!(first.exchange().status, 404 | 405 | 501);
        if let ListResponse::Records(page) = &first {
            self.paging.at_least = page.records.len();
            self.paging.links = page.leads_on;
            self.settle_order(target, &request, page).await?;
            self.settle_numbering(target, request).await?;
        }
        self.projection(target, &Projection::Default).await?;
        if self.offered && first.reading().is_some() {
            self.projection(target, &Projection::Trashed).await?;
        }
        let whole = self.widest_snapshot().filter(|_| self.is_read_whole());
        let ids = whole.map(|whole| whole.records().map(|(id, _)| id.to_owned()));
        self.paging.all = ids.map(|ids| Arc::new(ids.collect()));
        let mut readings = self
            .snapshots
            .values()
            .filter_map(|snapshot| snapshot.response.reading());
        self.paging.is_long = readings.any(|reading| reading.asked > LONG);
        if self.paging.is_long {
            self.settle_order_by_id(target).await?;
        }
        Ok(())
    }

    /// Finds out whether the order is stable without `sort`, or with it.
    async fn settle_order(
        &mut self,
        target: &Target,
        request: &Request,
        page: &Pages,
    ) -> Result<(), TargetError> {
        self.paging.stable = self.repeats(target, request, page).await?;
        if let (false, Some(parameter), Some(field)) = (
            self.paging.stable,
            self.spec.parameter(Role::Sort),
            self.spec.sort_by_id(),
        ) {
            let sort = (parameter.to_owned(), field.to_owned());
            let sorted = request.clone().with(&sort.0, &sort.1);
            let first = single_page(target.send(&sorted).await?, target, &self.paging);
            if let ListResponse::Records(page) = &first
                && self.repeats(target, &sorted, page).await?
            {
                self.paging.stable = true;
                self.paging.sort = Some(sort);
            }
        }
        Ok(())
    }

    /// Finds out how a long list is sorted by the identifier, from its first page in both directions.
    async fn settle_order_by_id(&mut self, target: &Target) -> Result<(), TargetError> {
        let sort = self.spec.parameter(Role::Sort).zip(self.spec.sort_by_id());
        let Some((parameter, field)) = sort else {
            return Ok(());
        };
        let bare = Request::get(&self.spec.operation.path);
        let mut pages = Vec::new();
        for key in [field.to_owned(), format!("-{field}")] {
            let exchange = target.send(&bare.clone().with(parameter, &key)).await?;
            pages.push(single_page(exchange, target, &self.paging));
        }
        let ids: Option<Vec<_>> = pages.iter().map(|page| page.reading()?.ids_in_order()).collect();
        let known: Vec<&str> = self.live().map(|(id, _)| id).collect();
        let order = ids.and_then(|ids| IdOrder::of(&ids[0], &ids[1], &known));
        self.paging.by_id = order.map(|order| SortById {
            parameter: parameter.to_owned(),
            field: field.to_owned(),
            order,
        });
        Ok(())
    }

    /// Finds out which number the first page has: the one that shows what comes without a number (L2).
    async fn settle_numbering(&mut self, target: &Target, request: Request) -> Result<(), TargetError> {
        let (Some(page), true) = (self.paging.page.clone(), self.paging.stable) else {
            return Ok(());
        };
        let first = match &self.paging.sort {
            Some((parameter, field)) => request.with(parameter, field),
            None => request,
        };
        // Data may move between two requests.
        for _ in PAUSES {
            let shown = self.order(target, &first).await?;
            for number in ["1", "0"] {
                if self.order(target, &first.clone().with(&page, number)).await? == shown {
                    self.paging.from_zero = number == "0";
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The identities on the page that a request shows; none if it shows no list.
    async fn order(&self, target: &Target, request: &Request) -> Result<Option<Vec<String>>, TargetError> {
        let page = single_page(target.send(request).await?, target, &self.paging);
        let records = page.reading().map(|page| page.records.iter());
        Ok(records.map(|records| records.map(|record| identity(record)).collect()))
    }

    /// Whether a request repeats the order of `page`; a short page is asked for more often.
    async fn repeats(&self, target: &Target, request: &Request, page: &Pages) -> Result<bool, TargetError> {
        let times = if page.records.len() < 8 { 5 } else { 1 };
        let order: Vec<_> = page.records.iter().map(|record| identity(record)).collect();
        for _ in 0..times {
            if self.order(target, request).await?.as_ref() != Some(&order) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
