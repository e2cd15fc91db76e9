//! Which rows a query finds: every filter of the contract by what its annotation says.

use rollcall_contract::{Filter, Match, Position, Test, ValueKind};

use super::super::Asked;
use super::super::hooks::Matching;
use super::super::settings::Repeated;
use super::row::{Cell, Row};
use super::table::{Column, Table};
use super::{Model, timestamp};

/// A refusal with its status.
pub(super) struct Refused(pub(super) u16);

/// A filter of a request, ready to be held against rows.
struct Wanted<'a> {
    name: &'a str,
    filter: &'a Filter,
    columns: &'a [Column],
    value: &'a str,
    folded: String,
    timestamp: Option<i64>,
}

/// A day in microseconds.
const DAY: i64 = 86_400_000_000;
/// The most characters of a value that are matched.
const LONGEST: usize = 1024;

impl Model {
    /// The rows that all filters leave, in no order.
    pub(super) fn find<'r>(
        &self,
        table: &Table,
        rows: &'r [Row],
        asked: &Asked,
    ) -> Result<Vec<&'r Row>, Refused> {
        let mut wanted = Vec::new();
        let mut trashed = "without";
        for (index, (name, value)) in asked.query.iter().enumerate() {
            if !table.knows(name) {
                match self.hooks.settings.ignores_unknown {
                    true => continue,
                    false => return Err(Refused(400)),
                }
            }
            let is_same = |(other, _): &(String, String)| other == name;
            let is_hidden = match self.hooks.settings.repeated {
                Repeated::Neither if asked.query[..index].iter().any(is_same) => return Err(Refused(400)),
                Repeated::Neither => false,
                Repeated::First => asked.query[..index].iter().any(is_same),
                Repeated::Last => asked.query[index + 1..].iter().any(is_same),
            };
            if is_hidden {
                continue;
            }
            match table.filters.get(name) {
                Some((filter, _)) if filter.matching == Match::Trashed => trashed = value,
                Some((filter, columns)) => wanted.extend(self.wanted(name, filter, columns, value)?),
                None => {}
            }
        }
        let offers_trashed = table.filters.contains_key("filter[trashed]");
        let found = rows.iter().filter(|row| {
            let is_listed = match trashed {
                "with" => true,
                "only" => row.trashed,
                _ => !row.trashed || !offers_trashed,
            };
            is_listed && wanted.iter().all(|wanted| self.verdict(asked, wanted, row, rows))
        });
        Ok(found.collect())
    }

    /// Takes the value of a filter apart, or refuses it.
    fn wanted<'a>(
        &self,
        name: &'a str,
        filter: &'a Filter,
        columns: &'a [Column],
        value: &'a str,
    ) -> Result<Option<Wanted<'a>>, Refused> {
        let settings = &self.hooks.settings;
        if value.is_empty() && settings.ignores_empty {
            return Ok(None);
        }
        let timestamp = timestamp::parse(value);
        let is_known = match &filter.value {
            ValueKind::Word(words) => settings.takes_any_word || words.iter().any(|word| word == value),
            ValueKind::Boolean => ["true", "false"].contains(&value),
            ValueKind::Integer => value.parse::<i64>().is_ok(),
            ValueKind::Timestamp => timestamp.is_some(),
            ValueKind::Text { .. } | ValueKind::Trashed(_) => {
                value.chars().count() <= settings.longest.unwrap_or(LONGEST)
            }
        };
        let is_taken = is_known && !value.is_empty() || value.is_empty() && settings.takes_empty;
        match is_taken {
            false => Err(Refused(400)),
            true => Ok(Some(Wanted {
                name,
                filter,
                columns,
                value,
                folded: value.to_lowercase(),
                timestamp,
            })),
        }
    }

    fn verdict(&self, asked: &Asked, wanted: &Wanted<'_>, row: &Row, rows: &[Row]) -> bool {
        let verdict = self.matches(wanted, row);
        if self.hooks.matching.is_empty() {
            return verdict;
        }
        let matching = Matching {
            asked,
            name: wanted.name,
            filter: wanted.filter,
            value: wanted.value,
            row,
            rows,
            columns: wanted.columns,
        };
        let hooks = self.hooks.matching.iter();
        hooks.fold(verdict, |verdict, hook| hook(&matching, verdict))
    }

    fn matches(&self, wanted: &Wanted<'_>, row: &Row) -> bool {
        let settings = &self.hooks.settings;
        if wanted.value.is_empty() {
            return false;
        }
        let mut cells = wanted.columns.iter().map(|column| &row.cells[column.0]);
        let texts = |cell: &Cell, is: &dyn Fn(&str, &str) -> bool| {
            cell.texts.iter().any(|text| is(&text.exact, &text.folded))
        };
        match wanted.filter.matching {
            Match::Exact if settings.folds_case => {
                cells.any(|cell| texts(cell, &|_, folded| folded == wanted.folded))
            }
            Match::Exact => cells.any(|cell| texts(cell, &|exact, _| exact == wanted.value)),
            Match::Contains if settings.minds_case => {
                cells.any(|cell| texts(cell, &|exact, _| exact.contains(wanted.value)))
            }
            Match::Contains => cells.any(|cell| texts(cell, &|_, folded| folded.contains(&wanted.folded))),
            Match::Before => self.bounds(cells.next(), wanted, |own, bound| own < bound),
            Match::After => self.bounds(cells.next(), wanted, |own, bound| own > bound),
            Match::Flag if wanted.filter.all.is_empty() => {
                cells.any(|cell| texts(cell, &|exact, _| exact == wanted.value))
            }
            Match::Flag => {
                let mut conditions = wanted.filter.all.iter().zip(cells);
                let all = conditions.all(|(condition, cell)| match &condition.test {
                    Test::Is(value) => texts(cell, &|exact, _| value == exact),
                    Test::Present(present) => cell.texts.is_empty() != *present,
                });
                all == (wanted.value == "true")
            }
            Match::Trashed => true,
        }
    }

    fn bounds(&self, cell: Option<&Cell>, wanted: &Wanted<'_>, is: fn(i64, i64) -> bool) -> bool {
        let days = |timestamp: i64| match self.hooks.settings.compares_days {
            true => timestamp.div_euclid(DAY),
            false => timestamp,
        };
        let own = cell.and_then(|cell| cell.timestamp).map(days);
        match (own, wanted.timestamp.map(days)) {
            (Some(own), Some(bound)) => is(own, bound) || own == bound && self.hooks.settings.includes_bounds,
            _ => false,
        }
    }
}

impl Table {
    /// The parameter that plays a role, in a request.
    pub(super) fn asked<'a>(&self, role: rollcall_contract::Role, asked: &'a Asked) -> Option<&'a str> {
        let parameter = self.operation.role(role)?;
        debug_assert_eq!(parameter.position, Position::Query);
        asked.value(&parameter.name)
    }
}
