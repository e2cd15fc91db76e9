//! The name of a parameter or a member as words: `filter[createdAt][gte]` is *created at gte* in a wrapper.

/// A name in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    /// Its words in small letters, without those of the wrapper.
    pub(super) words: Vec<String>,
    /// Whether it is wrapped as a filter, as `filter[x]` is.
    pub(super) is_wrapped: bool,
}

/// What names of filters begin with, before a bracket or a dot.
const WRAPPERS: [&str; 7] = ["filter", "filters", "where", "q", "query", "search", "f"];

impl Name {
    pub(super) fn of_parameter(text: &str) -> Self {
        let wrapped = WRAPPERS.iter().find_map(|wrapper| {
            text.strip_prefix(wrapper)?
                .strip_prefix(['[', '.'])
                .filter(|rest| rest.bytes().any(|byte| byte.is_ascii_alphanumeric()))
        });
        Self {
            words: words(wrapped.unwrap_or(text)),
            is_wrapped: wrapped.is_some(),
        }
    }

    /// The words without separators, by which spellings of one name are the same.
    pub(super) fn joined(&self) -> String {
        self.words.concat()
    }
}

/// The words of a name, in small letters: those between signs, and those that begin with a capital letter.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for letter in text.chars() {
        let begins = letter.is_uppercase() && (before.is_lowercase() || before.is_ascii_digit());
        if begins || !letter.is_alphanumeric() {
            words.push(String::new());
        }
        match (letter, words.last_mut()) {
            // `DateCreated>` is a bound.
            ('<', _) => words.push("lt".to_owned()),
            ('>', _) => words.push("gt".to_owned()),
            (_, Some(word)) if letter.is_alphanumeric() => word.extend(letter.to_lowercase()),
            _ => {}
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The words of a name without separators: `perpage` for `per_page`, `perPage` and `per-page`.
pub(super) fn joined(text: &str) -> String {
    words(text).concat()
}

/// Words that say of a name only that it is about time.
const OF_TIME: [&str; 10] = [
    "at",
    "on",
    "date",
    "time",
    "datetime",
    "timestamp",
    "utc",
    "ts",
    "of",
    "is",
];

/// Endings by which forms of one verb differ: `created`, `creation`, `create`. Not that of `expires`, which is not `expired`.
const ENDINGS: [&str; 5] = ["ation", "ion", "ing", "ed", "e"];

/// What the name of a timestamp is about: `creat` for `created_at`, `creationDate` and `dateCreated`.
pub(super) fn time_stem(words: &[String]) -> String {
    let told = words.iter().filter(|word| !OF_TIME.contains(&word.as_str()));
    told.map(|word| stem(word)).collect()
}

fn stem(word: &str) -> &str {
    let mut shorter = ENDINGS.iter().filter_map(|ending| word.strip_suffix(ending));
    shorter.find(|stem| stem.len() >= 4).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_name_have_the_same_words() {
        for name in [
            "created_at",
            "createdAt",
            "created-at",
            "CreatedAt",
            "created.at",
            "created[at]",
        ] {
            assert_eq!(words(name), ["created", "at"], "{name}");
        }
        assert_eq!(words("$orderby"), ["orderby"]);
        assert_eq!(words("DateCreated>"), ["date", "created", "gt"]);
        assert_eq!(words("DateCreated<"), ["date", "created", "lt"]);
        assert_eq!(words("userID"), ["user", "id"]);
    }

    #[test]
    fn a_wrapper_is_no_part_of_the_name() {
        for (text, words, is_wrapped) in [
            ("filter[name]", vec!["name"], true),
            ("filter.name", vec!["name"], true),
            ("q[name_cont]", vec!["name", "cont"], true),
            ("filter", vec!["filter"], false),
            ("filter[]", vec!["filter"], false),
            ("filtered", vec!["filtered"], false),
            ("page[size]", vec!["page", "size"], false),
        ] {
            let name = Name::of_parameter(text);
            assert_eq!(
                (name.words, name.is_wrapped),
                (words.into_iter().map(str::to_owned).collect(), is_wrapped)
            );
        }
    }

    #[test]
    fn a_timestamp_is_known_by_its_stem() {
        for name in [
            "created_at",
            "creationDate",
            "date_created",
            "createTime",
            "created",
        ] {
            assert_eq!(time_stem(&words(name)), "creat", "{name}");
        }
        assert_eq!(time_stem(&words("due")), "due");
        assert_eq!(time_stem(&words("date")), "");
    }
}
