//! How words are read that are none of those listed (B7, ST4, T8).

use rollcall_contract::{Match, ValueKind};

use super::first_page::FirstPage;
use crate::checks::CheckFuture;
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;

/// Other ways to write a boolean.
const BOOLEANS: [&str; 4] = ["1", "0", "TRUE", "yes"];

pub(super) fn flags<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        for (list, name, whole) in filters(engine, Match::Flag) {
            let bare = FirstPage::of(engine, list, &[]).await?;
            let yes = FirstPage::of(engine, list, &[(&name, "true")]).await?;
            let no = FirstPage::of(engine, list, &[(&name, "false")]).await?;
            if yes.ids().is_empty() {
                continue;
            }
            let known = [("true", &yes), ("false", &no), ("ignored", &bare)];
            for word in BOOLEANS {
                let choice = FirstPage::word_of(engine, list, &[(&name, word)], &known).await?;
                result.observe("L14", format!("{name} written as {word}"), choice);
            }
            if !whole {
                let choice = match no.word(&[("as true", &yes), ("ignored", &bare)]) {
                    word if word == "other records" && no.ids().is_disjoint(&yes.ids()) => {
                        "all others".to_owned()
                    }
                    word => word,
                };
                result.observe("L14", format!("{name} false"), choice);
            }
        }
        result.gap_if_unobserved("a filter by a boolean that finds something");
        Ok(())
    })
}

pub(super) fn states<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        for (list, name, _) in filters(engine, Match::Exact) {
            let bare = FirstPage::of(engine, list, &[]).await?;
            let unknown = engine.choice("a value of a filter").word(9);
            let word = FirstPage::word_of(engine, list, &[(&name, &unknown)], &[("ignored", &bare)]).await?;
            let question = format!("{} {name} with an unknown value", engine.list(list).spec.name());
            result.observe("L13", question, word);
        }
        result.gap_if_unobserved("a filter by state");
        Ok(())
    })
}

pub(super) fn trashed<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        for (list, name, _) in filters(engine, Match::Trashed) {
            let words = engine.list(list).spec.trashed_words();
            let words = words.cloned().unwrap_or_default();
            let only = FirstPage::of(engine, list, &[(&name, &words.only)]).await?;
            let without = FirstPage::of(engine, list, &[(&name, &words.without)]).await?;
            let with = FirstPage::of(engine, list, &[(&name, &words.with)]).await?;
            if only.ids().is_empty() {
                continue;
            }
            let known = [("without", &without), ("only", &only), ("with", &with)];
            let empty = FirstPage::word_of(engine, list, &[(&name, "")], &known).await?;
            result.observe("L8", format!("{name} empty"), empty);
            let capitals = words.only.to_uppercase();
            let capitals = FirstPage::word_of(engine, list, &[(&name, &capitals)], &known).await?;
            result.observe("L9", format!("{name} in capitals"), capitals);
        }
        result.gap_if_unobserved("a soft-deleted record");
        Ok(())
    })
}

/// The judged filters of one kind: flags, words, or soft deletion, each with whether it looks at one member.
fn filters(engine: &Engine, matching: Match) -> Vec<(usize, String, bool)> {
    let mut found = Vec::new();
    for list in engine.readable() {
        for judged in engine.list(list).spec.matching(matching) {
            let is_word = matches!(judged.filter.value, ValueKind::Word(_));
            if matching != Match::Exact || is_word {
                found.push((list, judged.name.clone(), judged.filter.all.is_empty()));
            }
        }
    }
    found
}
