//! The things that a query asks for, and which of them can meet in one query.

use std::collections::BTreeSet;

use super::Planner;
use crate::plan::domain::Domain;
use crate::plan::goals::size::{MANY, ON_A_PAGE, PLACES};
use crate::plan::recipe::Recipe;
use crate::plan::values::classes::{CLASSES, classes_of};

/// A thing that a query asks for. Two of them make a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Token {
    /// A filter that matters, by its place in the domain.
    Filter(usize),
    /// A filter, whether or not it matters: what else is asked for has to show beside it.
    Present(usize),
    /// A filter by a flag and one of its values: what fails for `false` need not fail for `true`.
    Flag(usize, usize),
    /// A word for soft deletion: the filter and its value.
    Scope(usize, usize),
    /// Nothing is said of soft deletion, and a soft-deleted record has the values asked for.
    Usual,
    /// A sort field that matters.
    Sort(usize),
    /// A sort field, whether or not it matters: what another field sorts has to show beside it.
    Sorted(usize),
    /// A sort key in the second or third place, or a direction: place and whether it is descending.
    Key(usize, bool),
    /// A relation in a form.
    Relation(usize, usize),
    /// The form of a relation, of this one or of another.
    Form(usize),
    /// A value of a filter that is nearly one: records that have that one must not be found.
    Near(usize),
    /// A page; [`LAST`] for the last.
    Page(usize),
    /// Some filter has a value of a class of texts.
    Class(usize),
    /// There are at least [`MANY`] filters.
    Many,
    /// There are at least [`MANY`] filters, and soft-deleted records are shown.
    ManyOfDeleted,
}

impl Token {
    /// Whether it says which soft-deleted records are listed, or that they must stay hidden.
    pub(super) fn is_of_deletion(self) -> bool {
        matches!(self, Self::Scope(..) | Self::Usual)
    }

    /// Whether several records have to be found where it is to show: an order, or a page.
    pub(super) fn needs_many(self) -> bool {
        matches!(
            self,
            Self::Sort(_) | Self::Sorted(_) | Self::Key(..) | Self::Page(_)
        )
    }

    /// The token in words.
    pub(super) fn describe(self, domain: &Domain) -> String {
        let filter = |filter: usize| domain.filters[filter].filter.name.clone();
        let relation = |relation: usize, form: usize| domain.relations[relation].forms[form].clone();
        match self {
            Self::Filter(at) => filter(at),
            Self::Present(at) => format!("{} with any value", filter(at)),
            Self::Flag(at, level) | Self::Scope(at, level) => {
                format!("{}={}", filter(at), domain.filters[at].levels[level].value.value)
            }
            Self::Usual => "soft-deleted records that must stay hidden".to_owned(),
            Self::Sort(at) => format!("sort by {}", domain.sorts[at].name),
            Self::Sorted(at) => format!("sort by {} in any place", domain.sorts[at].name),
            Self::Key(place, false) => format!("sort key {} ascending", place + 1),
            Self::Key(place, true) => format!("sort key {} descending", place + 1),
            Self::Relation(at, form) => format!("include {}", relation(at, form).unwrap_or_default()),
            Self::Near(at) => format!("{} with what is nearly a value", filter(at)),
            Self::Form(0) => "included records".to_owned(),
            Self::Form(1) => "an included count".to_owned(),
            Self::Form(_) => "an included existence".to_owned(),
            Self::Page(LAST) => "the last page".to_owned(),
            Self::Page(page) => format!("page {page}"),
            Self::Class(class) => format!("a value of the class: {}", CLASSES[class].0),
            Self::Many => format!("{MANY} filters"),
            Self::ManyOfDeleted => format!("{MANY} filters on soft-deleted records"),
        }
    }
}

/// How [`Token::Page`] calls the last page.
pub(super) const LAST: usize = 0;

/// The rank of a pair; pairs of a lower rank are covered first. Callers combine filters with few values the most. Then soft deletion
/// meets everything, then filters meet rarer parameters. Most queries cover the other pairs anyway.
pub(super) fn rank(domain: &Domain, (one, other): &(Token, Token)) -> usize {
    let has_few_values = |token: &Token| match token {
        Token::Flag(..) => true,
        Token::Filter(at) => domain.filters[*at].filter.is_word(),
        _ => false,
    };
    match (one, other) {
        (one, other) if has_few_values(one) && has_few_values(other) => 0,
        (one, other) if one.is_of_deletion() || other.is_of_deletion() => 1,
        (Token::Filter(_) | Token::Flag(..), Token::Page(_) | Token::Form(_) | Token::Key(..)) => 2,
        (Token::Filter(_) | Token::Flag(..) | Token::Present(_), Token::Relation(..) | Token::Sort(_)) => 3,
        (Token::Filter(_) | Token::Flag(..), Token::Class(_) | Token::Many | Token::ManyOfDeleted) => 3,
        _ => 4,
    }
}

/// Whether a query can have both.
pub(super) fn can_meet(one: Token, other: Token) -> bool {
    if let (Token::Flag(filter, _), Token::Flag(same, _)) = (one, other) {
        return filter != same;
    }
    // That both are there shows nothing.
    if let (Token::Present(_), Token::Present(_)) = (one, other) {
        return false;
    }
    if let (Token::Filter(filter), Token::Present(same)) | (Token::Present(same), Token::Filter(filter)) =
        (one, other)
    {
        return filter != same;
    }
    if let (Token::Sorted(field), other) | (other, Token::Sorted(field)) = (one, other) {
        return matches!(other, Token::Sort(same) if field != same);
    }
    if one == Token::ManyOfDeleted || other == Token::ManyOfDeleted {
        return matches!(one, Token::Filter(_) | Token::Flag(..) | Token::Present(_));
    }
    !matches!(
        (one, other),
        (Token::Scope(..), Token::Scope(..) | Token::Usual)
            | (Token::Page(_), Token::Page(_))
            | (Token::Form(_), Token::Form(_) | Token::Relation(..))
            | (Token::Relation(..), Token::Form(_))
            | (Token::Key(..), Token::Key(..))
            | (Token::Class(_) | Token::Many, Token::Class(_) | Token::Many)
            | (Token::Class(_) | Token::Many, Token::Present(_))
            | (Token::Present(_), Token::Class(_) | Token::Many)
    )
}

impl Planner<'_> {
    /// The tokens that matter in a query.
    pub(super) fn tokens(&self, recipe: &Recipe) -> Vec<Token> {
        let domain = self.domain;
        let included = domain.included(recipe);
        let mut tokens = Vec::new();
        for (at, (filter, level)) in recipe.filters.iter().enumerate() {
            if domain.filter_matters(recipe, at) {
                tokens.push(match &domain.filters[*filter] {
                    one if one.is_scope => Token::Scope(*filter, one.known_word(*level)),
                    one if one.is_flag() => Token::Flag(*filter, *level),
                    _ => Token::Filter(*filter),
                });
            }
        }
        if !included.is_empty() {
            let plain = recipe.filters.iter().map(|(filter, _)| *filter);
            let plain = plain.filter(|filter| domain.filters[*filter].is_plain());
            tokens.extend(plain.map(Token::Present));
        }
        if domain.hides_some(recipe) {
            tokens.push(Token::Usual);
        }
        let near = domain.nearly_included(recipe);
        tokens.extend(near.iter().map(|(filter, _)| Token::Near(*filter)));
        for (at, (field, descending)) in recipe.sort.iter().enumerate().take(PLACES) {
            if near.is_some() || domain.sort_matters(recipe, at, &included) {
                tokens.extend([Token::Sort(*field), Token::Key(at, *descending)]);
            }
        }
        tokens.extend(recipe.sort.iter().map(|(field, _)| Token::Sorted(*field)));
        let included = near.map_or(included, |(_, records)| records);
        for (relation, form) in &recipe.include {
            let has = domain.relations[*relation].has.and(&included).len();
            let is_whole = recipe.page.is_none() && !recipe.first_page || included.len() <= domain.page_size;
            // Which records stand on a page is not known: some of them have the relation if many records have it.
            if has > 0 && (is_whole || has * domain.page_size >= included.len() * ON_A_PAGE) {
                tokens.extend([Token::Form(*form), Token::Relation(*relation, *form)]);
            }
        }
        let values = recipe.filters.iter().map(|(filter, level)| {
            let level = &domain.filters[*filter].levels[*level];
            level.value.value.as_str()
        });
        let classes: BTreeSet<usize> = values.flat_map(classes_of).collect();
        tokens.extend(classes.into_iter().map(Token::Class));
        if recipe.filters.len() >= MANY {
            tokens.push(Token::Many);
            if !included.minus(&domain.usual).is_empty() {
                tokens.push(Token::ManyOfDeleted);
            }
        }
        let pages = included.len().div_ceil(domain.page_size.max(1));
        match recipe.page {
            Some(page) if page <= pages => {
                tokens.push(Token::Page(page));
                if page == pages && pages > 3 {
                    tokens.push(Token::Page(LAST));
                }
            }
            None if !recipe.first_page && pages == 2 => tokens.push(Token::Page(2)),
            // Behind the last page nothing shows.
            _ => {}
        }
        tokens
    }
}

/// The things that have to meet.
pub(super) fn wanted(domain: &Domain, of_class: &[Vec<(usize, usize)>]) -> Vec<Token> {
    let mut tokens = Vec::new();
    for (filter, one) in domain.filters.iter().enumerate() {
        let levels = 0..one.levels.len();
        match one.is_scope {
            true => {
                let known = levels.filter(|level| one.known_word(*level) == *level);
                tokens.extend(known.map(|level| Token::Scope(filter, level)));
            }
            false if one.is_flag() => tokens.extend(levels.map(|level| Token::Flag(filter, level))),
            false => tokens.extend([Token::Filter(filter), Token::Present(filter)]),
        }
    }
    if domain.usual.len() < domain.count {
        tokens.extend([Token::Usual, Token::ManyOfDeleted]);
    }
    tokens.extend((0..domain.sorts.len()).flat_map(|field| [Token::Sort(field), Token::Sorted(field)]));
    if !domain.sorts.is_empty() {
        tokens.extend((0..PLACES).flat_map(|place| [false, true].map(|down| Token::Key(place, down))));
    }
    for (at, relation) in domain.relations.iter().enumerate() {
        let offered = relation.offered().map(|form| Token::Relation(at, form));
        tokens.extend(offered);
    }
    if !domain.relations.is_empty() {
        tokens.extend((0..3).map(Token::Form));
    }
    if domain.has_pages {
        tokens.extend([1, 2, 3, LAST].map(Token::Page));
    }
    let classes = of_class.iter().enumerate();
    tokens.extend(
        classes
            .filter(|(_, values)| !values.is_empty())
            .map(|(class, _)| Token::Class(class)),
    );
    tokens.push(Token::Many);
    tokens
}
