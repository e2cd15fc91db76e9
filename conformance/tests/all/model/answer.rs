//! From a request to an answer: access, lists, single records, writes.

use axum::body::Body;
use axum::http::{Method, Response, StatusCode};
use rollcall_contract::Role;
use serde_json::{Value, json};

use super::filter::Refused;
use super::{Asked, Model, Row, Switch, TOKEN};

type Answer = Response<Body>;

impl Model {
    pub(super) fn answer(&self, asked: &Asked) -> Answer {
        if self.switch == Switch::Busy && asked.number % 7 == 3 {
            return Response::builder()
                .status(429)
                .header("retry-after", "0")
                .body(Body::empty())
                .unwrap();
        }
        if self.switch == Switch::Moving && asked.number.is_multiple_of(5) {
            self.move_something(asked.number);
        }
        if !self.is_granted(asked) {
            if asked.method == Method::PATCH && self.switch == Switch::RefusedButWritten {
                self.write(asked);
            }
            return self.refusal(asked);
        }
        match asked.method {
            Method::GET if self.list(&asked.path).is_some() => self.records(asked),
            Method::GET => self.single(asked),
            Method::PATCH => {
                self.write(asked);
                self.json(200, &json!({}))
            }
            _ => self.problem(405),
        }
    }

    fn is_granted(&self, asked: &Asked) -> bool {
        let header = asked.credentials.as_deref().unwrap_or_default();
        let (scheme, token) = header.split_once(' ').unwrap_or_default();
        let write = asked.method != Method::GET;
        match self.switch {
            Switch::AuthOff => true,
            Switch::WritesOpen if write => true,
            Switch::AnyToken => scheme == "Bearer",
            Switch::WritesAnyToken if write => scheme == "Bearer",
            Switch::TokenPrefix => scheme == "Bearer" && token.starts_with(TOKEN),
            Switch::TokenComparedInPart => scheme == "Bearer" && token.get(..8) == TOKEN.get(..8),
            Switch::AnyScheme => token == TOKEN,
            Switch::BearerOfAnyCase => scheme.eq_ignore_ascii_case("bearer") && token == TOKEN,
            _ => scheme == "Bearer" && token == TOKEN,
        }
    }

    fn refusal(&self, asked: &Asked) -> Answer {
        match self.switch {
            Switch::Forbidden => self.problem(403),
            Switch::RedirectsToLogin if asked.method == Method::GET => Response::builder()
                .status(302)
                .header("location", "/login")
                .body(Body::empty())
                .unwrap(),
            Switch::EchoesToken => {
                let text = format!("no access for {:?}", asked.credentials);
                self.json(401, &json!({"why": text, "header": asked.credentials}))
            }
            Switch::RefusalWithRecords if self.list(&asked.path).is_some() => {
                let mut answer = self.records(asked);
                *answer.status_mut() = StatusCode::UNAUTHORIZED;
                answer
            }
            _ => self.problem(401),
        }
    }

    fn records(&self, asked: &Asked) -> Answer {
        let (operation, list) = self.list(&asked.path).unwrap();
        let rows = self.rows.lock().unwrap();
        let Some((_, rows)) = rows.iter().find(|(path, _)| *path == asked.path) else {
            return self.problem(404);
        };
        let dimensions = asked.path.ends_with("dimensions");
        match self.switch {
            Switch::NoExtensions if operation.origin.extension => return self.problem(404),
            Switch::ExtensionsForbidMethod if operation.origin.extension => return self.problem(405),
            Switch::DimensionsGone if dimensions => return self.problem(404),
            Switch::DimensionsNoList if dimensions => return self.json(200, &json!({"ok": true})),
            Switch::TrashedFails if asked.query.iter().any(|(_, word)| word == "with") => {
                return self.problem(500);
            }
            _ => {}
        }
        let mut found = match self.find(operation, rows, asked) {
            Ok(found) => found,
            Err(Refused(status)) => return self.problem(status),
        };
        let parameter = |role: Role| {
            let name = operation.role(role).map(|parameter| parameter.name.as_str());
            asked
                .query
                .iter()
                .find(|(one, _)| Some(one.as_str()) == name)
                .map(|(_, value)| value.as_str())
        };
        if self.switch == Switch::RandomOrder && parameter(Role::Sort).is_none() && !found.is_empty() {
            let count = found.len();
            found.rotate_left(asked.number * 7 % count);
            found.swap(0, asked.number % count);
        }
        if self.switch == Switch::DuplicateRow && found.len() > 2 {
            found.insert(1, found[0]);
        }
        let page: usize = parameter(Role::Page)
            .unwrap_or("1")
            .trim_start_matches("cursor-")
            .parse()
            .unwrap_or(1);
        let size = if self.switch == Switch::PageIgnored {
            usize::MAX
        } else {
            self.page_size
        };
        let from = if self.switch == Switch::PageIgnored {
            0
        } else {
            (page - 1) * size
        };
        if self.switch == Switch::PastEndIsMissing && page > 1 && from >= found.len() {
            return self.problem(404);
        }
        let more = found.len() > from.saturating_add(size);
        let mut shown: Vec<Value> = Vec::new();
        for row in found.iter().skip(from).take(size) {
            let include = parameter(Role::Include);
            if include.is_some() && self.switch == Switch::IncludeRefused {
                return self.problem(400);
            }
            let relation = include.and_then(|name| list.relation(name));
            shown.push(self.shown(row, asked, relation.map(|relation| relation.member.as_str())));
        }
        let mut answer = self.json(200, &self.enveloped(shown));
        if more && matches!(self.switch, Switch::LinkHeaders | Switch::OpaqueLinks) {
            let mut next = reqwest::Url::parse("http://model").unwrap();
            let rest = asked.query.iter().filter(|(name, _)| name != "page");
            next.query_pairs_mut().extend_pairs(rest).append_pair(
                "page",
                &format!(
                    "{}{}",
                    if self.switch == Switch::OpaqueLinks {
                        "cursor-"
                    } else {
                        ""
                    },
                    page + 1
                ),
            );
            let link = format!("<?{}>; rel=\"next\"", next.query().unwrap());
            answer.headers_mut().insert("link", link.parse().unwrap());
        }
        answer
    }

    /// A record as an answer shows it.
    fn shown(&self, row: &Row, asked: &Asked, included: Option<&str>) -> Value {
        let mut record = row.record.clone();
        if let Some(member) = included
            && record["included"].is_object()
        {
            let related = row
                .related
                .iter()
                .find(|(name, _)| *name == member)
                .map(|(_, value)| value.clone());
            match related.filter(|value| !value.is_null()) {
                None if self.switch == Switch::RelationLeftOut => {}
                value => record["included"][member] = value.unwrap_or_default(),
            }
        }
        let by_id = asked.query.iter().any(|(name, _)| name == "filter[id]");
        match self.switch {
            Switch::StaleById if by_id => record["full_name"] = json!("Somebody Else"),
            Switch::StaleUnderInclude if included.is_some() => record["count"]["policy_users"] = json!(99),
            Switch::StaleSingle if self.list(&asked.path).is_none() => record["state"] = json!("deactivated"),
            _ => {}
        }
        record
    }

    fn enveloped(&self, records: Vec<Value>) -> Value {
        match self.switch {
            Switch::Envelope(member) => json!({member: records, "meta": {"page": 1}}),
            Switch::EnvelopeOfTwo => json!({"data": records, "errors": []}),
            _ => Value::Array(records),
        }
    }

    fn single(&self, asked: &Asked) -> Answer {
        let Some((path, id)) = asked.path.rsplit_once('/') else {
            return self.problem(404);
        };
        if matches!(self.switch, Switch::NoExtensions | Switch::ExtensionsForbidMethod) {
            return self.problem(404);
        }
        let rows = self.rows.lock().unwrap();
        let rows = rows.iter().find(|(list, _)| list == path).map(|(_, rows)| rows);
        match rows.and_then(|rows| rows.iter().find(|row| row.record["id"] == id)) {
            Some(row) => self.json(200, &self.shown(row, asked, None)),
            None => self.problem(404),
        }
    }

    /// Carries a write out, whatever it is: the record shows that something happened.
    fn write(&self, asked: &Asked) {
        let mut rows = self.rows.lock().unwrap();
        let rows = rows.iter_mut().flat_map(|(_, rows)| rows.iter_mut());
        for row in rows {
            if row.record["id"]
                .as_str()
                .is_some_and(|id| asked.path.contains(id))
            {
                row.record["timestamp"]["updated_at"] =
                    json!(format!("2026-06-01T00:00:{:02}.000000Z", asked.number % 60));
            }
        }
    }

    /// Somebody marries.
    fn move_something(&self, number: usize) {
        let mut rows = self.rows.lock().unwrap();
        let count = rows[0].1.len();
        if count > 0 {
            let record = &mut rows[0].1[number * 13 % count].record;
            record["last_name"] = json!(["Miller", "Smith", "Ng"][number % 3]);
            record["state"] = json!(["active", "staged", "suspended"][number / 5 % 3]);
            record["timestamp"]["updated_at"] = json!(format!("2026-06-01T00:00:{:02}.000000Z", number % 60));
        }
    }

    fn problem(&self, status: u16) -> Answer {
        match self.switch {
            Switch::PlainErrors => Response::builder().status(status).body(Body::from("no")).unwrap(),
            _ => self.json(status, &json!({"status": status})),
        }
    }

    fn json(&self, status: u16, value: &Value) -> Answer {
        let kind = match self.switch {
            Switch::HtmlType => "text/html",
            Switch::VendorJson => "application/vnd.api+json; charset=utf-8",
            _ => "application/json",
        };
        Response::builder()
            .status(status)
            .header("content-type", kind)
            .body(Body::from(value.to_string()))
            .unwrap()
    }
}
