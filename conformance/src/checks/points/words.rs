//! How words are read that are none of those listed (B7, ST4, T8).

use rollcall_contract::{Match, ValueKind};

use super::came::Came;
use crate::checks::Looking;
use crate::context::Context;
use crate::outcome::Tally;

/// Other ways to write a boolean.
const BOOLEANS: [&str; 4] = ["1", "0", "TRUE", "yes"];

pub(super) fn flags<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        for (list, name, whole) in filters(context, Match::Flag) {
            let bare = Came::of(context, list, &[]).await?;
            let (yes, no) = (true.to_string(), false.to_string());
            let (yes, no) = (
                Came::of(context, list, &[(&name, &yes)]).await?,
                Came::of(context, list, &[(&name, &no)]).await?,
            );
            if yes.ids().is_empty() {
                continue;
            }
            for word in BOOLEANS {
                let came = Came::of(context, list, &[(&name, word)]).await?;
                let word_for = came.word(&[("true", &yes), ("false", &no), ("ignored", &bare)]);
                tally.observe("L14", format!("{name} written as {word}"), word_for);
            }
            if !whole {
                let choice = match no.word(&[("as true", &yes), ("ignored", &bare)]) {
                    word if word == "other records" && no.ids().is_disjoint(&yes.ids()) => {
                        "all others".to_owned()
                    }
                    word => word,
                };
                tally.observe("L14", format!("{name} false"), choice);
            }
        }
        tally.gap_if_unobserved("a filter by a boolean that finds something");
        Ok(())
    })
}

pub(super) fn states<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        for (list, name, _) in filters(context, Match::Exact) {
            let bare = Came::of(context, list, &[]).await?;
            let unknown = context.choice("state").word(9);
            let came = Came::of(context, list, &[(&name, &unknown)]).await?;
            let question = format!(
                "{} {name} with an unknown word",
                context.list(list).subject.name()
            );
            tally.observe("L13", question, came.word(&[("ignored", &bare)]));
        }
        tally.gap_if_unobserved("a filter by state");
        Ok(())
    })
}

pub(super) fn trashed<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        for (list, name, _) in filters(context, Match::Trashed) {
            let words = context
                .list(list)
                .subject
                .trashed_words()
                .cloned()
                .unwrap_or_default();
            let only = Came::of(context, list, &[(&name, &words.only)]).await?;
            let without = Came::of(context, list, &[(&name, &words.without)]).await?;
            let with = Came::of(context, list, &[(&name, &words.with)]).await?;
            if only.ids().is_empty() {
                continue;
            }
            let known = [("without", &without), ("only", &only), ("with", &with)];
            let empty = Came::of(context, list, &[(&name, "")]).await?;
            tally.observe("L8", format!("{name} empty"), empty.word(&known));
            let capitals = Came::of(context, list, &[(&name, &words.only.to_uppercase())]).await?;
            tally.observe("L9", format!("{name} in capitals"), capitals.word(&known));
        }
        tally.gap_if_unobserved("a soft-deleted record");
        Ok(())
    })
}

/// The judged filters of one kind: flags, words, or soft deletion, each with whether it looks at one member.
fn filters(context: &Context, matching: Match) -> Vec<(usize, String, bool)> {
    let mut found = Vec::new();
    for list in context.readable() {
        for judged in context.list(list).subject.matching(matching) {
            let is_word = matches!(judged.filter.value, ValueKind::Word(_));
            if matching != Match::Exact || is_word {
                found.push((list, judged.name.clone(), judged.filter.all.is_empty()));
            }
        }
    }
    found
}
