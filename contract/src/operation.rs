//! An operation: what it takes, what it answers, and, if it is a list, what the list can do.

use std::fmt::{self, Display};

use crate::place::Place;
use crate::{
    Clauses, Contract, Document, Error, Filter, Frame, List, Origin, Parameter, Pointer, Position, Role, uses,
};

/// One operation of the API.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    /// Its `operationId`, by which it is known everywhere.
    pub id: String,
    /// The method of its request.
    pub method: Method,
    /// The path under the service address, with `{name}` for each path parameter.
    pub path: String,
    /// What it does, in a line.
    pub summary: Option<String>,
    /// What it does, in full.
    pub description: Option<String>,
    /// Where it comes from.
    pub origin: Origin,
    /// The permission a token needs.
    pub scope: Option<String>,
    /// All parameters in document order, those of the path item first.
    pub parameters: Vec<Parameter>,
    /// The component schema of the body it takes.
    pub request_body: Option<String>,
    /// What it answers when it succeeds.
    pub answer: Answer,
    /// Every status it can answer, in document order.
    pub statuses: Vec<u16>,
    /// What the list can do, if it is one.
    pub list: Option<List>,
    /// Where it stands in the document.
    pub at: Pointer,
}

/// What an operation answers when it succeeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The component schema of the record, or of each record.
    pub schema: Option<String>,
    /// Whether the body is an array of records, or has one at the place that `x-list` names.
    pub many: bool,
}

/// The method of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    /// Reads.
    Get,
    /// Reads the headers alone (RFC 9110 §9.3.2). It goes with `Get`, so no operation of a contract has it.
    Head,
    /// Creates, or does what no other method says.
    Post,
    /// Replaces.
    Put,
    /// Changes.
    Patch,
    /// Removes.
    Delete,
}

impl Method {
    fn of_key(key: &str) -> Option<Self> {
        [Self::Get, Self::Post, Self::Put, Self::Patch, Self::Delete]
            .into_iter()
            .find(|method| method.key() == key)
    }

    /// Whether it only reads, so that it can be sent twice (RFC 9110 §9.2).
    pub fn is_safe(self) -> bool {
        matches!(self, Self::Get | Self::Head)
    }

    /// The key of the method in a path item, such as `get`.
    pub fn key(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Head => "head",
            Self::Post => "post",
            Self::Put => "put",
            Self::Patch => "patch",
            Self::Delete => "delete",
        }
    }
}

impl Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.key().to_uppercase())
    }
}

impl Operation {
    /// Reads every operation of the document, in its order.
    pub(crate) fn read_all(
        document: &Document,
        clauses: &Clauses,
        frame: &Frame,
    ) -> Result<Vec<Self>, Error> {
        let operations = Self::read_each(document, clauses, frame)?.into_iter();
        let mut operations: Vec<Self> = operations.collect::<Result<_, _>>()?;
        uses::describe(&mut operations);
        Ok(operations)
    }

    /// The same, with what is wrong about each.
    pub(crate) fn read_each(
        document: &Document,
        clauses: &Clauses,
        frame: &Frame,
    ) -> Result<Vec<Result<Self, Error>>, Error> {
        let mut operations = Vec::new();
        for (path, item) in document.root().need("paths")?.entries()? {
            let item = item.target();
            for (key, place) in item.entries()? {
                match Method::of_key(key) {
                    Some(method) => {
                        operations.push(Self::read(
                            (document, clauses, frame),
                            (path, &item),
                            method,
                            &place,
                        ));
                    }
                    None if ["parameters", "summary", "description"].contains(&key)
                        || key.starts_with("x-") => {}
                    None => operations.push(Err(
                        place.error(format!("`{key}` is no method that this model knows"))
                    )),
                }
            }
        }
        Ok(operations)
    }

    fn read(
        (document, clauses, frame): (&Document, &Clauses, &Frame),
        (path, item): (&str, &Place<'_>),
        method: Method,
        place: &Place<'_>,
    ) -> Result<Self, Error> {
        let id = place.need("operationId")?.text()?;
        let shared = item
            .child("parameters")
            .into_iter()
            .chain(place.child("parameters"));
        let parameters = shared
            .flat_map(|list| list.elements())
            .map(|one| Parameter::read(document, &one, id, clauses));
        let responses = place.need("responses")?;
        let records = place.child("x-list").map(|list| list.typed::<Pointer>("records"));
        let records = records.transpose()?.flatten().unwrap_or_default();
        let answer = Answer::read(document, id, &responses, &records)?;
        let record = answer.schema.as_deref().filter(|_| answer.many);
        Ok(Self {
            id: id.to_owned(),
            method,
            path: path.to_owned(),
            summary: place.optional_text("summary")?.map(str::to_owned),
            description: place.optional_text("description")?.map(str::to_owned),
            origin: Origin::read(place)?,
            scope: place.optional_text("x-scope")?.map(str::to_owned),
            parameters: parameters.collect::<Result<_, _>>()?,
            request_body: body_schema(document, place)?,
            list: List::read(place, record, frame)?,
            answer,
            statuses: responses
                .members()
                .iter()
                .map(|(key, one)| status(key, one))
                .collect::<Result<_, _>>()?,
            at: place.at().clone(),
        })
    }

    /// The filters of a list, in document order.
    pub fn filters(&self) -> impl Iterator<Item = (&Parameter, &Filter)> {
        self.parameters
            .iter()
            .filter_map(|parameter| Some((parameter, parameter.filter.as_ref()?)))
    }

    /// The filter whose parameter is called `name`, such as `filter[email]`.
    pub fn filter(&self, name: &str) -> Option<&Filter> {
        self.filters()
            .find_map(|(parameter, filter)| (parameter.name == name).then_some(filter))
    }

    /// The parameters that one part of the request carries, in document order.
    pub fn parameters_in(&self, position: Position) -> impl Iterator<Item = &Parameter> {
        self.parameters
            .iter()
            .filter(move |parameter| parameter.position == position)
    }

    /// The parameters in the path, in document order.
    pub fn path_parameters(&self) -> impl Iterator<Item = &Parameter> {
        self.parameters_in(Position::Path)
    }

    /// The operation as it is written.
    pub(crate) fn place<'c>(&self, contract: &'c Contract) -> Option<Place<'c>> {
        let segments = self.at.segments().iter();
        segments
            .map(String::as_str)
            .try_fold(contract.document().root(), |place, key| place.child(key))
    }

    /// The schema of a member of what the operation answers when it succeeds.
    pub(crate) fn answer_member<'c>(&self, contract: &'c Contract, member: &Pointer) -> Option<Place<'c>> {
        let responses = self.place(contract)?.child("responses")?;
        let response = responses.child(&self.answer.status.to_string())?;
        json_schema(&response.target()).ok()??.member(member)
    }

    /// The parameter that plays a role in the list.
    pub fn role(&self, role: Role) -> Option<&Parameter> {
        self.parameters
            .iter()
            .find(|parameter| parameter.role == Some(role))
    }
}

impl Answer {
    fn read(
        document: &Document,
        operation: &str,
        responses: &Place<'_>,
        records: &Pointer,
    ) -> Result<Self, Error> {
        let members = responses.members();
        let mut successes = members.into_iter().filter(|(key, _)| key.starts_with('2'));
        let (key, response) = successes
            .next()
            .ok_or_else(|| responses.error("there is no success among the answers"))?;
        if let Some((second, place)) = successes.next() {
            return Err(place.error(format!(
                "{second} is a second success of {operation}, beside {key}: an operation has one"
            )));
        }
        let status = status(key, &response)?;
        let Some(schema) = json_schema(&response.target())? else {
            return Ok(Self {
                status,
                schema: None,
                many: false,
            });
        };
        let Some(schema) = schema.member(records) else {
            return Err(response.error(format!(
                "the answer has no member {records}, where `x-list` has its records"
            )));
        };
        let schema = schema.value();
        let items = document.resolve(schema).get("items");
        let one = items.unwrap_or(schema);
        Ok(Self {
            status,
            schema: document.schema_name(one).map(str::to_owned),
            many: items.is_some(),
        })
    }
}

/// The number that a key of `responses` stands for.
fn status(key: &str, response: &Place<'_>) -> Result<u16, Error> {
    key.parse()
        .map_err(|_| response.error("each status is written out, as a number"))
}

/// The component schema of an operation's request body, if it takes one.
fn body_schema(document: &Document, operation: &Place<'_>) -> Result<Option<String>, Error> {
    let Some(body) = operation.child("requestBody") else {
        return Ok(None);
    };
    let body = body.target();
    let schema = json_schema(&body)?.and_then(|schema| document.schema_name(schema.value()));
    let name = schema.ok_or_else(|| body.error("a request body is JSON, and its schema a component"))?;
    Ok(Some(name.to_owned()))
}

/// The schema under `content` for `application/json`, or for a media type that is built on JSON.
fn json_schema<'d>(place: &Place<'d>) -> Result<Option<Place<'d>>, Error> {
    let Some(content) = place.child("content") else {
        return Ok(None);
    };
    let mut built_on = content
        .members()
        .into_iter()
        .filter(|(name, _)| name.ends_with("+json"));
    let json = content
        .child("application/json")
        .or_else(|| built_on.next().map(|(_, json)| json));
    json.map_or_else(|| content.need("application/json"), Ok)?
        .need("schema")
        .map(Some)
}
