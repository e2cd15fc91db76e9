//! [`ListQuery`] → query text, for the links between pages. Parsing what was printed gives the same query.

use crate::list::{List, ListQuery, Match, Role, Selector, SortKey, Trashed, Value, pairs};

impl<L: List> ListQuery<L> {
    /// The text behind the `?`, without one for the default query.
    pub fn print(&self) -> String {
        let mut text = String::new();
        for condition in &self.conditions {
            match &condition.value {
                Value::Text(value) => put(&mut text, condition.filter.name, value),
                Value::Flag(value) => put(&mut text, condition.filter.name, word(*value)),
                Value::Timestamp(value) => put(&mut text, condition.filter.name, &value.to_string()),
            }
        }
        if let Some(filter) = L::FILTERS.iter().find(|filter| filter.matching == Match::Trashed) {
            match self.trashed {
                Trashed::Without => {}
                Trashed::With => put(&mut text, filter.name, "with"),
                Trashed::Only => put(&mut text, filter.name, "only"),
            }
        }
        for (name, role) in L::ROLES {
            match role {
                Role::Include => put_some(&mut text, name, &self.include_words()),
                Role::Sort => put_some(&mut text, name, &self.sort_words()),
                Role::Page { .. } => match &self.page {
                    Selector::Number(1) => {}
                    Selector::Number(number) => put(&mut text, name, &number.to_string()),
                    Selector::Cursor(cursor) => put(&mut text, name, cursor),
                },
                Role::PageSize if self.size == Self::default().size => {}
                Role::PageSize => put(&mut text, name, &self.size.to_string()),
                Role::PageTotal if !self.total => {}
                Role::PageTotal => put(&mut text, name, word(true)),
            }
        }
        text
    }

    /// The filters, `trashed` and the sort as text. Queries that differ in the page, in `include` or in the order of their filters
    /// have the same text.
    pub fn question(&self) -> String {
        let mut conditions = self.conditions.clone();
        conditions.sort_by_key(|condition| condition.filter.name);
        Self {
            conditions,
            trashed: self.trashed,
            sort: self.sort.clone(),
            ..Self::default()
        }
        .print()
    }

    /// The words of `include`, with commas.
    pub fn include_words(&self) -> String {
        let words = self.include.iter().filter_map(|(relation, form)| {
            let spec = L::RELATIONS.iter().find(|spec| spec.relation == *relation)?;
            Some([spec.name, form.suffix()].concat())
        });
        words.collect::<Vec<_>>().join(",")
    }

    /// The words of `sort`, with commas.
    pub fn sort_words(&self) -> String {
        let words = self.sort.iter().filter_map(|SortKey { field, descending }| {
            let (word, _) = L::SORT.iter().find(|(_, known)| known == field)?;
            Some([if *descending { "-" } else { "" }, word].concat())
        });
        words.collect::<Vec<_>>().join(",")
    }
}

fn word(flag: bool) -> &'static str {
    if flag { "true" } else { "false" }
}

fn put_some(text: &mut String, name: &str, value: &str) {
    if !value.is_empty() {
        put(text, name, value);
    }
}

fn put(text: &mut String, name: &str, value: &str) {
    if !text.is_empty() {
        text.push('&');
    }
    pairs::encode(name, text);
    text.push('=');
    pairs::encode(value, text);
}
