//! Which rows a query finds.

use rollcall_contract::{Filter, Match, Operation, Pointer, Test, ValueKind};
use serde_json::Value;

use super::{Asked, Model, Row, Switch};

/// Why a query is refused.
pub(super) struct Refused(pub(super) u16);

impl Model {
    /// The rows that all filters of a query leave, in the order of their ids.
    pub(super) fn find<'r>(
        &self,
        operation: &Operation,
        rows: &'r [Row],
        asked: &Asked,
    ) -> Result<Vec<&'r Row>, Refused> {
        let mut filters: Vec<(&str, &Filter, &str)> = Vec::new();
        for (name, value) in &asked.query {
            let parameter = operation
                .parameters
                .iter()
                .find(|parameter| parameter.name == *name);
            match parameter.map(|parameter| &parameter.filter) {
                Some(Some(filter)) => filters.push((name, filter, value)),
                Some(None) => {}
                None if self.switch == Switch::UnknownIgnored => {}
                None => return Err(Refused(400)),
            }
        }
        let trashed = filters
            .iter()
            .find(|(_, filter, _)| filter.matching == Match::Trashed);
        let trashed = trashed.map(|(_, _, word)| *word);
        filters.retain(|(_, filter, _)| filter.matching != Match::Trashed);
        match self.switch {
            Switch::FirstFilterWins => filters.truncate(1),
            Switch::LastFilterWins => _ = filters.drain(..filters.len().saturating_sub(1)),
            _ => {}
        }
        let mut found: Vec<&Row> = rows.iter().collect();
        found.retain(|row| match trashed {
            Some("with") => true,
            Some("only") => row.trashed,
            _ => !row.trashed,
        });
        for (name, filter, value) in filters {
            self.permit(filter, value)?;
            let whole = found.clone();
            found.retain(|row| self.matches(name, filter, value, row, rows));
            self.unsettle(name, filter, value, &whole, &mut found, asked);
        }
        found.sort_by(|one, other| one.record["id"].as_str().cmp(&other.record["id"].as_str()));
        Ok(found)
    }

    fn permit(&self, filter: &Filter, value: &str) -> Result<(), Refused> {
        if value.is_empty() && self.switch != Switch::EmptyUnfiltered {
            return Err(Refused(400));
        }
        let wide = matches!(
            self.switch,
            Switch::BadState | Switch::UnknownStateFindsNothing | Switch::Ignored(_) | Switch::Contains(_)
        );
        let wide = wide
            || matches!(
                self.switch,
                Switch::StartsWith(_) | Switch::EndsWith(_) | Switch::CaseFolded
            );
        let wide = wide || self.switch == Switch::UnknownFindsAll;
        match &filter.value {
            ValueKind::Word(words) if !wide && !words.iter().any(|word| word == value) => Err(Refused(400)),
            ValueKind::Boolean if !["true", "false"].contains(&value) => Err(Refused(400)),
            ValueKind::Word(_) if self.switch == Switch::StateRefused && value == "suspended" => {
                Err(Refused(400))
            }
            _ if self.switch == Switch::QuoteFails && value.contains('\'') => Err(Refused(500)),
            _ if self.switch == Switch::BackslashFails && value.contains('\\') => Err(Refused(500)),
            _ if self.switch == Switch::StrangeIdsRefused && is_id(filter) && !value.contains("_k") => {
                Err(Refused(422))
            }
            _ => Ok(()),
        }
    }

    fn matches(&self, name: &str, filter: &Filter, value: &str, row: &Row, rows: &[Row]) -> bool {
        let switch = self.switch;
        let field = |pointer: &Pointer| match filter.shown {
            true => text(pointer.find(&row.record)),
            false => row
                .hidden
                .iter()
                .find(|(name, _)| pointer.last() == Some(name))
                .and_then(|(_, v)| v.clone()),
        };
        let is = |broken: &str| name == format!("filter[{broken}]");
        match filter.matching {
            Match::Contains => filter.fields.iter().any(|at| {
                field(at).is_some_and(|field| field.to_lowercase().contains(&value.to_lowercase()))
            }),
            Match::Exact => {
                let Some(own) = filter.fields.first().and_then(field) else {
                    return matches!(switch, Switch::Ignored(broken) if is(broken));
                };
                match switch {
                    Switch::Ignored(broken) if is(broken) => true,
                    Switch::Contains(broken) if is(broken) => own.contains(value),
                    Switch::StartsWith(broken) if is(broken) => own.starts_with(value),
                    Switch::EndsWith(broken) if is(broken) => own.ends_with(value),
                    Switch::Wildcards(broken) if is(broken) => like(value, &own),
                    Switch::OtherMember(broken, other) if is(broken) => {
                        text(row.record.get(other)) == Some(value.into())
                    }
                    Switch::QuoteInjects if value.contains("' OR '") => true,
                    Switch::CaseFolded => own.to_lowercase() == value.to_lowercase(),
                    Switch::IdInPart if is("id") => own.get(..9) == value.get(..9),
                    Switch::ManagerHimself if is("manager_id") => row.record["id"] == value,
                    Switch::ManagerOfManager if is("manager_id") => {
                        let manager = rows.iter().find(|row| row.record["id"] == *own);
                        own == value || manager.is_some_and(|manager| manager.record["manager_id"] == value)
                    }
                    _ => own == value,
                }
            }
            Match::Flag if filter.all.is_empty() => {
                filter.fields.iter().any(|at| field(at).as_deref() == Some(value))
            }
            Match::Flag => {
                let all = filter.all.iter().all(|condition| match &condition.test {
                    Test::Is(wanted) => condition.field.find(&row.record) == Some(wanted),
                    Test::Present(present) => condition
                        .field
                        .find(&row.record)
                        .is_some_and(|value| value.is_null() != *present),
                });
                all == (value == "true")
            }
            Match::Before | Match::After | Match::Trashed => true,
        }
    }

    /// Faults that concern the answer to a filter as a whole.
    fn unsettle<'r>(
        &self,
        name: &str,
        filter: &Filter,
        value: &str,
        whole: &[&'r Row],
        found: &mut Vec<&'r Row>,
        asked: &Asked,
    ) {
        if filter.matching != Match::Exact {
            return;
        }
        match self.switch {
            Switch::DropsRow(broken) if name == format!("filter[{broken}]") => _ = found.pop(),
            Switch::DropsNonAscii if !value.is_ascii() => found.clear(),
            Switch::Flaky if asked.number.is_multiple_of(3) => _ = found.pop(),
            Switch::UnknownFindsAll if found.is_empty() => *found = whole.to_vec(),
            _ => {}
        }
    }
}

fn is_id(filter: &Filter) -> bool {
    filter.fields.first().and_then(Pointer::last) == Some("id")
}

fn text(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(text) => Some(text.clone()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The LIKE of SQL, without an escape character.
fn like(pattern: &str, text: &str) -> bool {
    match pattern.chars().next() {
        None => text.is_empty(),
        Some('%') => (0..=text.len())
            .filter(|at| text.is_char_boundary(*at))
            .any(|at| like(&pattern[1..], &text[at..])),
        Some(letter) => text.chars().next().is_some_and(|other| {
            (letter == '_' || letter == other)
                && like(&pattern[letter.len_utf8()..], &text[other.len_utf8()..])
        }),
    }
}
