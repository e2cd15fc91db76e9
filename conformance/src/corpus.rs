//! What can be learned from the target by reading: every list that is judged, as it is without parameters, with
//! soft-deleted records, and with the relations in which members are seen that records do not show.
//!
//! What such a way shows is a [`View`].

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rollcall_contract::{Contract, Role};

use crate::listing::{IdOrder, LONG, Listed, Paging, Reading, SortById, identity, read, single_page};
use crate::next_page::Cursor;
use crate::patience::PAUSES;
use crate::records::Record;
use crate::request::Request;
use crate::subject::Subject;
use crate::target::{Target, Trouble};
use crate::view::View;

/// A way to read a list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Look {
    /// Without parameters.
    Default,
    /// With soft-deleted records, if the list has them.
    Trashed,
    /// With a relation included, or with several.
    Including(String),
    /// With relations included, of soft-deleted records as well.
    IncludingOfDeleted(String),
}

impl Look {
    /// What a target lacks if the list cannot be read in this way.
    pub(crate) fn needs(&self) -> String {
        match self {
            Self::Default => "a list that answers with records".to_owned(),
            Self::Trashed => "a list that shows soft-deleted records".to_owned(),
            Self::Including(relation) | Self::IncludingOfDeleted(relation) => {
                format!("a list that includes {relation}")
            }
        }
    }
}

/// One list and what was read of it.
#[derive(Debug)]
pub struct Surveyed {
    /// The list.
    pub subject: Subject,
    /// How it pages.
    pub paging: Paging,
    /// Whether the target has the list at all.
    pub offered: bool,
    /// Requests for the list that were answered with something else once, and with a list when they were sent again.
    pub unsteady: Vec<String>,
    views: HashMap<Look, View>,
}

/// All lists.
#[derive(Debug)]
pub struct Corpus {
    /// The lists in the order of the contract.
    pub lists: Vec<Surveyed>,
}

impl Surveyed {
    /// What one way to read the list shows, if it was read.
    pub fn view(&self, look: &Look) -> Option<&View> {
        self.views.get(look)
    }

    /// The records with soft-deleted ones where the target shows them, else without.
    pub fn fullest(&self) -> Option<&View> {
        self.view(&self.fullest_look()?)
    }

    /// The way to read the list that shows the most; none if it cannot be read.
    pub(crate) fn fullest_look(&self) -> Option<Look> {
        [Look::Trashed, Look::Default].into_iter().find(|look| {
            let view = self.view(look);
            view.is_some_and(|view| view.listed.reading().is_some())
        })
    }

    /// Whether every record of the list was read.
    pub(crate) fn is_read_whole(&self) -> bool {
        let reading = self.fullest().and_then(|view| view.listed.reading());
        reading.is_some_and(|reading| reading.complete)
    }

    /// The records that are not soft-deleted.
    pub(crate) fn live(&self) -> impl Iterator<Item = (&str, &Record)> {
        self.fullest().into_iter().flat_map(View::live)
    }

    /// The request that a way to read the list begins with; none if the contract does not have it.
    fn request(&self, look: &Look) -> Option<Request> {
        let request = Request::get(&self.subject.operation.path);
        match look {
            Look::Default => Some(request),
            Look::Trashed => {
                let (name, word) = self.subject.with_trashed()?;
                Some(request.with(name, word))
            }
            Look::Including(relation) => Some(request.with(self.subject.parameter(Role::Include)?, relation)),
            Look::IncludingOfDeleted(relation) => {
                let (name, word) = self.subject.with_trashed()?;
                let scoped = request.with(name, word);
                Some(scoped.with(self.subject.parameter(Role::Include)?, relation))
            }
        }
    }

    /// Reads the list in one way, unless it was read so before.
    ///
    /// # Errors
    /// A page has no answer that could be judged.
    pub async fn look(&mut self, target: &Target, look: &Look) -> Result<Option<&View>, Trouble> {
        if !self.views.contains_key(look) {
            let Some(request) = self.request(look) else {
                return Ok(None);
            };
            let listed = self.read_steadily(target, &request, look).await?;
            self.views
                .insert(look.clone(), View::new(&self.subject, request, listed));
        }
        Ok(self.views.get(look))
    }

    /// Reads a list. An answer that is no list is asked for again, so that a failure in passing is not taken for what the
    /// target answers; a relation that is refused is not (a target need not offer it).
    async fn read_steadily(
        &mut self,
        target: &Target,
        request: &Request,
        look: &Look,
    ) -> Result<Listed, Trouble> {
        let paging = match look {
            Look::Default | Look::Trashed => &self.paging.whole(),
            Look::Including(_) | Look::IncludingOfDeleted(_) => &self.paging,
        };
        let mut listed = read(target, request, paging).await?;
        let first = listed.describe();
        for pause in PAUSES {
            let is_final = match &listed {
                Listed::Records(_) => true,
                Listed::Refused(exchange) => {
                    exchange.is_refusal()
                        && (!self.subject.specified
                            || matches!(look, Look::Including(_) | Look::IncludingOfDeleted(_)))
                }
                Listed::Malformed { .. } => false,
            };
            if is_final {
                break;
            }
            tokio::time::sleep(pause).await;
            listed = read(target, request, paging).await?;
            if listed.reading().is_some() {
                self.unsteady
                    .push(format!("{} answered {first} once", request.line()));
            }
        }
        Ok(listed)
    }

    /// Reads some records of a view again.
    ///
    /// # Errors
    /// A page has no answer that could be judged.
    pub async fn refresh(
        &mut self,
        target: &Target,
        look: &Look,
        ids: &BTreeSet<String>,
    ) -> Result<(), Trouble> {
        match self.views.get_mut(look) {
            Some(view) if !ids.is_empty() => view.refresh(&self.subject, target, &self.paging, ids).await,
            _ => Ok(()),
        }
    }

    /// Reads a view again: of a long list its first pages, and what they do not show stays as it was.
    ///
    /// # Errors
    /// A page has no answer that could be judged.
    pub async fn renew(&mut self, target: &Target, look: &Look) -> Result<(), Trouble> {
        if !self.paging.is_long {
            return self.reread(target, look).await;
        }
        if let Some(view) = self.views.get_mut(look) {
            let listed = read(target, &view.request, &self.paging).await?;
            view.renew(&self.subject, &listed);
        }
        Ok(())
    }

    /// Reads the whole of a view again.
    ///
    /// # Errors
    /// A page has no answer that could be judged.
    pub async fn reread(&mut self, target: &Target, look: &Look) -> Result<(), Trouble> {
        self.views.remove(look);
        self.look(target, look).await.map(|_| ())
    }

    async fn survey(&mut self, target: &Target) -> Result<(), Trouble> {
        let request = Request::get(&self.subject.operation.path);
        let first = self
            .read_steadily(target, &request.clone().for_one_page(), &Look::Default)
            .await?;
        self.offered = self.subject.specified || !matches!(first.exchange().status, 404 | 405 | 501);
        if let Listed::Records(page) = &first {
            self.paging.at_least = page.records.len();
            self.paging.links = page.leads_on;
            self.settle_order(target, &request, page).await?;
            self.settle_numbering(target, request).await?;
        }
        self.look(target, &Look::Default).await?;
        if self.offered && first.reading().is_some() {
            self.look(target, &Look::Trashed).await?;
        }
        let mut readings = self.views.values().filter_map(|view| view.listed.reading());
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
        page: &Reading,
    ) -> Result<(), Trouble> {
        self.paging.stable = self.repeats(target, request, page).await?;
        if let (false, Some(parameter), Some(field)) = (
            self.paging.stable,
            self.subject.parameter(Role::Sort),
            self.subject.sort_by_id(),
        ) {
            let sort = (parameter.to_owned(), field.to_owned());
            let sorted = request.clone().with(&sort.0, &sort.1);
            let first = single_page(target.send(&sorted).await?, target, &self.paging);
            if let Listed::Records(page) = &first
                && self.repeats(target, &sorted, page).await?
            {
                self.paging.stable = true;
                self.paging.sort = Some(sort);
            }
        }
        Ok(())
    }

    /// Finds out how a long list is sorted by the identifier, from its first page in both directions.
    async fn settle_order_by_id(&mut self, target: &Target) -> Result<(), Trouble> {
        let sort = self.subject.parameter(Role::Sort).zip(self.subject.sort_by_id());
        let Some((parameter, field)) = sort else {
            return Ok(());
        };
        let bare = Request::get(&self.subject.operation.path);
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
    async fn settle_numbering(&mut self, target: &Target, request: Request) -> Result<(), Trouble> {
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
    async fn order(&self, target: &Target, request: &Request) -> Result<Option<Vec<String>>, Trouble> {
        let page = single_page(target.send(request).await?, target, &self.paging);
        let records = page.reading().map(|page| page.records.iter());
        Ok(records.map(|records| records.map(|record| identity(record)).collect()))
    }

    /// Whether a request repeats the order of `page`; a short page is asked for more often.
    async fn repeats(&self, target: &Target, request: &Request, page: &Reading) -> Result<bool, Trouble> {
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

#[cfg(test)]
impl Surveyed {
    /// A list with these records on one page, as if it had been read from a target.
    pub(crate) fn with_records(subject: Subject, records: &[serde_json::Value]) -> Self {
        let request = Request::get(&subject.operation.path);
        let page = crate::exchange::Exchange {
            request: request.clone(),
            status: 200,
            content_type: None,
            link: None,
            challenge: None,
            body: String::new(),
        };
        let listed = Listed::Records(Reading::of_one_page(records.to_vec(), page));
        let view = View::new(&subject, request, listed);
        Self {
            paging: Paging::default(),
            subject,
            offered: true,
            unsteady: Vec::new(),
            views: HashMap::from([(Look::Trashed, view)]),
        }
    }
}

/// How a page of a list is selected by a cursor, where that is how.
fn cursor(subject: &Subject) -> Option<Cursor> {
    let parameter = subject.parameter(Role::Cursor)?.to_owned();
    let next = subject.list.next.clone()?;
    Some(Cursor { parameter, next })
}

impl Corpus {
    /// The lists of a contract, none of them read; `searches` names the partial filters that have no name of their own (L11).
    pub fn new(contract: &Contract, searches: &BTreeMap<String, String>) -> Self {
        let lists = Subject::all(contract, searches)
            .into_iter()
            .map(|subject| Surveyed {
                paging: Paging {
                    records: subject.list.records.clone(),
                    cursor: cursor(&subject),
                    page: subject.parameter(Role::Page).map(str::to_owned),
                    order: subject.parameter(Role::Sort).map(str::to_owned),
                    ..Paging::default()
                },
                subject,
                offered: false,
                unsteady: Vec::new(),
                views: HashMap::new(),
            });
        Self {
            lists: lists.collect(),
        }
    }

    /// Reads a list without and with soft-deleted records.
    ///
    /// # Errors
    /// A page has no answer that could be judged.
    pub async fn survey(&mut self, target: &Target, list: usize) -> Result<&Surveyed, Trouble> {
        self.lists[list].survey(target).await?;
        Ok(&self.lists[list])
    }
}
