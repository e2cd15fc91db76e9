//! The first look at a list: its records without and with soft-deleted ones, how it pages, and which order is stable.

use std::sync::Arc;

use rollcall_contract::Role;

use crate::corpus::id_order::IdOrder;
use crate::corpus::listing::{LONG, ListResponse, Pages, identity, single_page};
use crate::corpus::paging::SortById;
use crate::corpus::{ListCorpus, Projection};
use crate::http::again::TIMES;
use crate::http::request::Request;
use crate::http::target::{Target, TargetError};

impl ListCorpus {
    pub(super) async fn crawl(&mut self, target: &Target) -> Result<(), TargetError> {
        let request = Request::get(&self.spec.operation.path);
        let first = self
            .read_steadily(target, &request.clone().for_one_page(), &Projection::Default)
            .await?;
        // A list that the specification does not have need not be there: a server may answer anything under its path.
        let is_no_list = matches!(first, ListResponse::Malformed { .. });
        let is_missing = matches!(first.exchange().status, 404 | 405 | 501);
        self.offered = self.spec.specified || !is_no_list && !is_missing;
        if let ListResponse::Records(page) = &first {
            self.paging.at_least = page.records.len();
            self.paging.links = page.leads_on;
            self.settle_order(target, &request, page).await?;
            self.settle_numbering(target, request, page).await?;
        }
        self.projection(target, &Projection::Default).await?;
        if self.is_cut_off(target).await? {
            self.paging.cut_off = true;
            self.snapshots.clear();
            self.projection(target, &Projection::Default).await?;
        }
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

    /// Whether the pages of the list end with the first one, and the list has further records all the same: another order shows
    /// them first.
    async fn is_cut_off(&self, target: &Target) -> Result<bool, TargetError> {
        let snapshot = self.snapshot(&Projection::Default);
        let reading = snapshot.and_then(|snapshot| snapshot.response.reading());
        let Some(reading) = reading.filter(|reading| reading.pages.len() == 1 && reading.asked > 1) else {
            return Ok(false);
        };
        let Some((parameter, field)) = self.spec.parameter(Role::Sort).zip(self.spec.sort_by_id()) else {
            return Ok(false);
        };
        let known = reading.ids();
        let turned = Request::get(&self.spec.operation.path).with(parameter, &format!("-{field}"));
        let shown = self.order(target, &turned).await?;
        Ok(shown.is_some_and(|shown| shown.iter().any(|id| !known.contains(id.as_str()))))
    }

    /// Finds out whether the order is stable without `sort`, or with it.
    async fn settle_order(
        &mut self,
        target: &Target,
        request: &Request,
        page: &Pages,
    ) -> Result<(), TargetError> {
        self.paging.stable = self.repeats(target, request, page).await?;
        let Some(parameter) = self.spec.parameter(Role::Sort).map(str::to_owned) else {
            return Ok(());
        };
        // The identifier gives an order without ties. Where it cannot be sorted by, another field may.
        let by_id = self.spec.sort_by_id();
        let others = self.spec.list.sort.iter().map(|(name, _)| name.as_str());
        let fields = by_id
            .into_iter()
            .chain(others.filter(|name| Some(*name) != by_id));
        for field in fields.map(str::to_owned).collect::<Vec<_>>() {
            if self.paging.stable {
                break;
            }
            let sorted = request.clone().with(&parameter, &field);
            let first = single_page(target.send(&sorted).await?, target, &self.paging);
            if let ListResponse::Records(page) = &first
                && self.repeats(target, &sorted, page).await?
            {
                self.paging.stable = true;
                self.paging.sort = Some((parameter.clone(), field));
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

    /// Finds out whether pages are numbered from 1 or from 0 (L2): the first page is the answer without a page number. A list whose
    /// order changes with every request does not show it. Its pages are not requested by number.
    async fn settle_numbering(
        &mut self,
        target: &Target,
        request: Request,
        first_page: &Pages,
    ) -> Result<(), TargetError> {
        let Some(page) = self.paging.page.clone() else {
            return Ok(());
        };
        if !self.paging.stable {
            let known = first_page.ids();
            for number in ["1", "2"] {
                let shown = self.order(target, &request.clone().with(&page, number)).await?;
                if shown.is_some_and(|shown| shown.iter().any(|id| !known.contains(id.as_str()))) {
                    self.paging.page = None;
                    self.paging.cut_off = !self.paging.links;
                }
            }
            return Ok(());
        }
        let first = match &self.paging.sort {
            Some((parameter, field)) => request.with(parameter, field),
            None => request,
        };
        // Data may move between two requests.
        for _ in 0..TIMES {
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
        let times = if page.records.len() < 8 { TIMES } else { 1 };
        let order: Vec<_> = page.records.iter().map(|record| identity(record)).collect();
        for _ in 0..times {
            if self.order(target, request).await?.as_ref() != Some(&order) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
