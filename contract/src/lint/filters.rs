//! The name of a filter, what it looks at, and the values it takes agree.

use serde_json::Value;

use super::{Findings, Rule};
use crate::{Contract, Filter, Frame, List, Match, Operation, Parameter, Pointer, Test, ValueKind};

pub(super) const HOUSE: &[Rule] = &[Rule {
    id: "filter-name",
    says: "`filter[x]` is exact, a flag or trashed, `filter[x_search]` contains, `filter[x_before]` and `_after` look at \
           /timestamp/x_at; the member looked at is called x, unless `renamed` says otherwise.",
    check: names,
}];

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "filter-field",
        says: "A filter looks at members of the record; only with `shown: false` at others, and then at others only.",
        check: fields,
    },
    Rule {
        id: "filter-seen-in",
        says: "`seen-in` is for a member that is not shown, and names a relation and a member of its record.",
        check: seen_in,
    },
    Rule {
        id: "filter-value",
        says: "A filter takes the values its members have: the same words, a boolean for a flag, a date or a timestamp for a timestamp.",
        check: values,
    },
];

fn each(contract: &Contract, mut check: impl FnMut(&Operation, &List, &Parameter, &Filter, &Pointer)) {
    for (operation, list) in contract.lists() {
        for (parameter, filter) in operation.filters() {
            check(
                operation,
                list,
                parameter,
                filter,
                &parameter.at.child("x-filter"),
            );
        }
    }
}

fn names(contract: &Contract, findings: &mut Findings<'_>) {
    each(contract, |_, _, parameter, filter, at| {
        if let Some(says) = misnamed(&contract.frame, &parameter.name, filter) {
            findings.add(at, says);
        }
    });
}

/// Why a filter should not be called `name`.
fn misnamed(frame: &Frame, name: &str, filter: &Filter) -> Option<String> {
    let of_several = filter.fields.len() > 1;
    if name == "filter" {
        return (!of_several)
            .then(|| "only a filter on `any-of` several members is called just `filter`".to_owned());
    }
    let Some(inner) = name
        .strip_prefix("filter[")
        .and_then(|rest| rest.strip_suffix(']'))
    else {
        return Some(format!("`{name}` is not of the form filter[x]"));
    };
    if (filter.matching == Match::Trashed) != (inner == "trashed") {
        return Some("`filter[trashed]` and `match: trashed` belong together".to_owned());
    }
    let suffix = match filter.matching {
        Match::Trashed => return None,
        Match::Contains => "_search",
        Match::Before => "_before",
        Match::After => "_after",
        Match::Exact | Match::Flag => "",
    };
    let marked = ["_search", "_before", "_after"]
        .into_iter()
        .find(|suffix| inner.ends_with(suffix));
    if marked.unwrap_or_default() != suffix {
        return Some(
            format!(
                "a filter with `match: {:?}` is called filter[x{suffix}]",
                filter.matching
            )
            .to_lowercase(),
        );
    }
    let word = &inner[..inner.len() - suffix.len()];
    let expected = match (filter.matching, &frame.timestamps) {
        (Match::Before | Match::After, Some(timestamps)) => timestamps.at(&format!("{word}_at")),
        _ => Pointer::of([word]),
    };
    let timed = matches!(filter.matching, Match::Before | Match::After);
    let agrees = |field: &Pointer| {
        if timed {
            *field == expected
        } else {
            field.last() == expected.last()
        }
    };
    let settled = filter.renamed || filter.fields.is_empty() || filter.fields.iter().any(agrees);
    (!settled).then(|| format!("the name says {expected}; `renamed: true` would say that this is meant"))
}

fn fields(contract: &Contract, findings: &mut Findings<'_>) {
    each(contract, |_, list, _, filter, at| {
        for field in filter
            .fields
            .iter()
            .chain(filter.all.iter().map(|condition| &condition.field))
        {
            let record = &list.record;
            match (contract.member(record, field).is_some(), filter.shown) {
                (false, true) => findings.add(at, format!("{record} has no member {field}")),
                (true, false) => findings.add(at, format!("{record} does show {field}")),
                _ => {}
            }
        }
    });
}

fn seen_in(contract: &Contract, findings: &mut Findings<'_>) {
    each(contract, |_, list, _, filter, at| {
        let Some(seen) = &filter.seen_in else { return };
        findings.unless(!filter.shown, at, "what records show needs no `seen-in`");
        let Some(relation) = list.relation(&seen.include) else {
            return findings.add(at, format!("there is no relation `{}`", seen.include));
        };
        findings.unless(
            contract.related_member(list, relation, &seen.at).is_some(),
            at,
            format!("{} is no member of what `{}` includes", seen.at, seen.include),
        );
    });
}

fn values(contract: &Contract, findings: &mut Findings<'_>) {
    each(contract, |_, list, parameter, filter, at| {
        let document = contract.document();
        let own = document.underlying(&parameter.schema);
        if let Some(says) = unfit(filter, own) {
            findings.add(at, says);
        }
        for field in filter.fields.iter().filter(|_| filter.shown) {
            let Some(member) = contract.member(&list.record, field) else {
                continue;
            };
            if let Some(says) = disagrees(filter, own, member.underlying().value()) {
                findings.add(at, format!("{field} {says}"));
            }
        }
        for condition in &filter.all {
            let Some(member) = contract.member(&list.record, &condition.field) else {
                continue;
            };
            let words = member.underlying().value().get("enum").and_then(Value::as_array);
            if let (Test::Is(value), Some(words)) = (&condition.test, words) {
                findings.unless(
                    words.contains(value),
                    at,
                    format!("{} is never {value}", condition.field),
                );
            }
        }
    });
}

/// Why the schema of a filter's parameter does not fit the way it matches.
fn unfit(filter: &Filter, own: &Value) -> Option<&'static str> {
    let is = |kind: &str| own.get("type").and_then(Value::as_str) == Some(kind);
    let fits = match (&filter.value, filter.matching) {
        (ValueKind::Boolean, _) => is("boolean"),
        (ValueKind::Timestamp, _) => is("string") && own.get("enum").is_none(),
        (ValueKind::Trashed(words), _) => {
            let own = filter.words.all();
            let known = own.iter().all(|word| words.iter().any(|other| other == word));
            let [with, only, without] = own;
            let differ = with != only && only != without && without != with;
            is("string") && differ && (words.is_empty() || known)
        }
        (kind, Match::Contains) => is("string") && matches!(kind, ValueKind::Text { .. }),
        _ => true,
    };
    (!fits).then_some("the parameter's schema does not fit the match")
}

/// How a member differs from what a filter with the schema `own` expects of it.
fn disagrees(filter: &Filter, own: &Value, member: &Value) -> Option<&'static str> {
    let kind = |schema: &Value| schema.get("type").cloned();
    match filter.matching {
        Match::Exact if own.get("enum") != member.get("enum") => Some("has other words"),
        Match::Exact if kind(own) != kind(member) => Some("is of another type"),
        Match::Flag if kind(member) != Some("boolean".into()) => Some("is no boolean"),
        Match::Before | Match::After | Match::Trashed
            if member.get("format") != Some(&"date-time".into()) =>
        {
            Some("is no date-time")
        }
        Match::Contains
            if !matches!(
                kind(member).as_ref().and_then(Value::as_str),
                Some("string" | "object")
            ) =>
        {
            Some("has nothing to search in")
        }
        _ => None,
    }
}
