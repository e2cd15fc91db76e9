//! The store's pages against the model's answer: the same ids in the same order however one walks, and the same members.

use rollcall::Timestamp;
use rollcall::http::{ETag, Json, Page};
use rollcall::list::Form;
use rollcall::lists::{PolicyUsers, WorkspaceLogs};
use rollcall::record::Record;
use rollcall_store::tables::resource::Resource;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::ask::{Ask, Pairs, encoded};
use super::content::{includes, shows};
use super::home::Home;
use super::row::{Row, text};
use super::view::{Given, View, pair};

/// What does not agree, in words.
pub(super) type Verdict = Result<(), String>;

/// The most records of a page.
const WHOLE: u16 = 200;

/// A page as JSON.
struct Shown {
    records: Vec<Value>,
    links: Vec<(&'static str, String)>,
    total: Option<u64>,
}

fn page<R: Resource>(home: &Home, text: &str) -> Result<Shown, String> {
    let Page {
        records,
        links,
        total,
    } = home.page::<R>(text).map_err(|why| format!("{text}: {why}"))?;
    let records = as_models(&records).map_err(|why| format!("{text}: {why}"))?;
    Ok(Shown {
        records,
        links,
        total,
    })
}

/// Rendered records, which must be what their model says.
fn as_models<R: Record>(records: &Json<Vec<R>>) -> Result<Vec<Value>, String> {
    let rendered: Value = serde_json::from_slice(records.as_bytes()).map_err(|why| why.to_string())?;
    let models = records.read().map_err(|why| why.to_string())?;
    let models: Vec<_> = models.iter().map(|model| json!(model)).collect();
    same("rendered records", &rendered, &Value::from(models.clone()))?;
    Ok(models)
}

impl Shown {
    fn ids(&self) -> Vec<&str> {
        self.records
            .iter()
            .map(|record| record["id"].as_str().unwrap_or_default())
            .collect()
    }

    /// The query behind a link.
    fn link(&self, relation: &str) -> Option<&str> {
        let (_, address) = self.links.iter().find(|(known, _)| *known == relation)?;
        Some(address.split_once('?').map_or("", |(_, query)| query))
    }
}

pub(super) fn same<T: PartialEq + std::fmt::Debug>(what: &str, store: &T, model: &T) -> Verdict {
    if store == model {
        Ok(())
    } else {
        Err(format!("{what}\n  store: {store:?}\n  model: {model:?}"))
    }
}

/// All records of a list that are not soft-deleted.
pub(super) fn all<R: Resource>(home: &Home) -> Result<Vec<Value>, String> {
    let mut query = format!("page%5Bsize%5D={WHOLE}");
    let mut records = Vec::new();
    loop {
        let shown = page::<R>(home, &query)?;
        let next = shown.link("next").map(str::to_owned);
        records.extend(shown.records);
        let Some(next) = next else { return Ok(records) };
        query = next;
    }
}

/// Members of a record as a row of the model has them.
pub(super) fn row<const N: usize>(record: &Value, members: [&'static str; N]) -> Row {
    let value = |member: &'static str| {
        let Some(timestamp) = record["timestamp"].get(member) else {
            return (member, record[member].clone());
        };
        let timestamp = timestamp.as_str().and_then(|text| text.parse::<Timestamp>().ok());
        (member, json!(timestamp.map(Timestamp::micros)))
    };
    members.map(value).into()
}

/// The ids and timestamps the store gave to its policy users, which must be exactly the pairs the model derives.
pub(super) fn given(home: &Home, derived: &View) -> Result<Given, String> {
    let records = all::<PolicyUsers>(home)?;
    let pairs = records
        .iter()
        .map(|record| pair(&row(record, ["directory_user_id", "rule_id"])));
    let rows = records
        .iter()
        .map(|record| row(record, ["id", "created_at", "updated_at", "activated_at"]));
    let given: Given = pairs.zip(rows).collect();
    let mut pairs: Vec<_> = derived.rows("policy_users").iter().map(pair).collect();
    pairs.sort();
    same("policy users", &given.keys().cloned().collect(), &pairs)?;
    Ok(given)
}

/// The log.
pub(super) fn logs(home: &Home) -> Result<Vec<Row>, String> {
    let members = [
        "id",
        "action",
        "actor_id",
        "parent_id",
        "record_id",
        "related_id",
        "subject_id",
        "message",
        "created_at",
    ];
    Ok(all::<WorkspaceLogs>(home)?
        .iter()
        .map(|record| row(record, members))
        .collect())
}

/// The record with this id, soft-deleted or not, and its entity tag.
pub(super) fn record<R: Resource>(home: &Home, id: &str) -> Result<(Value, ETag), String> {
    let query = format!("filter%5Bid%5D={id}&filter%5Btrashed%5D=with");
    let page = home.page::<R>(&query).map_err(|why| why.to_string())?;
    let records: Vec<&RawValue> =
        serde_json::from_slice(page.records.as_bytes()).map_err(|why| why.to_string())?;
    let record = records.first().ok_or(format!("{id} is gone"))?;
    let tag = ETag::of(record.get().as_bytes());
    Ok((serde_json::from_str(record.get()).unwrap(), tag))
}

/// Every record of a list, soft-deleted ones too, must be what the model shows.
pub(super) fn whole<R: Resource>(list: &str, home: &Home, view: &View) -> Verdict {
    let has_trashed = R::FILTERS.iter().any(|filter| filter.name == "filter[trashed]");
    let trashed = has_trashed.then(|| ("filter[trashed]".to_owned(), "with".to_owned()));
    let pairs: Pairs = trashed.into_iter().collect();
    found::<R>(home, view, list, &pairs, &[]).map(drop)
}

/// Asks a list in every way of walking it.
pub(super) fn hold<R: Resource>(list: &str, home: &Home, view: &View, ask: &Ask) -> Verdict {
    let pairs = ask.pairs::<R>(list, view);
    let held = found::<R>(home, view, list, &pairs, &ask.includes::<R>())
        .and_then(|expected| walk::<R>(home, &pairs, &expected, ask.size));
    held.map_err(|why| format!("{list}?{}\n{why}", shown_query(&pairs, ask.size)))
}

/// The end of a first page, noted for later.
pub(super) struct Place {
    pairs: Pairs,
    size: u16,
    next: String,
    last: Row,
}

/// Where the first page of a query ends, if there is a second one.
pub(super) fn place<R: Resource>(
    list: &str,
    home: &Home,
    view: &View,
    ask: &Ask,
) -> Result<Option<Place>, String> {
    let pairs = ask.pairs::<R>(list, view);
    let shown = page::<R>(home, &with(&pairs, &[("page[size]", ask.size.to_string())]))?;
    let last = shown
        .ids()
        .last()
        .and_then(|id| view.rows(list).iter().find(|row| text(row, "id") == *id))
        .cloned();
    let next = shown.link("next").map(str::to_owned);
    Ok(next.zip(last).map(|(next, last)| Place {
        pairs,
        size: ask.size,
        next,
        last,
    }))
}

/// A cursor noted before a change shows what lies behind its place now.
pub(super) fn behind<R: Resource>(list: &str, home: &Home, view: &View, place: &Place) -> Verdict {
    let expected = view.behind(list, &place.pairs, &place.last);
    let expected: Vec<_> = expected
        .into_iter()
        .take(place.size.into())
        .map(|row| text(row, "id"))
        .collect();
    let found = same(
        "a page behind a place noted before",
        &page::<R>(home, &place.next)?.ids(),
        &expected,
    );
    found.map_err(|why| format!("{list}?{}\n{why}", shown_query(&place.pairs, place.size)))
}

fn shown_query(pairs: &Pairs, size: u16) -> String {
    let pairs: Vec<_> = pairs
        .iter()
        .map(|(name, value)| format!("{name}={value:?}"))
        .collect();
    format!("{} (pages of {size})", pairs.join("&"))
}

fn with(pairs: &Pairs, more: &[(&str, String)]) -> String {
    let more = more
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()));
    encoded(&pairs.iter().cloned().chain(more).collect::<Vec<_>>())
}

/// The ids the model finds, after comparing them and their records with one large page.
pub(super) fn found<R: Resource>(
    home: &Home,
    view: &View,
    list: &str,
    pairs: &Pairs,
    include: &[(&str, Form)],
) -> Result<Vec<String>, String> {
    let expected = view.answer(list, pairs);
    let ids: Vec<_> = expected.iter().map(|row| text(row, "id")).collect();
    let large = page::<R>(
        home,
        &with(
            pairs,
            &[
                ("page[size]", WHOLE.to_string()),
                ("page[total]", "true".to_owned()),
            ],
        ),
    )?;
    let fits = usize::from(WHOLE).min(ids.len());
    same("one page", &large.ids(), &ids[..fits].to_vec())?;
    same("total", &large.total, &Some(ids.len() as u64))?;
    for (record, row) in large.records.iter().zip(expected) {
        shows(view, list, row, record)?;
        includes(view, list, row, &record["included"], include)?;
    }
    Ok(ids.into_iter().map(str::to_owned).collect())
}

/// Pages by cursor forwards, then backwards, then by number.
pub(super) fn walk<R: Resource>(home: &Home, pairs: &Pairs, expected: &[String], size: u16) -> Verdict {
    let chunks: Vec<Vec<&str>> = expected
        .chunks(size.into())
        .map(|ids| ids.iter().map(String::as_str).collect())
        .collect();
    let chunks = if chunks.is_empty() {
        vec![Vec::new()]
    } else {
        chunks
    };
    let sized = with(pairs, &[("page[size]", size.to_string())]);
    let mut shown = page::<R>(home, &sized)?;
    same("prev of the first page", &shown.link("prev"), &None)?;
    for (number, chunk) in chunks.iter().enumerate() {
        same(&format!("page {} by cursor", number + 1), &shown.ids(), chunk)?;
        same(
            "whether there is a next page",
            &shown.link("next").is_some(),
            &(number + 1 < chunks.len()),
        )?;
        let Some(next) = shown.link("next") else { break };
        shown = page::<R>(home, next)?;
    }
    for (number, chunk) in chunks.iter().enumerate().rev().skip(1) {
        let prev = shown
            .link("prev")
            .ok_or(format!("page {} has no prev", number + 2))?;
        shown = page::<R>(home, prev)?;
        same(&format!("page {} backwards", number + 1), &shown.ids(), chunk)?;
        let next = shown
            .link("next")
            .ok_or(format!("page {} has no next backwards", number + 1))?;
        same(
            "next of a page backwards",
            &page::<R>(home, next)?.ids(),
            &chunks[number + 1],
        )?;
    }
    if chunks.len() > 1 {
        same("prev of the first page backwards", &shown.link("prev"), &None)?;
    }
    for (number, chunk) in chunks.iter().chain([&Vec::new()]).enumerate() {
        let numbered = with(
            pairs,
            &[
                ("page[size]", size.to_string()),
                ("page", (number + 1).to_string()),
            ],
        );
        let shown = page::<R>(home, &numbered)?;
        same(&format!("page {} by number", number + 1), &shown.ids(), chunk)?;
        same(
            "whether page by number has a next one",
            &shown.link("next").is_some(),
            &(number + 1 < chunks.len()),
        )?;
    }
    Ok(())
}
