//! The rules that read a filter: which member it looks at, and how that matches.

use serde_json::json;

use super::members::{Member, NotFound, enum_words, kind};
use super::name;
use super::question::{Question, Reading};
use super::words::{
    AFTER, AROUND_DELETED, BEFORE, CONTAINS, DELETED, EQUAL, ONLY, OTHER_MATCHES, Phrase, SEARCH, WITH,
    WITHOUT, Words,
};
use crate::Pointer;

pub(super) fn trashed(question: &Question<'_, '_>) -> Option<Reading> {
    let told: Vec<_> = question
        .name
        .words
        .iter()
        .filter(|word| !AROUND_DELETED.has(word))
        .cloned()
        .collect();
    let stem = name::time_stem(&told);
    if !DELETED.has(&stem) || question.is_member() && question.words().is_none() {
        return None;
    }
    let own = question.members().timed(&told).ok();
    let timestamp = own
        .or_else(|| question.members().timed(&["deleted".to_owned()]).ok())
        .filter(|member| member.is_date_time());
    let why = "soft deletion is a timestamp of the record and a parameter with three words";
    let Some(timestamp) = timestamp else {
        return if own.is_some() {
            None
        } else {
            Reading::unclear(format!("{why}; no such timestamp is shown"))
        };
    };
    if question.kind() != Some("string") || question.is_time() {
        return Reading::unclear(format!("{why}; this one takes no words"));
    }
    let mut filter = json!({"field": timestamp.at.to_string(), "match": "trashed"});
    if let Some(words) = enum_words(question.schema.value()) {
        let one_of = |meant: Words| words.iter().copied().find(|word| meant.has(&name::joined(word)));
        match (one_of(WITH), one_of(ONLY), one_of(WITHOUT)) {
            (Some(with), Some(only), Some(without)) => {
                if (with, only, without) != ("with", "only", "without") {
                    filter["words"] = json!({"with": with, "only": only, "without": without});
                }
            }
            _ => return Reading::unclear(format!("{why}: with the deleted, only them, without them")),
        }
    }
    Some(Reading::Filter(
        filter,
        "the name says soft deletion, which the timestamp shows".to_owned(),
    ))
}

pub(super) fn member(question: &Question<'_, '_>) -> Option<Reading> {
    let words = without_end(&question.name.words, EQUAL);
    if question.kind() == Some("boolean")
        && let Some(flag) = question.members().flag(words)
    {
        return Reading::filter(
            &flag.at,
            "flag",
            format!("{} is true or false, as it is", flag.at),
        );
    }
    let member = match question.members().named(words) {
        Ok(member) if member.is_object() => {
            let within = question.members().within(member)?;
            if question.kind() != within.kind() {
                return Reading::unclear(format!(
                    "{} is of another type, so that it may be another member of {}",
                    within.at, member.at
                ));
            }
            within
        }
        Ok(member) => member,
        Err(NotFound::Ambiguous(which)) => return Reading::unclear(format!("its name is that of {which}")),
        Err(NotFound::Unknown) => return None,
    };
    let at = &member.at;
    let is_flag = |kind: Option<&str>| kind == Some("boolean");
    match (question.kind(), member.kind()) {
        (own, theirs) if is_flag(own) && is_flag(theirs) => {
            Reading::filter(at, "flag", format!("{at} is true or false, as it is"))
        }
        (_, theirs) if is_flag(theirs) => Reading::unclear(format!("{at} is true or false, and it is not")),
        (own, _) if is_flag(own) => Reading::unclear(format!("it is true or false, and {at} is not")),
        (_, Some("array")) => Reading::unclear(format!("{at} is an array")),
        _ => exact(question, member),
    }
}

/// A filter on a member that is no flag.
fn exact(question: &Question<'_, '_>, member: &Member<'_>) -> Option<Reading> {
    let at = &member.at;
    if let Some(words) = question.words() {
        let others = ["all", "any", "none", "*", "both"];
        let known = enum_words(member.schema);
        let extra = words.iter().find(|word| match &known {
            Some(known) => !known.contains(word),
            None => others.contains(word),
        });
        if let Some(word) = extra {
            return Reading::unclear(format!("{at} never has the value `{word}`"));
        }
    }
    match question.phrase() {
        Some(Phrase::Shown) => Reading::unclear(
            "its description speaks of what an answer shows, and not of which records it has",
        ),
        Some(Phrase::Language) if question.words().is_none() => {
            Reading::unclear("its description speaks of a language of its own")
        }
        Some(Phrase::Beginning) if question.words().is_none() => {
            Reading::unclear(format!("its description says that {at} begins with the value"))
        }
        Some(Phrase::Part) if question.kind() == Some("string") && question.words().is_none() => {
            Reading::filter(
                at,
                "contains",
                format!("the name is that of {at}, and the description says a part of it"),
            )
        }
        _ if question.name.words.last().is_some_and(|last| EQUAL.has(last)) => {
            Reading::filter(at, "exact", format!("the name says that {at} equals the value"))
        }
        _ => Reading::filter(at, "exact", format!("the name is that of {at}")),
    }
}

/// The words of a name without the last, if that is one of `ends`.
fn without_end(words: &[String], ends: Words) -> &[String] {
    match words {
        [rest @ .., last] if !rest.is_empty() && ends.has(last) => rest,
        _ => words,
    }
}

/// The words of a name around a word that says how it matches, at its end or at its beginning.
fn around(words: &[String], marks: Words) -> Option<&[String]> {
    let is_mark = |word: &String| marks.has(word);
    match words {
        [rest @ .., last] if is_mark(last) => Some(rest),
        [first, rest @ ..] if is_mark(first) => Some(rest),
        // `start_date` and `end_time`
        _ => None,
    }
}

pub(super) fn bound(
    question: &Question<'_, '_>,
    marks: Words,
    matching: &str,
    extreme: &str,
) -> Option<Reading> {
    let words = around(&question.name.words, marks)?;
    if let Ok(member) = question.members().named(words)
        && !member.is_date_time()
        && matches!(member.kind(), Some("integer" | "number" | "string"))
    {
        let at = &member.at;
        return Reading::unclear(format!(
            "it is a bound of {at}, and the runner knows bounds of a `date-time`"
        ));
    }
    if question.kind().is_some_and(|kind| kind != "string") || question.words().is_some() {
        let says_time = question.members().timed(words).is_ok();
        return if says_time {
            Reading::unclear("a bound of a timestamp is a text, and this one is not")
        } else {
            None
        };
    }
    let why = |at: &Pointer| format!("the name says at {extreme}, and {at} is a timestamp");
    match question.members().timed(words) {
        Ok(member) if member.is_date_time() => Reading::filter(&member.at, matching, why(&member.at)),
        Ok(member) => Reading::unclear(format!(
            "it is a bound of {}, and the runner knows bounds of a `date-time`",
            member.at
        )),
        Err(NotFound::Ambiguous(which)) => Reading::unclear(format!("it is a bound of {which}")),
        Err(NotFound::Unknown) if name::time_stem(words).is_empty() => {
            only_timestamp(question, matching, extreme)
        }
        Err(NotFound::Unknown) => None,
    }
}

/// A bound that does not name its timestamp: that of the description, or the only one of the record.
fn only_timestamp(question: &Question<'_, '_>, matching: &str, extreme: &str) -> Option<Reading> {
    if !question.is_time() && !question.says("date") && !question.says("time") {
        return None;
    }
    let times: Vec<_> = question.members().times().collect();
    let is_told = |member: &&&Member<'_>| {
        let stem = member
            .at
            .last()
            .map(|last| name::time_stem(&name::words(last)))
            .unwrap_or_default();
        let is_own = AFTER.has(&stem) || BEFORE.has(&stem);
        !is_own
            && question
                .described_words()
                .any(|word| !stem.is_empty() && name::time_stem(&[word.to_owned()]) == stem)
    };
    let told: Vec<_> = times.iter().filter(is_told).collect();
    match (told.as_slice(), times.as_slice()) {
        ([one], _) => {
            let why = format!("the name says at {extreme}, and the description names {}", one.at);
            Reading::filter(&one.at, matching, why)
        }
        ([], [one]) => {
            let why = format!("the name says at {extreme}, and {} is the only timestamp", one.at);
            Reading::filter(&one.at, matching, why)
        }
        (_, all) => Reading::unclear(format!(
            "it does not say which of {} timestamps it bounds",
            all.len()
        )),
    }
}

pub(super) fn contains(question: &Question<'_, '_>) -> Option<Reading> {
    let words = around(&question.name.words, CONTAINS).filter(|words| !words.is_empty())?;
    let member = match question.members().named(words) {
        Ok(member) => member,
        Err(NotFound::Ambiguous(which)) => return Reading::unclear(format!("it searches {which}")),
        Err(NotFound::Unknown) => return None,
    };
    let at = &member.at;
    match (question.kind(), kind(member.schema)) {
        (Some("string") | None, Some("string" | "object")) => {
            Reading::filter(at, "contains", format!("the name says a part of {at}"))
        }
        _ => Reading::unclear(format!("it says a part of {at}, and one of them is no text")),
    }
}

/// A search without the name of a member looks at so many texts at most.
const MOST_TEXTS: usize = 4;

pub(super) fn search(question: &Question<'_, '_>) -> Option<Reading> {
    if !question.is_called(SEARCH) || question.kind() != Some("string") || question.words().is_some() {
        return None;
    }
    if question.phrase() == Some(Phrase::Language) {
        return Reading::unclear("its description speaks of a language of its own");
    }
    if question.phrase() == Some(Phrase::Beginning) {
        return Reading::unclear("its description says that a text begins with the value");
    }
    let other = question
        .members()
        .top()
        .find(|member| member.kind() == Some("array") && is_described(question, member));
    if let Some(other) = other {
        return Reading::unclear(format!("its description names {}, which is an array", other.at));
    }
    let told: Vec<_> = question
        .members()
        .texts()
        .filter(|member| is_described(question, member))
        .collect();
    let all: Vec<_> = question.members().texts().collect();
    let (fields, why) = match (told.is_empty(), all.is_empty()) {
        (false, _) => (told, "a search; the description names these members"),
        (true, false) if all.len() <= MOST_TEXTS => (all, "a search; these are the texts of the record"),
        _ => {
            return Reading::unclear(format!(
                "it does not say which of {} texts it searches",
                all.len()
            ));
        }
    };
    let pointers: Vec<_> = fields.iter().map(|member| member.at.to_string()).collect();
    let filter = match pointers.as_slice() {
        [one] => json!({"field": one, "match": "contains"}),
        several => json!({"any-of": several, "match": "contains"}),
    };
    Some(Reading::Filter(filter, why.to_owned()))
}

/// Whether the description has the words of a member's name one after the other.
fn is_described(question: &Question<'_, '_>, member: &Member<'_>) -> bool {
    let Some(last) = member.at.last() else {
        return false;
    };
    let said: Vec<String> = question.described_words().flat_map(name::words).collect();
    let name = name::words(last);
    let Some((last, first)) = name.split_last() else {
        return false;
    };
    said.windows(name.len()).any(|said| {
        let (said_last, said_first) = (&said[first.len()], &said[..first.len()]);
        let is_last = said_last == last || said_last.strip_suffix('s') == Some(last);
        said_first == first && is_last
    })
}

pub(super) fn other_match(question: &Question<'_, '_>) -> Option<Reading> {
    let words = around(&question.name.words, OTHER_MATCHES).filter(|words| !words.is_empty())?;
    let member = question.members().named(words).ok()?;
    Reading::unclear(format!(
        "the runner has no filter that matches {} in this way",
        member.at
    ))
}

pub(super) fn hidden(question: &Question<'_, '_>) -> Option<Reading> {
    if !question.name.is_wrapped || question.kind() == Some("boolean") {
        return None;
    }
    let after = around(&question.name.words, AFTER).map(|words| (words, "after"));
    let found = after.or_else(|| around(&question.name.words, BEFORE).map(|words| (words, "before")));
    let found = found.or_else(|| around(&question.name.words, CONTAINS).map(|words| (words, "contains")));
    let (words, matching) = found.unwrap_or((&question.name.words, "exact"));
    let at = Pointer::of([words.join("_").as_str()]);
    let filter = json!({"field": at.to_string(), "match": matching, "shown": false});
    Some(Reading::Filter(
        filter,
        format!("the name says a filter, and no record shows {at}"),
    ))
}
