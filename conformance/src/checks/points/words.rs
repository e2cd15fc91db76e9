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
            let (yes, no) = (true.to_string(), false.to_string());
            let (yes, no) = (
                FirstPage::of(engine, list, &[(&name, &yes)]).await?,
                FirstPage::of(engine, list, &[(&name, &no)]).await?,
            );
            if yes.ids().is_empty() {
                continue;
            }
            for word in BOOLEANS {
                let first_page = FirstPage::of(engine, list, &[(&name, word)]).await?;
                let word_for = first_page.word(&[("true", &yes), ("false", &no), ("ignored", &bare)]);
                result.observe("L14", format!("{name} written as {word}"), word_for);
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
            let unknown = engine.choice("state").word(9);
            let first_page = FirstPage::of(engine, list, &[(&name, &unknown)]).await?;
            let question = format!("{} {name} with an unknown value", engine.list(list).spec.name());
            result.observe("L13", question, first_page.word(&[("ignored", &bare)]));
        }
        result.gap_if_unobserved("a filter by state");
        Ok(())
    })
}

pub(super) fn trashed<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        for (list, name, _) in filters(engine, Match::Trashed) {
            let words = engine
                .list(list)
                .spec
                .trashed_words()
                .cloned()
                .unwrap_or_default();
            let only = FirstPage::of(engine, list, &[(&name, &words.only)]).await?;
            let without = FirstPage::of(engine, list, &[(&name, &words.without)]).await?;
            let with = FirstPage::of(engine, list, &[(&name, &words.with)]).await?;
            if only.ids().is_empty() {
                continue;
            }
            let known = [("without", &without), ("only", &only), ("with", &with)];
            let empty = FirstPage::of(engine, list, &[(&name, "")]).await?;
            result.observe("L8", format!("{name} empty"), empty.word(&known));
            let capitals = FirstPage::of(engine, list, &[(&name, &words.only.to_uppercase())]).await?;
            result.observe("L9", format!("{name} in capitals"), capitals.word(&known));
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
