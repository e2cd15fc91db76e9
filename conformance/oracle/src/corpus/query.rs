//! A question to a list, in terms the oracle understands: filters with values, an order, relations, a page.

use rollcall_contract::{Role, SortKey};

use crate::corpus::ListCorpus;
use crate::corpus::predicate::{Membership, ObservableFilter};
use crate::corpus::projection::DeletedScope;
use crate::corpus::records::Record;
use crate::corpus::snapshot::Snapshot;
use crate::corpus::verdicts::Verdicts;
use crate::http::preceding::Preceding;
use crate::http::request::{Request, Spelling};

/// A question to a list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// Filters, each with its value.
    pub filters: Vec<(ObservableFilter, String)>,
    /// The order; none for the target's own.
    pub sort: Vec<SortKey>,
    /// What to include, in any of its forms.
    pub include: Vec<String>,
    /// The page, counted from 1; none for the first and all that follow.
    pub page: Option<usize>,
    /// Whether what follows the first page is left out.
    pub first_page: bool,
    /// Whether soft-deleted records must not come back where no filter speaks of them, §4.1. Without it, that is open.
    pub hides_deleted: bool,
    /// How it is written, which does not matter.
    pub spelling: Spelling,
    /// Headers that do not matter by the specification.
    pub headers: Vec<(&'static str, &'static str)>,
    /// What is sent right before it, which does not matter by the specification either.
    pub after: Option<Preceding>,
}

impl Query {
    /// A question by one filter.
    pub fn by(filter: &ObservableFilter, value: impl Into<String>) -> Self {
        Self {
            filters: vec![(filter.clone(), value.into())],
            ..Self::default()
        }
    }

    /// The same question with one more filter.
    #[must_use]
    pub fn and(mut self, filter: &ObservableFilter, value: impl Into<String>) -> Self {
        self.filters.push((filter.clone(), value.into()));
        self
    }

    /// The same question in an order, written as in `sort`.
    #[must_use]
    pub fn sorted(mut self, keys: &[&str]) -> Self {
        self.sort = keys.iter().map(|key| SortKey::parse(key)).collect();
        self
    }

    /// The same question with relations.
    #[must_use]
    pub fn including(mut self, names: &[&str]) -> Self {
        self.include = names.iter().map(|name| (*name).to_owned()).collect();
        self
    }

    /// The same question for one page by its number.
    #[must_use]
    pub fn on_page(mut self, number: usize) -> Self {
        self.page = Some(number);
        self
    }

    /// The same question for all pages.
    #[must_use]
    pub fn whole(&self) -> Self {
        Self {
            page: None,
            first_page: false,
            ..self.clone()
        }
    }

    /// The same question with one parameter less, or for one page instead of all.
    pub fn smaller(&self) -> Vec<Self> {
        let mut smaller = Vec::new();
        if self.after.is_some() {
            smaller.push(Self {
                after: None,
                ..self.clone()
            });
        }
        if self.spelling != Spelling::Usual {
            smaller.push(Self {
                spelling: Spelling::Usual,
                ..self.clone()
            });
        }
        smaller.extend(shorter(&self.headers).into_iter().map(|headers| Self {
            headers,
            ..self.clone()
        }));
        if self.page.is_none() && !self.first_page {
            let one = |page| Self {
                page,
                first_page: page.is_none(),
                ..self.clone()
            };
            smaller.extend([None, Some(2), Some(3)].map(one));
        }
        if self.page.is_some() {
            smaller.push(Self {
                page: None,
                first_page: true,
                ..self.clone()
            });
        }
        smaller.extend(shorter(&self.include).into_iter().map(|include| Self {
            include,
            ..self.clone()
        }));
        smaller.extend(
            shorter(&self.sort)
                .into_iter()
                .map(|sort| Self { sort, ..self.clone() }),
        );
        for index in 0..self.filters.len() {
            let (filter, value) = &self.filters[index];
            // A timestamp without its signs is another question.
            let plainer = if filter.is_bound() {
                Vec::new()
            } else {
                plainer(value)
            };
            smaller.extend(plainer.into_iter().map(|value| {
                let mut query = self.clone();
                query.filters[index].1 = value;
                query
            }));
            let mut query = self.clone();
            query.filters.remove(index);
            smaller.push(query.clone());
            // With one filter less there may be several pages, and what is missing shows only on all of them.
            if self.first_page {
                smaller.push(Self {
                    first_page: false,
                    ..query
                });
            }
        }
        smaller
    }

    /// The request that asks it.
    pub fn request(&self, list: &ListCorpus) -> Request {
        let mut request = Request::get(&list.spec.operation.path);
        for (filter, value) in &self.filters {
            request = request.with(&filter.name, filter.sent(value));
        }
        let sort: Vec<_> = self.sort.iter().map(ToString::to_string).collect();
        let parts = [
            (Role::Sort, (!sort.is_empty()).then(|| sort.join(","))),
            (
                Role::Include,
                (!self.include.is_empty()).then(|| self.include.join(",")),
            ),
            (
                Role::Page,
                self.page.map(|page| list.paging.number(page).to_string()),
            ),
        ];
        for (role, value) in parts {
            if let (Some(name), Some(value)) = (list.spec.parameter(role), value) {
                request = request.with(name, &value);
            }
        }
        request.one_page = self.first_page || self.page.is_some();
        request.headers.extend(self.headers.iter().copied());
        request.spelling = self.spelling;
        match &self.after {
            Some(preceding) => preceding.then(request),
            None => request,
        }
    }

    /// Whether something that must not matter is sent with it or right before it.
    pub fn is_disturbed(&self) -> bool {
        self.spelling != Spelling::Usual || !self.headers.is_empty() || self.after.is_some()
    }

    /// The parameters it uses, by which the failures of parameters are recorded.
    pub fn uses(&self) -> Vec<String> {
        let filters = self.filters.iter().map(|(filter, _)| filter.name.clone());
        let sort = self.sort.iter().map(|key| sorting(&key.field));
        let include = self.include.iter().map(|name| including(name));
        filters.chain(sort).chain(include).collect()
    }

    /// The parameters it uses, as a report names them: the form of a relation only where the query has several forms of it.
    pub fn parts(&self) -> Vec<String> {
        let uses = self.uses();
        let several = |part: &String| uses.iter().filter(|other| *other == part).count() > 1;
        let names = self.include.iter().map(|name| match including(name) {
            part if several(&part) => format!("include={name}"),
            part => part,
        });
        let others = uses.len() - self.include.len();
        uses.iter().take(others).cloned().chain(names).collect()
    }

    /// Whether a record that came back belongs to the answer. Soft-deleted records are the business of the filter that
    /// speaks of them; without it they neither have to be there nor must not.
    pub fn membership(&self, list: &ListCorpus, returned: &Record) -> Membership {
        let said = self
            .filters
            .iter()
            .map(|(filter, value)| filter.membership(returned, list.snapshot(&filter.projection), value));
        said.min().unwrap_or(Membership::Included)
    }

    /// Whether the question says which soft-deleted records it is about.
    pub fn speaks_of_deletion(&self, list: &ListCorpus) -> bool {
        let mut filters = self.filters.iter();
        filters.any(|(filter, _)| list.spec.is_trashed(&filter.name))
    }

    /// How the query asks for soft-deleted records, if it does.
    pub fn deleted_scope(&self, list: &ListCorpus) -> Option<DeletedScope> {
        let mut filters = self.filters.iter();
        let (_, word) = filters.find(|(filter, _)| list.spec.is_trashed(&filter.name))?;
        DeletedScope::ALL.into_iter().find(|scope| scope.word() == word)
    }

    /// The records that have to come back, and those that must not. A soft-deleted record is in neither set if no filter
    /// excludes it and the query does not ask for soft-deleted records.
    pub fn verdicts(&self, list: &ListCorpus) -> Verdicts {
        let speaks_of_deletion = self.speaks_of_deletion(list);
        let marks = list
            .widest_snapshot()
            .into_iter()
            .flat_map(Snapshot::deletion_marks);
        let scope = marks.map(|is_deleted| match is_deleted && !speaks_of_deletion {
            true => Membership::Unspecified,
            false => Membership::Included,
        });
        let filters = self.filters.iter();
        filters.fold(Verdicts::of(scope), |said, (filter, value)| {
            said.and(&list.verdicts(filter, value))
        })
    }
}

/// A value with so many signs is not tried with fewer.
const FEW_SIGNS: usize = 1;

/// The parts of a list that it is tried with in its place, the shortest first: of a long one nothing and the halves, of each
/// all but one.
fn shorter<T: Clone>(items: &[T]) -> Vec<Vec<T>> {
    let mut shorter = Vec::new();
    if items.len() > 2 {
        let (first, second) = items.split_at(items.len() / 2);
        shorter.extend([Vec::new(), first.to_vec(), second.to_vec()]);
    }
    shorter.extend((0..items.len()).map(|left_out| {
        let kept = items.iter().enumerate().filter(|(at, _)| *at != left_out);
        kept.map(|(_, item)| item.clone()).collect()
    }));
    shorter
}

/// A value with fewer signs, if it has many.
fn plainer(value: &str) -> Vec<String> {
    let signs: Vec<usize> = value
        .char_indices()
        .filter(|(_, letter)| !letter.is_alphanumeric())
        .map(|(at, _)| at)
        .collect();
    if signs.len() <= FEW_SIGNS {
        return Vec::new();
    }
    let kept = shorter(&signs).into_iter();
    kept.map(|kept| {
        let letters = value.char_indices();
        let letters = letters.filter(|(at, letter)| letter.is_alphanumeric() || kept.contains(at));
        letters.map(|(_, letter)| letter).collect()
    })
    .collect()
}

/// How the account of what failed calls sorting by a field.
pub fn sorting(field: &str) -> String {
    format!("sort={field}")
}

/// How the account of what failed calls including a relation, in any form.
pub fn including(name: &str) -> String {
    let name = name
        .strip_suffix("-count")
        .or_else(|| name.strip_suffix("-exists"))
        .unwrap_or(name);
    format!("include={name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_of_a_relation_are_told_apart_where_a_query_has_several() {
        let parts = |names: &[&str]| Query::default().including(names).parts();
        assert_eq!(parts(&["a-count", "b"]), ["include=a", "include=b"]);
        assert_eq!(
            parts(&["a-count", "b", "a-exists"]),
            ["include=a-count", "include=b", "include=a-exists"]
        );
    }

    #[test]
    fn a_value_with_many_signs_is_tried_with_fewer() {
        assert_eq!(plainer("O'Neill"), [] as [String; 0]);
        assert_eq!(plainer("a;b#"), ["ab#", "a;b"]);
        let fewer = plainer("é-1;%");
        assert!(
            fewer
                .iter()
                .all(|value| value.starts_with('é') && value.contains('1')),
            "{fewer:?}"
        );
        assert!(
            fewer.contains(&"é1".to_owned()) && fewer.contains(&"é1;%".to_owned()),
            "{fewer:?}"
        );
    }
}
