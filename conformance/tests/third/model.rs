//! The board, in memory. It conforms to its contract until a [`Quirk`] changes it.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use reqwest::Url;
use serde_json::{Value, json};

use crate::query::{Query, Refused};
use crate::search::reference;
use crate::stock;

/// The token that opens it.
pub(crate) const TOKEN: &str = "board-key-2203-lantern";

/// How many records a page has.
const SIZE: usize = 20;
/// The media type of its answers.
const MEDIA_TYPE: &str = "application/vnd.api+json";

/// One way in which a board differs: each is a fault or allowed, as the tables in `faults` and `conforming` say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Quirk {
    #[default]
    None,
    AnyoneMayRead,
    ArchivedByDefault,
    AssigneeIsIgnored,
    AttributeIsMissing,
    CompositeIsAlwaysTrue,
    CompositeIsForgotten,
    CountHasArchived,
    CountIsText,
    CreatedAfterIsBefore,
    CreatedIsADate,
    DescendingIsAscending,
    DueIsIgnored,
    EitherFilter,
    EmailIsIgnored,
    EmptyPageAtEnd,
    EverythingIsIncluded,
    FurtherMembers,
    IdIsPrefixed,
    IncludeForgetsFilters,
    IncludeIsRefused,
    IncludedIsAlwaysThere,
    IncludedIsReversed,
    LinkedHasNoAttributes,
    LinkedIsMissing,
    LinkedIsOld,
    OnlyIsAll,
    OtherTaskIsShown,
    OverdueInFuture,
    PageIsIgnored,
    PagesFromZero,
    PagesOverlap,
    ParentIsAncestor,
    ParentIsNotLinked,
    PlannedInPast,
    PrimaryIsIncludedToo,
    PriorityIsLeast,
    SelfIsMissing,
    SortsByTitle,
    StatusIsIgnored,
    StrictCase,
    SubtasksAreCut,
    SubtasksOfAnother,
    TextIsPrefix,
    TypeIsOfAnother,
    UnknownIsIgnored,
    UnknownStatusIsNoFilter,
}

impl Quirk {
    /// How many there are.
    pub(crate) const COUNT: usize = Self::UnknownStatusIsNoFilter as usize + 1;
}

/// The board.
#[derive(Debug)]
pub(crate) struct Board {
    pub(crate) quirk: Quirk,
    tasks: Vec<Value>,
    pub(crate) people: Vec<Value>,
}

impl Board {
    /// A board with a quirk.
    pub(crate) fn new(quirk: Quirk) -> Self {
        let mut board = Self {
            quirk,
            tasks: stock::tasks(),
            people: stock::people(),
        };
        let tasks = board
            .tasks
            .iter()
            .map(|task| board.stored(task.clone()))
            .collect();
        board.tasks = board.spelled(tasks);
        board.people = board.spelled(stock::people());
        board
    }

    /// Serves it on a free port for as long as the runtime lives.
    pub(crate) async fn serve(self) -> Url {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}/v1", listener.local_addr().unwrap());
        let router = Router::new().fallback(answer).with_state(Arc::new(self));
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        base.parse().unwrap()
    }

    pub(crate) fn is(&self, quirk: Quirk) -> bool {
        self.quirk == quirk
    }

    /// Records with the types and identifiers of tasks as the board spells them.
    fn spelled(&self, records: Vec<Value>) -> Vec<Value> {
        let text = Value::from(records).to_string();
        let text = match self.quirk {
            Quirk::IdIsPrefixed => text.replace(r#""type":"tasks","id":""#, r#""type":"tasks","id":"t"#),
            Quirk::TypeIsOfAnother => text.replace(r#""type":"tasks""#, r#""type":"task""#),
            _ => text,
        };
        serde_json::from_str(&text).unwrap()
    }

    /// A task as it is kept.
    fn stored(&self, mut task: Value) -> Value {
        let n: usize = task["id"].as_str().unwrap().parse().unwrap();
        let attributes = &mut task["attributes"];
        match self.quirk {
            Quirk::CompositeIsForgotten if n == 3 => attributes["composite"] = json!(false),
            Quirk::OverdueInFuture if n % 12 == 1 => attributes["due"] = json!("2091-02-03T04:05:06Z"),
            Quirk::PlannedInPast if n.is_multiple_of(12) => {
                attributes["starts"] = json!("2011-02-03T04:05:06Z")
            }
            Quirk::CreatedIsADate => {
                attributes["created"] = json!(attributes["created"].as_str().unwrap()[..10])
            }
            Quirk::AttributeIsMissing => drop(attributes.as_object_mut().unwrap().shift_remove("priority")),
            Quirk::FurtherMembers => attributes["colour"] = json!({"name": "teal"}),
            Quirk::SelfIsMissing => task["links"] = json!({}),
            Quirk::CountIsText => task["relationships"]["subtasks"]["meta"]["count"] = json!("some"),
            Quirk::CountHasArchived if n <= 10 => {
                let own = task["id"].clone();
                let all = stock::tasks();
                let children = all.iter().filter(|other| reference(other, "parent")["id"] == own);
                task["relationships"]["subtasks"]["meta"]["count"] = json!(children.count() + 1);
            }
            Quirk::SubtasksAreCut => {
                let references = task["relationships"]["subtasks"]["data"].as_array_mut().unwrap();
                references.truncate(3);
            }
            Quirk::SubtasksOfAnother if n == 5 => {
                task["relationships"]["subtasks"]["data"][0]["id"] = json!("11");
            }
            _ => {}
        }
        task
    }

    fn reply(&self, path: &str, query: &Query) -> Result<Value, Refused> {
        let records = match path {
            "/tasks" => &self.tasks,
            "/people" => &self.people,
            _ => return self.single(path),
        };
        let relations: &[&str] = match path {
            "/tasks" => &["assignee", "parent", "subtasks"],
            _ => &["tasks"],
        };
        let included = match query.get("include") {
            Some(_) if self.is(Quirk::IncludeIsRefused) => return Err(Refused("include".to_owned())),
            None if self.is(Quirk::EverythingIsIncluded) => relations.to_vec(),
            None => Vec::new(),
            Some(words) => {
                let words: Vec<&str> = words.split(',').collect();
                match words.iter().all(|word| relations.contains(word)) {
                    true if self.is(Quirk::EverythingIsIncluded) => relations.to_vec(),
                    true => words,
                    false => return Err(Refused("include".to_owned())),
                }
            }
        };
        let mut asked = query.clone();
        if self.is(Quirk::IncludeForgetsFilters) && !included.is_empty() && asked.0.len() > 2 {
            asked
                .0
                .retain(|(name, _)| name != "filter[status]" && name != "filter[priority]");
        }
        let found = self.found(records, &asked)?;
        let total = found.len();
        let page = self.page(found, query)?;
        let linked = self.linked(&page, &included);
        let mut answer =
            json!({"data": page, "meta": {"total": total}, "links": {"self": format!("/v1{path}")}});
        if query.get("include").is_some() || !linked.is_empty() || self.is(Quirk::IncludedIsAlwaysThere) {
            answer["included"] = json!(linked);
        }
        Ok(answer)
    }

    fn single(&self, path: &str) -> Result<Value, Refused> {
        let id = path.strip_prefix("/tasks/").unwrap_or_default();
        let at = self.tasks.iter().position(|task| task["id"] == id);
        let at = at.ok_or_else(|| Refused(String::new()))?;
        let mut task = self.tasks[at].clone();
        if self.is(Quirk::OtherTaskIsShown) {
            task["attributes"] = self.tasks[(at + 1) % self.tasks.len()]["attributes"].clone();
        }
        Ok(json!({"data": task}))
    }

    fn page(&self, found: Vec<&Value>, query: &Query) -> Result<Vec<Value>, Refused> {
        let first = usize::from(!self.is(Quirk::PagesFromZero));
        let number = query.get("page[number]").map_or(Ok(first), str::parse);
        let number = number.ok().filter(|number| *number >= first);
        let number = number.ok_or_else(|| Refused("page[number]".to_owned()))? - first;
        let size = query.get("page[size]").map_or(Ok(SIZE), str::parse);
        let size = size.map_err(|_| Refused("page[size]".to_owned()))?;
        let from = match self.quirk {
            Quirk::PageIsIgnored => 0,
            Quirk::PagesOverlap => number.saturating_mul(size - 1),
            _ => number.saturating_mul(size),
        };
        if from >= found.len() && number > 0 && !self.is(Quirk::EmptyPageAtEnd) {
            return Err(Refused("page[number]".to_owned()));
        }
        Ok(found.into_iter().skip(from).take(size).cloned().collect())
    }

    /// The related records of a page, each once, without those that are on the page.
    fn linked(&self, page: &[Value], relations: &[&str]) -> Vec<Value> {
        let mut linked: Vec<Value> = Vec::new();
        for (record, relation) in page
            .iter()
            .flat_map(|record| relations.iter().map(move |one| (record, *one)))
        {
            if self.is(Quirk::ParentIsNotLinked) && relation == "parent" {
                continue;
            }
            let references = match reference(record, relation) {
                Value::Array(references) => references.clone(),
                Value::Null => Vec::new(),
                one => vec![one.clone()],
            };
            for reference in references {
                let all = if reference["type"] == "people" {
                    &self.people
                } else {
                    &self.tasks
                };
                let is_meant =
                    |record: &&Value| record["type"] == reference["type"] && record["id"] == reference["id"];
                let is_on_page =
                    page.iter().any(|record| is_meant(&record)) && !self.is(Quirk::PrimaryIsIncludedToo);
                let is_known = linked.iter().any(|record| is_meant(&record));
                if let (Some(record), false) = (all.iter().find(is_meant), is_on_page || is_known) {
                    linked.push(self.rendered(record.clone()));
                }
            }
        }
        match self.quirk {
            Quirk::LinkedIsMissing => drop(linked.pop()),
            Quirk::IncludedIsReversed => linked.reverse(),
            _ => {}
        }
        linked
    }

    /// A related record as it is shown.
    fn rendered(&self, mut record: Value) -> Value {
        match self.quirk {
            Quirk::LinkedHasNoAttributes => drop(record.as_object_mut().unwrap().shift_remove("attributes")),
            Quirk::LinkedIsOld if record["type"] == "tasks" => record["attributes"]["priority"] = json!(9),
            _ => {}
        }
        record
    }
}

async fn answer(State(board): State<Arc<Board>>, uri: Uri, headers: HeaderMap) -> Response {
    let url = Url::parse(&format!("http://board{uri}")).unwrap();
    let query = Query(url.query_pairs().into_owned().collect());
    let key = headers.get("authorization").and_then(|value| value.to_str().ok());
    let path = url.path().strip_prefix("/v1").unwrap_or_default();
    let (status, body) = match board.reply(path, &query) {
        _ if key != Some(&format!("Bearer {TOKEN}")) && !board.is(Quirk::AnyoneMayRead) => {
            (StatusCode::UNAUTHORIZED, json!({"errors": [{"title": "no key"}]}))
        }
        Ok(body) => (StatusCode::OK, body),
        Err(Refused(name)) if name.is_empty() => {
            (StatusCode::NOT_FOUND, json!({"errors": [{"title": "not found"}]}))
        }
        Err(Refused(name)) => {
            let source = json!({"parameter": name});
            (
                StatusCode::BAD_REQUEST,
                json!({"errors": [{"title": "refused", "source": source}]}),
            )
        }
    };
    (status, [(header::CONTENT_TYPE, MEDIA_TYPE)], body.to_string()).into_response()
}
