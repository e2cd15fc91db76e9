//! From a request to an answer: access, lists, single records, writes.

use std::sync::Arc;

use axum::http::Method;

use super::super::asked::Previous;
use super::super::reply::Reply;
use super::super::{Asked, TOKEN};
use super::find::Refused;
use super::table::{SERVED, Table};
use super::{Model, Row, TABLES};
use crate::hooks::Found;

impl Model {
    /// The answer to a request, which is remembered until the next one is answered.
    pub fn reply(&self, asked: &mut Asked) -> Reply {
        asked.previous = self.previous.lock().unwrap().clone();
        let sent = asked.clone();
        let reply = self.answer(asked);
        let previous = Previous {
            asked: Asked {
                previous: None,
                ..sent
            },
            status: reply.status,
        };
        *self.previous.lock().unwrap() = Some(Arc::new(previous));
        reply
    }

    fn answer(&self, asked: &mut Asked) -> Reply {
        let settings = &self.hooks.settings;
        for hook in &self.hooks.request {
            hook(asked);
        }
        if settings.moves_every > 0 && asked.number.is_multiple_of(settings.moves_every) {
            self.move_somebody(asked.number);
        }
        self.move_what_is_due();
        let mut reply = match settings.busy_every {
            every if every > 0 && asked.number % every == every / 2 => {
                let mut busy = Reply::problem(429);
                busy.set("retry-after", "0");
                busy
            }
            _ => self
                .decide(asked)
                .unwrap_or_else(|Refused(status)| Reply::problem(status)),
        };
        for hook in &self.hooks.answer {
            hook(asked, &mut reply);
        }
        reply
    }

    fn decide(&self, asked: &mut Asked) -> Result<Reply, Refused> {
        if !self.is_granted(asked) {
            if asked.writes() && self.hooks.settings.refuses_too_late {
                _ = self.write(asked);
            }
            return Err(Refused(401));
        }
        if asked.method == Method::PATCH {
            return self.write(asked);
        }
        if asked.writes() {
            return Err(Refused(405));
        }
        for hook in &self.hooks.query {
            hook(asked);
        }
        match (asked.refused, self.table(&asked.path)) {
            (Some(status), _) => Err(Refused(status)),
            (None, Some(table)) => self.listed(table, asked),
            (None, None) => self.single(asked),
        }
    }

    fn is_granted(&self, asked: &Asked) -> bool {
        let hooks = self.hooks.grant.iter();
        let decided = hooks.filter_map(|hook| hook(asked)).next();
        decided.unwrap_or_else(|| {
            let header = asked.credentials.as_deref().unwrap_or_default();
            header.split_once(' ') == Some(("Bearer", TOKEN))
        })
    }

    fn table(&self, path: &str) -> Option<&'static Table> {
        TABLES.iter().find(|table| table.operation.path == path)
    }

    fn extension(&self, is_extension: bool) -> Result<(), Refused> {
        match self.hooks.settings.without_extensions {
            Some(status) if is_extension => Err(Refused(status)),
            _ => Ok(()),
        }
    }

    fn listed(&self, table: &Table, asked: &Asked) -> Result<Reply, Refused> {
        let settings = &self.hooks.settings;
        self.extension(table.operation.origin.extension)?;
        let stored = self.rows.read().unwrap();
        let all = stored.list(&table.operation.path).unwrap();
        let mut rows = self.find(table, all, asked)?;
        self.sort(table, asked, &mut rows)?;
        let included = table.included(asked)?;
        let page = self.page(table, asked)?;
        if settings.random_order && !asked.has("sort") && !rows.is_empty() {
            let count = rows.len();
            rows.rotate_left(asked.number * 7 % count);
            rows.swap(0, asked.number % count);
        }
        let mut found = Found {
            rows,
            all,
            page: self.page_size,
        };
        for hook in &self.hooks.found {
            hook(asked, &mut found);
        }
        let count = found.rows.len();
        if let Some(status) = settings.past_end.filter(|_| page.from > 0 && page.from >= count) {
            return Err(Refused(status));
        }
        let mut rows: Vec<&Row> = found.rows.into_iter().skip(page.from).take(page.size).collect();
        for hook in &self.hooks.page {
            hook(asked, &mut rows);
        }
        let shown = rows
            .into_iter()
            .map(|row| self.text(table, &stored, asked, &included, row));
        let shown: Vec<String> = shown.collect();
        let mut reply = Reply::written(200, format!("[{}]", shown.join(",")));
        if let Some(next) = self.next(&page, count, asked) {
            reply.set("link", next);
        }
        if page.total {
            reply.set("x-total-count", count.to_string());
        }
        Ok(reply)
    }

    fn single(&self, asked: &Asked) -> Result<Reply, Refused> {
        let (path, id) = asked.path.rsplit_once('/').ok_or(Refused(404))?;
        if !SERVED.contains(&path) {
            return Err(Refused(404));
        }
        self.extension(true)?;
        if !asked.query.is_empty() && !self.hooks.settings.ignores_unknown {
            return Err(Refused(400));
        }
        let table = self.table(path).ok_or(Refused(404))?;
        let stored = self.rows.read().unwrap();
        let rows = stored.list(path).unwrap();
        let row = stored
            .position(id)
            .and_then(|index| rows.get(index))
            .filter(|row| row.id() == id);
        let text = self.text(table, &stored, asked, &[], row.ok_or(Refused(404))?);
        Ok(Reply::written(200, text))
    }
}
