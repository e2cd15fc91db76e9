//! §4.1, §4.4.2: faults of partial filters.

use rollcall_contract::Match;

use super::exact::like;
use crate::hooks::Matching;
use crate::{Variant, fault};

/// The faults of this section.
pub fn faults() -> Vec<Variant> {
    vec![
        search("only beginnings are found", "X1", |m, own| own.starts_with(m)),
        search("only ends are found", "X1", |m, own| own.ends_with(m)),
        search("a search finds whole values only", "X1", |m, own| own == m),
        search("a search minds its first three letters only", "X2", |m, own| {
            own.contains(&m.chars().take(3).collect::<String>())
        }),
        search("no value contains itself", "X3", |m, own| {
            own != m && own.contains(m)
        }),
        search("any word is enough", "X4", |m, own| {
            m.split_whitespace().any(|word| own.contains(word))
        }),
        search("all words in any order", "X4", |m, own| {
            m.split(' ').all(|word| own.contains(word))
        }),
        search("wildcards in needles", "X6", |m, own| {
            like(&format!("%{m}%"), own)
        }),
        search("a dot or an asterisk stands for any letter", "X6", |m, own| {
            own.contains(m) || m.len() > 1 && like(&format!("%{}%", m.replace(['.', '*'], "_")), own)
        }),
        search("a needle with an apostrophe finds nothing", "X6", |m, own| {
            !m.contains('\'') && own.contains(m)
        }),
        search("a search does not mind blanks around its text", "X4", |m, own| {
            own.contains(m.trim())
        }),
        search("an @ at the beginning is an operator", "X7", |m, own| {
            !m.starts_with('@') && own.contains(m)
        }),
        search("a plus is decoded twice", "X7", |m, own| {
            own.contains(&m.replace('+', " "))
        }),
        search("percent signs are decoded twice", "X7", |m, own| {
            own.contains(&m.replace("%40", "@"))
        }),
        one("filter[email_search] is ignored", "X2", "email_search", |_, _| {
            true
        }),
        one(
            "the email search looks at the username",
            "X2",
            "email_search",
            |m, _| has(m, "username"),
        ),
        one(
            "the email search looks at the username, too",
            "X2",
            "email_search",
            |m, verdict| verdict || has(m, "username"),
        ),
        one(
            "the search of first names looks at full names",
            "X2",
            "first_name_search",
            |m, _| has(m, "full_name"),
        ),
        one("keys of org are searched", "X9", "org_search", |m, verdict| {
            verdict
                || m.row.record["org"]
                    .to_string()
                    .to_lowercase()
                    .contains(&m.value.to_lowercase())
        }),
        one(
            "keys of metadata are searched",
            "X9",
            "metadata_search",
            |m, verdict| {
                let object = m.row.record["metadata"].as_object();
                verdict || object.is_some_and(|object| object.keys().any(|key| key.contains(m.value)))
            },
        ),
        one(
            "no badge is searched as the word null",
            "X5",
            "badge_id_search",
            |m, verdict| verdict || is_in_word(m, "badge_id", "null"),
        ),
        one(
            "no alternate employee id is searched as the word None",
            "X5",
            "employee_alt_id_search",
            |m, verdict| verdict || is_in_word(m, "employee_alt_id", "none"),
        ),
        one("metadata is searched in org", "X2", "metadata_search", |m, _| {
            m.row.record["org"].to_string().contains(m.value)
        }),
        fault("a search without result finds all records", "X5", |hooks| {
            hooks.on_found(|asked, found| {
                let searched = asked.filters().any(|(name, value)| {
                    name.ends_with("_search]")
                        && value.len() == 16
                        && value.chars().all(char::is_alphanumeric)
                });
                if found.rows.is_empty() && searched {
                    found.rows = found.all.iter().filter(|row| !row.is_trashed()).collect();
                }
            });
        }),
        fault("searches lose the last row", "X1", |hooks| {
            hooks.on_found(|asked, found| {
                if asked.filters().any(|(name, _)| name.ends_with("_search]")) {
                    found.rows.pop();
                }
            });
        }),
    ]
}

/// All partial filters compare otherwise, without regard to case.
fn search(name: &'static str, check: &'static str, how: fn(&str, &str) -> bool) -> Variant {
    fault(name, check, move |hooks| {
        hooks.on_match(move |matching, verdict| {
            if matching.filter.matching != Match::Contains || !matching.asked.on("/directory/users") {
                return verdict;
            }
            let needle = matching.value.to_lowercase();
            match matching.own() {
                Some(_) if matching.name.contains("org") || matching.name.contains("metadata") => verdict,
                Some(own) => how(&needle, &own.to_lowercase()),
                None => false,
            }
        });
    })
}

/// One partial filter gives another verdict.
fn one(
    name: &'static str,
    check: &'static str,
    filter: &'static str,
    how: fn(&Matching<'_>, bool) -> bool,
) -> Variant {
    fault(name, check, move |hooks| hooks.on_filter(filter, how))
}

/// Whether a record has no value, and the needle is in the word that stands for it.
fn is_in_word(matching: &Matching<'_>, member: &str, word: &str) -> bool {
    matching.row.record[member].is_null() && word.contains(&matching.value.to_lowercase())
}

fn has(matching: &Matching<'_>, member: &str) -> bool {
    let text = matching.row.text_of(member).unwrap_or_default().to_lowercase();
    text.contains(&matching.value.to_lowercase())
}
