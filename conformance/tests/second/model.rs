//! The library, in memory. It conforms to its contract until a [`Quirk`] changes it.

use std::cmp::Ordering;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Json, Response};
use reqwest::Url;
use serde_json::{Value, json};

use crate::query::{Query, Refused, contains, shown, timestamp};
use crate::stock;

/// The token that opens it.
pub(crate) const TOKEN: &str = "reader-card-4711-fountain";

/// How many titles a page has.
const TITLES: usize = 20;
/// How many loans a page has.
const LOANS: usize = 15;

/// One way in which a library differs: each is a fault or allowed, as the tables in `faults` and `conforming` say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Quirk {
    #[default]
    None,
    AnyoneMayRead,
    BareLoans,
    BorderIsLost,
    BorderIsTwice,
    CodesInNumbers,
    CursorForgetsFilters,
    CursorForgetsOrder,
    CursorGoesRound,
    DescendingIsAscending,
    DueIsIgnored,
    EitherFilter,
    EmptyCursorAtEnd,
    EmptyPageAtEnd,
    ExactIsFolded,
    ExclusivelyIsAny,
    FoldedOrder,
    FurtherMembers,
    LanguageIsIgnored,
    LendableIsAlwaysTrue,
    LengthIsLeast,
    LengthIsText,
    LikeIsPrefix,
    NameIsPart,
    NoWriter,
    OrderIsIgnored,
    OtherCodeIsShown,
    SearchesNameOnly,
    SecondKeyIsIgnored,
    SheetIsIgnored,
    SheetsFromZero,
    SinceIsUntil,
    StrictCase,
    UnknownIsIgnored,
    UntilIsIgnored,
    WithdrawnByDefault,
    WithdrawnWithAnyIsMissing,
    WrongValuesFindNothing,
}

impl Quirk {
    /// How many there are.
    pub(crate) const COUNT: usize = Self::WrongValuesFindNothing as usize + 1;
}

/// The library.
#[derive(Debug)]
pub(crate) struct Library {
    quirk: Quirk,
    titles: Vec<Value>,
    loans: Vec<Value>,
}

type Records = Vec<Value>;

impl Library {
    /// A library with a quirk.
    pub(crate) fn new(quirk: Quirk) -> Self {
        Self {
            quirk,
            titles: stock::titles(),
            loans: stock::loans(),
        }
    }

    /// Serves it on a free port for as long as the runtime lives.
    pub(crate) async fn serve(self) -> Url {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}/v2", listener.local_addr().unwrap());
        let router = Router::new().fallback(answer).with_state(Arc::new(self));
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        base.parse().unwrap()
    }

    fn is(&self, quirk: Quirk) -> bool {
        self.quirk == quirk
    }

    fn reply(&self, path: &str, query: &Query) -> Result<Response, Refused> {
        Ok(match path {
            "/titles" => Json(self.titles(query)?).into_response(),
            "/loans" => Json(self.loans(query)?).into_response(),
            _ => match path.strip_prefix("/titles/").and_then(|code| self.title(code)) {
                Some(title) => Json(title).into_response(),
                None => (StatusCode::NOT_FOUND, Json(json!({"message": "not found"}))).into_response(),
            },
        })
    }

    fn title(&self, code: &str) -> Option<Value> {
        let at = self.titles.iter().position(|title| title["code"] == code)?;
        let mut title = self.titles[at].clone();
        if self.is(Quirk::OtherCodeIsShown) {
            title["name"] = self.titles[(at + 1) % self.titles.len()]["name"].clone();
        }
        Some(self.rendered(title))
    }

    fn titles(&self, query: &Query) -> Result<Value, Refused> {
        let offset = match query.get("after") {
            None => 0,
            Some(cursor) => self.offset(cursor, query)?,
        };
        let mut asked = query.clone();
        if offset > 0 {
            asked.0.retain(|(name, _)| match name.as_str() {
                "order" => !self.is(Quirk::CursorForgetsOrder),
                _ => !self.is(Quirk::CursorForgetsFilters),
            });
        }
        let found = self.found(&self.titles, &asked)?;
        let size = match query.get("limit") {
            None => TITLES,
            Some(limit) => limit.parse().map_err(|_| Refused("limit".to_owned()))?,
        };
        let from = match offset {
            0 => 0,
            _ if self.is(Quirk::BorderIsLost) => offset + 1,
            _ if self.is(Quirk::BorderIsTwice) => offset - 1,
            _ => offset,
        };
        let page = found.iter().skip(from).take(size);
        let end = offset + size;
        let leads_on = match self.quirk {
            Quirk::EmptyPageAtEnd => offset < found.len(),
            _ => end < found.len(),
        };
        let after = match (leads_on, self.quirk) {
            (true, _) => json!(format!("p{end}-{}", fingerprint(query))),
            (false, Quirk::CursorGoesRound) => json!(format!("p0-{}", fingerprint(query))),
            (false, Quirk::EmptyCursorAtEnd) => json!(""),
            (false, _) => Value::Null,
        };
        let data: Records = page.map(|title| self.rendered((*title).clone())).collect();
        Ok(json!({"data": data, "paging": {"after": after}}))
    }

    fn loans(&self, query: &Query) -> Result<Value, Refused> {
        let first = usize::from(!self.is(Quirk::SheetsFromZero));
        let sheet = match query.get("sheet") {
            None => first,
            Some(sheet) => {
                let sheet = sheet.parse().ok().filter(|sheet| *sheet >= first);
                sheet.ok_or_else(|| Refused("sheet".to_owned()))?
            }
        };
        let sheet = if self.is(Quirk::SheetIsIgnored) {
            first
        } else {
            sheet
        };
        let found = self.found(&self.loans, query)?.into_iter();
        let page: Vec<&Value> = found
            .skip((sheet - first).saturating_mul(LOANS))
            .take(LOANS)
            .collect();
        Ok(match self.is(Quirk::BareLoans) {
            true => json!(page),
            false => json!({"result": {"loans": page}}),
        })
    }

    /// Where a page begins; a cursor belongs to the question that it was given for.
    fn offset(&self, cursor: &str, query: &Query) -> Result<usize, Refused> {
        let parts = cursor.strip_prefix('p').and_then(|rest| rest.split_once('-'));
        let own = parts.filter(|(_, question)| *question == fingerprint(query).to_string());
        let offset = own.and_then(|(offset, _)| offset.parse().ok());
        offset.ok_or_else(|| Refused("after".to_owned()))
    }

    /// The records that a question finds, in order.
    fn found<'r>(&self, records: &'r [Value], query: &Query) -> Result<Vec<&'r Value>, Refused> {
        let mut tests = Vec::new();
        for (name, value) in &query.0 {
            match self.test(records, name, value) {
                Ok(test) => tests.extend(test),
                Err(_)
                    if self.is(Quirk::UnknownIsIgnored)
                        && !records[0].as_object().unwrap().contains_key(name) => {}
                Err(_) if self.is(Quirk::WrongValuesFindNothing) => return Ok(Vec::new()),
                Err(refused) => return Err(refused),
            }
        }
        let scope = self.scope(query.get("withdrawn").unwrap_or("never"))?;
        let found = records.iter().filter(|record| {
            let passes = match self.is(Quirk::EitherFilter) && tests.len() > 1 {
                true => tests.iter().any(|test| test(record)),
                false => tests.iter().all(|test| test(record)),
            };
            passes && scope(record)
        });
        let mut found: Vec<&Value> = found.collect();
        self.order(&mut found, query.get("order").unwrap_or("code"))?;
        Ok(found)
    }

    /// What a parameter asks of a record; none if it is no filter.
    fn test<'q>(&self, records: &[Value], name: &str, value: &'q str) -> Result<Option<Test<'q>>, Refused> {
        let refused = || Refused(name.to_owned());
        let quirk = self.quirk;
        let is_title = records[0]["code"].as_str().unwrap().starts_with('T');
        let exact = move |member: &Value| match quirk {
            Quirk::ExactIsFolded => {
                member.as_str().unwrap_or_default().to_lowercase() == value.to_lowercase()
            }
            _ => member == value,
        };
        let part = move |member: &Value| match quirk {
            Quirk::StrictCase => member.as_str().unwrap_or_default().contains(value),
            _ => contains(member, value),
        };
        let bound = || timestamp(value).ok_or_else(refused);
        Ok(Some(match (is_title, name) {
            (true, "order" | "after" | "limit" | "withdrawn") | (false, "order" | "sheet") => {
                return Ok(None);
            }
            (true, "code") => Box::new(move |title| exact(&title["code"])),
            (true, "name") if quirk == Quirk::NameIsPart => {
                Box::new(move |title| contains(&title["name"], value))
            }
            (true, "name") => Box::new(move |title| exact(&title["name"])),
            (true, "name_like") if quirk == Quirk::LikeIsPrefix => Box::new(move |title| {
                let name = title["name"].as_str().unwrap_or_default().to_lowercase();
                name.starts_with(&value.to_lowercase())
            }),
            (true, "name_like") => Box::new(move |title| part(&title["name"])),
            (true, "writer") => Box::new(move |title| exact(&title["writer"]["surname"])),
            (true, "language") if quirk == Quirk::LanguageIsIgnored => Box::new(|_| true),
            (true, "language") if !["de", "en", "fr"].contains(&value) => return Err(refused()),
            (true, "language") => Box::new(move |title| title["language"] == value),
            (true, "length") => {
                let length: i64 = value.parse().map_err(|_| refused())?;
                Box::new(move |title| match quirk {
                    Quirk::LengthIsLeast => title["length"].as_i64() >= Some(length),
                    _ => title["length"] == length,
                })
            }
            (true, "lendable") => {
                let lendable: bool = value.parse().map_err(|_| refused())?;
                let lendable = lendable || quirk == Quirk::LendableIsAlwaysTrue;
                Box::new(move |title| title["lendable"] == lendable)
            }
            (true, "acquired_since") => {
                let bound = bound()?;
                Box::new(move |title| match quirk {
                    Quirk::SinceIsUntil => shown(title, "acquired") < Some(bound),
                    _ => shown(title, "acquired") > Some(bound),
                })
            }
            (true, "acquired_until") => {
                let bound = bound()?;
                Box::new(move |title| {
                    quirk == Quirk::UntilIsIgnored || shown(title, "acquired") < Some(bound)
                })
            }
            (true, "q") => Box::new(move |title| {
                part(&title["name"]) || quirk != Quirk::SearchesNameOnly && part(&title["writer"]["surname"])
            }),
            (false, "title") => Box::new(move |loan| exact(&loan["title"])),
            (false, "reader") => Box::new(move |loan| exact(&loan["reader"])),
            (false, "due_until") => {
                let bound = bound()?;
                Box::new(move |loan| quirk == Quirk::DueIsIgnored || shown(loan, "due") < Some(bound))
            }
            _ => return Err(refused()),
        }))
    }

    /// Whether a record is shown, by its withdrawal.
    fn scope(&self, word: &str) -> Result<Test<'static>, Refused> {
        let is_withdrawn = |record: &Value| record["withdrawn"].is_string();
        let quirk = self.quirk;
        Ok(match word {
            "any" if quirk == Quirk::WithdrawnWithAnyIsMissing => {
                Box::new(move |record| !is_withdrawn(record))
            }
            "any" => Box::new(|_| true),
            "exclusively" if quirk == Quirk::ExclusivelyIsAny => Box::new(|_| true),
            "exclusively" => Box::new(is_withdrawn),
            "never" if quirk == Quirk::WithdrawnByDefault => Box::new(|_| true),
            "never" => Box::new(move |record| !is_withdrawn(record)),
            _ if quirk == Quirk::WrongValuesFindNothing => Box::new(|_| false),
            _ => return Err(Refused("withdrawn".to_owned())),
        })
    }

    fn order(&self, records: &mut [&Value], order: &str) -> Result<(), Refused> {
        let order = if self.is(Quirk::OrderIsIgnored) {
            "code"
        } else {
            order
        };
        let mut keys = Vec::new();
        for word in order.split(',') {
            let name = word.trim_start_matches('-');
            let is_known = ["code", "name", "length", "acquired", "due"].contains(&name);
            if !is_known || records.iter().any(|record| record[name].is_null()) {
                return Err(Refused("order".to_owned()));
            }
            keys.push((
                name.to_owned(),
                word.starts_with('-') && !self.is(Quirk::DescendingIsAscending),
            ));
        }
        if self.is(Quirk::SecondKeyIsIgnored) {
            keys.truncate(1);
        }
        records.sort_by(|one, other| {
            let differs = keys.iter().map(|(name, is_descending)| {
                let order = self.compare(&one[name], &other[name]);
                if *is_descending { order.reverse() } else { order }
            });
            let decided = differs.into_iter().find(|order| order.is_ne());
            decided.unwrap_or_else(|| self.compare(&one["code"], &other["code"]))
        });
        Ok(())
    }

    fn compare(&self, one: &Value, other: &Value) -> Ordering {
        match (one.as_str(), other.as_str()) {
            (Some(one), Some(other)) if self.is(Quirk::FoldedOrder) => {
                one.to_lowercase().cmp(&other.to_lowercase())
            }
            (Some(one), Some(other)) => one.cmp(other),
            _ => one.as_i64().cmp(&other.as_i64()),
        }
    }

    fn rendered(&self, mut title: Value) -> Value {
        match self.quirk {
            Quirk::LengthIsText => title["length"] = json!(title["length"].to_string()),
            Quirk::CodesInNumbers => {
                title["code"] = json!(title["code"].as_str().unwrap().replace("T-", "N"))
            }
            Quirk::NoWriter => _ = title.as_object_mut().unwrap().remove("writer"),
            Quirk::FurtherMembers => title["shelf"] = json!({"room": 4}),
            _ => {}
        }
        title
    }
}

/// A number that identifies the question, whatever page it asks for.
fn fingerprint(query: &Query) -> u64 {
    let pairs = query.0.iter().filter(|(name, _)| name != "after");
    let letters = pairs.flat_map(|(name, value)| format!("{name}={value}&").into_bytes());
    letters.fold(7, |hash: u64, byte| {
        hash.wrapping_mul(31).wrapping_add(byte.into())
    })
}

/// What is asked of a record.
type Test<'q> = Box<dyn Fn(&Value) -> bool + 'q>;

async fn answer(State(library): State<Arc<Library>>, uri: Uri, headers: HeaderMap) -> Response {
    let url = Url::parse(&format!("http://library{uri}")).unwrap();
    let query = Query(url.query_pairs().into_owned().collect());
    let card = headers.get("authorization").and_then(|value| value.to_str().ok());
    if card != Some(&format!("Bearer {TOKEN}")) && !library.is(Quirk::AnyoneMayRead) {
        return (StatusCode::UNAUTHORIZED, Json(json!({"message": "no card"}))).into_response();
    }
    let path = url.path().strip_prefix("/v2").unwrap_or_default();
    library.reply(path, &query).unwrap_or_else(|Refused(name)| {
        let body = json!({"message": format!("{name} is refused")});
        (StatusCode::BAD_REQUEST, Json(body)).into_response()
    })
}
