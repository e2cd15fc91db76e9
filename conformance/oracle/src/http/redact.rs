//! Finds a secret in a text however the text spells it: JSON may write `\/` or `\u002b` for a sign, links write `%2B`.
//!
//! Invariant: letters and digits are taken to stand for themselves; nobody escapes those.

/// A text in which a secret is replaced by a name, in all its spellings.
pub fn replaced(text: String, secret: &str, name: &str) -> String {
    let runs = secret.split(|letter: char| !letter.is_ascii_alphanumeric());
    let longest = runs.max_by_key(|run| run.len()).unwrap_or_default();
    if secret.is_empty() || !text.contains(longest) {
        return text;
    }
    let mut clean = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(next) = rest.chars().next() {
        let (shown, behind) = match after(rest, secret) {
            Some(behind) => (name, behind),
            None => rest.split_at(next.len_utf8()),
        };
        clean.push_str(shown);
        rest = behind;
    }
    clean
}

/// What comes after the secret, if the text begins with it.
fn after<'t>(text: &'t str, secret: &str) -> Option<&'t str> {
    let spelled = || secret.bytes().try_fold(text, after_sign);
    text.strip_prefix(secret).or_else(spelled)
}

/// What comes after a sign, if the text begins with it; what may be an escape is taken for one.
fn after_sign(text: &str, byte: u8) -> Option<&str> {
    let plain = char::from(byte);
    if byte.is_ascii_alphanumeric() {
        return text.strip_prefix(plain);
    }
    let hexadecimal = |prefix: &str| {
        let rest = text.strip_prefix(prefix)?;
        let value = u8::from_str_radix(rest.get(..2)?, 16).ok()?;
        (value == byte).then(|| &rest[2..])
    };
    let entity = || text.strip_prefix("&amp;").filter(|_| byte == b'&');
    let escaped = || text.strip_prefix('\\')?.strip_prefix(plain);
    hexadecimal("%")
        .or_else(|| hexadecimal("\\u00"))
        .or_else(entity)
        .or_else(escaped)
        .or_else(|| text.strip_prefix(plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "s3cret/of+the&tests==";

    #[test]
    fn every_spelling_is_found() {
        for spelling in [
            SECRET,
            r"s3cret\/of+the&tests==",
            r"s3cret/of\u002Bthe\u0026tests\u003d=",
            "s3cret%2Fof%2bthe%26tests%3D%3D",
            "s3cret/of+the&amp;tests==",
        ] {
            let text = format!("<é {spelling} s3cret/of {spelling}>");
            let clean = replaced(text, SECRET, "$TOKEN");
            assert_eq!(clean, "<é $TOKEN s3cret/of $TOKEN>", "{spelling}");
        }
    }

    #[test]
    fn a_secret_that_looks_escaped_is_found_as_it_is() {
        for secret in ["a%2Fb", "a&amp;b", r"a\\b"] {
            assert_eq!(replaced(format!("<{secret}>"), secret, "$TOKEN"), "<$TOKEN>");
        }
        assert_eq!(replaced(r"<a\\b>".to_owned(), r"a\b", "$TOKEN"), "<$TOKEN>");
    }

    #[test]
    fn other_texts_stay_as_they_are() {
        for text in [
            "",
            "s3cret",
            "s3cret/of+the&tests=",
            "%",
            r"\u00",
            "s3cret%",
            "é%é",
        ] {
            assert_eq!(replaced(text.to_owned(), SECRET, "$TOKEN"), text);
            assert_eq!(replaced(text.to_owned(), "//", "$TOKEN"), text);
        }
    }
}
