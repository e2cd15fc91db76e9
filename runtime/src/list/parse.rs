//! Query text → [`ListQuery`]. The faults are reported at once, each with its parameter.

use crate::list::words::{shown, unknown};
use crate::list::{
    Condition, Filter, Form, List, ListQuery, MOST_FAULTS, Role, Selector, SortKey, Trashed, Value,
    ValueKind, pairs,
};
use crate::{Fault, FaultCode, Timestamp};

type Faults = Vec<Fault>;

impl<L: List> ListQuery<L> {
    /// Reads the text behind the `?`.
    pub fn parse(query: &str) -> Result<Self, Faults> {
        let mut parsed = Self::default();
        let mut faults = Faults::new();
        let mut seen = Vec::new();
        for (name, value) in pairs(query)? {
            let role = L::ROLES.iter().find(|(known, _)| *known == name);
            let filter = L::FILTERS.iter().find(|filter| filter.name == name);
            let taken = match (role, filter) {
                _ if seen.contains(&name) => Err(vec![Fault::of_parameter(
                    &name,
                    FaultCode::RepeatedParameter,
                    "given more than once",
                )]),
                (Some((_, role)), _) => parsed.take_role(*role, &name, &value),
                (None, Some(filter)) => parsed.take_filter(filter, &value).map_err(|one| vec![one]),
                (None, None) => {
                    let known: Vec<_> = names::<L>().collect();
                    Err(vec![unknown(
                        &name,
                        FaultCode::UnknownParameter,
                        &name,
                        "a parameter here",
                        &known,
                    )])
                }
            };
            faults.extend(taken.err().into_iter().flatten());
            seen.push(name);
            if faults.len() >= MOST_FAULTS {
                break;
            }
        }
        faults.truncate(MOST_FAULTS);
        if faults.is_empty() {
            Ok(parsed)
        } else {
            Err(faults)
        }
    }

    fn take_role(&mut self, role: Role, name: &str, value: &str) -> Result<(), Faults> {
        match role {
            Role::Include => self.include = include::<L>(name, value)?,
            Role::Sort => self.sort = sort::<L>(name, value)?,
            Role::Page { max_length } => {
                self.page = page(name, value, max_length).map_err(|one| vec![one])?
            }
            Role::PageSize => {
                self.size = size(name, value, L::PAGE_SIZES.maximum).map_err(|one| vec![one])?
            }
            Role::PageTotal => self.total = boolean(name, value).map_err(|one| vec![one])?,
        }
        Ok(())
    }

    fn take_filter(&mut self, filter: &'static Filter<L::Field>, value: &str) -> Result<(), Fault> {
        if let ValueKind::Trashed { max_length } = filter.value {
            check_length(filter.name, value, max_length)?;
            self.trashed = trashed(value);
            return Ok(());
        }
        if value.is_empty() {
            return Err(Fault::of_parameter(
                filter.name,
                FaultCode::EmptyValue,
                "a value is missing",
            ));
        }
        let value = read(filter.name, filter.value, value)?;
        self.conditions.push(Condition { filter, value });
        Ok(())
    }
}

/// Every parameter of a list.
fn names<L: List>() -> impl Iterator<Item = &'static str> {
    L::ROLES
        .iter()
        .map(|(name, _)| *name)
        .chain(L::FILTERS.iter().map(|filter| filter.name))
}

fn read(name: &str, kind: ValueKind, value: &str) -> Result<Value, Fault> {
    match kind {
        ValueKind::Text { max_length } | ValueKind::Trashed { max_length } => {
            check_length(name, value, max_length)?;
            Ok(Value::Text(value.to_owned()))
        }
        ValueKind::Word(words) if words.contains(&value) => Ok(Value::Text(value.to_owned())),
        ValueKind::Word(words) => Err(unknown(
            name,
            FaultCode::UnknownWord,
            value,
            "a value of this filter",
            words,
        )),
        ValueKind::Boolean => boolean(name, value).map(Value::Flag),
        ValueKind::Timestamp { max_length } => {
            check_length(name, value, max_length)?;
            let timestamp = Timestamp::read_any(value).map_err(|why| {
                let detail = format!("{} is {why}", shown(value));
                Fault::of_parameter(name, FaultCode::InvalidValue, detail)
            })?;
            Ok(Value::Timestamp(timestamp))
        }
    }
}

fn trashed(value: &str) -> Trashed {
    match value {
        "with" => Trashed::With,
        "only" => Trashed::Only,
        _ => Trashed::Without,
    }
}

fn boolean(name: &str, value: &str) -> Result<bool, Fault> {
    match value {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(unknown(
            name,
            FaultCode::InvalidValue,
            value,
            "a boolean",
            &["true", "false"],
        )),
    }
}

fn page(name: &str, value: &str, max_length: usize) -> Result<Selector, Fault> {
    let wrong =
        |why: &str| Fault::of_parameter(name, FaultCode::InvalidPage, format!("{} is {why}", shown(value)));
    if value.is_empty() || value.chars().count() > max_length {
        return Err(wrong("no page: it is empty or too long"));
    }
    if value.starts_with("c_") {
        return Ok(Selector::Cursor(value.to_owned()));
    }
    if !value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(wrong(
            "neither a page number from 1 nor a cursor out of a Link header",
        ));
    }
    match value.parse::<u64>() {
        Ok(0) => Err(wrong("no page: the first one is 1")),
        Ok(number) if number <= MAX_PAGE => Ok(Selector::Number(number)),
        _ => Err(wrong("beyond any page there can be")),
    }
}

/// So that a page's offset fits 64 bits with room to spare.
const MAX_PAGE: u64 = 1_000_000_000_000;

fn size(name: &str, value: &str, maximum: u16) -> Result<u16, Fault> {
    // A sign is no part of a size.
    let size = value
        .parse()
        .ok()
        .filter(|_| value.bytes().all(|byte| byte.is_ascii_digit()));
    size.filter(|size| (1..=maximum).contains(size)).ok_or_else(|| {
        let detail = format!("{} is not a page size from 1 to {maximum}", shown(value));
        Fault::of_parameter(name, FaultCode::InvalidPage, detail)
    })
}

/// The words of a text with commas, at most so many; an empty text has none, an empty word is a fault.
fn words<'v>(name: &str, value: &'v str, most: usize) -> Result<Vec<&'v str>, Faults> {
    if value.is_empty() {
        return Ok(Vec::new());
    }
    let words: Vec<_> = value.split(',').take(most + 1).collect();
    if words.len() > most {
        let detail = format!("the value has more than {most} words");
        return Err(vec![Fault::of_parameter(name, FaultCode::ValueTooLong, &detail)]);
    }
    match words.iter().any(|word| word.is_empty()) {
        true => Err(vec![Fault::of_parameter(
            name,
            FaultCode::EmptyValue,
            "there is nothing between two commas, or before or behind one",
        )]),
        false => Ok(words),
    }
}

fn include<L: List>(name: &str, value: &str) -> Result<Vec<(L::Relation, Form)>, Faults> {
    let known = || {
        let forms =
            |spec: &crate::list::RelationSpec<_>| Form::ALL.map(|form| [spec.name, form.suffix()].concat());
        L::RELATIONS.iter().flat_map(forms)
    };
    let mut wanted = Vec::new();
    let mut faults = Faults::new();
    for word in words(name, value, L::RELATIONS.len() * Form::ALL.len())? {
        if faults.len() == MOST_FAULTS {
            break;
        }
        match known().position(|known| known == word) {
            Some(place) => wanted.push(place),
            None => {
                let known: Vec<String> = known().collect();
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                faults.push(unknown(
                    name,
                    FaultCode::UnknownWord,
                    word,
                    "a relation of this list",
                    &known,
                ));
            }
        }
    }
    wanted.sort_unstable();
    wanted.dedup();
    let relation = |place: usize| (L::RELATIONS[place / 3].relation, Form::ALL[place % 3]);
    if faults.is_empty() {
        Ok(wanted.into_iter().map(relation).collect())
    } else {
        Err(faults)
    }
}

fn sort<L: List>(name: &str, value: &str) -> Result<Vec<SortKey<L::Field>>, Faults> {
    let mut keys: Vec<SortKey<L::Field>> = Vec::new();
    let mut faults = Faults::new();
    for word in words(name, value, L::SORT.len())? {
        if faults.len() == MOST_FAULTS {
            break;
        }
        let (descending, field) = word
            .strip_prefix('-')
            .map_or((false, word), |field| (true, field));
        match L::SORT.iter().find(|(known, _)| *known == field) {
            None => {
                let known: Vec<_> = L::SORT.iter().map(|(known, _)| *known).collect();
                faults.push(unknown(
                    name,
                    FaultCode::UnknownWord,
                    field,
                    "a sort field of this list",
                    &known,
                ));
            }
            Some((_, field)) if keys.iter().any(|key| key.field == *field) => {
                let why = format!("{} is named twice", shown(word));
                faults.push(Fault::of_parameter(name, FaultCode::RepeatedParameter, &why));
            }
            Some((_, field)) => keys.push(SortKey {
                field: *field,
                descending,
            }),
        }
    }
    if faults.is_empty() { Ok(keys) } else { Err(faults) }
}

fn check_length(name: &str, value: &str, max_length: usize) -> Result<(), Fault> {
    if value.chars().count() <= max_length {
        return Ok(());
    }
    let detail = format!("longer than {max_length} characters");
    Err(Fault::of_parameter(name, FaultCode::ValueTooLong, detail))
}
