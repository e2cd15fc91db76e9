//! What a value must be, whatever the format it came in. Each reason names the attribute and never a secret.

use serde_json::{Map, Value};

use super::{MAX_EMAIL, MAX_FULL_NAME, MAX_NAME, Options};

const LABEL: usize = 80;

/// Text for a person to recognise something by: at most 80 characters, nothing a terminal would obey.
pub(super) fn label(text: &str) -> String {
    shown(text, LABEL)
}

/// Text as it may be printed: its first `most` characters, nothing a terminal would obey.
pub(super) fn shown(text: &str, most: usize) -> String {
    let may_be_shown = |c: char| !c.is_control() && (shapes_text(c) || !is_invisible(c));
    let mut shown: String = text
        .chars()
        .take(most)
        .map(|c| if may_be_shown(c) { c } else { '\u{fffd}' })
        .collect();
    if text.chars().nth(most).is_some() {
        shown.push('…');
    }
    shown
}

/// Whether a character takes no room and has no ink: two texts that differ by it look the same.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}'
    )
}

/// The invisible characters that names of some languages need: joiners, marks of direction, variants of a letter, soft hyphens.
fn shapes_text(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200c}'..='\u{200f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}'
    )
}

fn without(attribute: &str, value: &str, is_refused: impl Fn(char) -> bool) -> Result<(), String> {
    match value.chars().find(|c| is_refused(*c)) {
        Some(c) => Err(format!(
            "{attribute}: has the invisible character U+{:04X}",
            u32::from(c)
        )),
        None => Ok(()),
    }
}

/// A text without invisible characters, but for those that names of some languages need.
pub(super) fn visible(attribute: &str, value: &str) -> Result<(), String> {
    without(attribute, value, |c| is_invisible(c) && !shapes_text(c))
}

/// A text of at most `most` characters without control characters.
pub(super) fn text(attribute: &str, value: &str, most: usize) -> Result<(), String> {
    printable(attribute, value)?;
    let length = value.chars().count();
    if length > most {
        return Err(format!("{attribute}: {length} characters are more than {most}"));
    }
    Ok(())
}

/// An identifier with the spaces around it taken off; `None` when nothing is left. It has no invisible character.
pub(crate) fn identifier(attribute: &str, value: &str) -> Result<Option<String>, String> {
    without(attribute, value, is_invisible)?;
    name(attribute, value)
}

/// A name with the spaces around it taken off; `None` when nothing is left. Of invisible characters it has only those that its
/// language may need.
pub fn name(attribute: &str, value: &str) -> Result<Option<String>, String> {
    name_of(attribute, value, MAX_NAME)
}

/// A full name, which may be as long as a first and a last name with a space between them.
pub(super) fn full_name(attribute: &str, value: &str) -> Result<Option<String>, String> {
    name_of(attribute, value, MAX_FULL_NAME)
}

fn name_of(attribute: &str, value: &str, most: usize) -> Result<Option<String>, String> {
    // Before trimming, which would take a line end off in silence.
    printable(attribute, value)?;
    visible(attribute, value)?;
    let value = value.trim();
    text(attribute, value, most)?;
    Ok((!value.is_empty()).then(|| value.to_owned()))
}

/// A text without control characters.
pub(super) fn printable(attribute: &str, value: &str) -> Result<(), String> {
    match value.chars().find(|c| c.is_control()) {
        Some(c) => Err(format!(
            "{attribute}: has the control character U+{:04X}",
            u32::from(c)
        )),
        None => Ok(()),
    }
}

/// An email address, judged as far as every mail system agrees.
pub fn email(attribute: &str, value: &str) -> Result<(), String> {
    text(attribute, value, MAX_EMAIL)?;
    without(attribute, value, is_invisible)?;
    // RFC 5321 allows some of these within quotation marks, which no directory does.
    let named = match value.rsplit_once('@') {
        Some((local, domain)) if is_literal(domain) => local,
        _ => value,
    };
    if let Some(c) = named.chars().find(|c| "<>()[]{},;:\"\\".contains(*c)) {
        return Err(format!(
            "{attribute}: has {c} in it; one address without a name or a scheme is wanted"
        ));
    }
    let fault = match value.split_once('@') {
        _ if value.contains(char::is_whitespace) => "has a space in it",
        None => "has no @",
        Some((_, domain)) if domain.contains('@') => "has more than one @",
        Some(("", _)) => "has nothing before the @",
        Some((_, "")) => "has nothing after the @",
        Some(_) => return Ok(()),
    };
    Err(format!("{attribute}: {fault}"))
}

/// Whether the domain is the address of a machine: `[192.0.2.1]`.
fn is_literal(domain: &str) -> bool {
    let address = domain
        .strip_prefix('[')
        .and_then(|domain| domain.strip_suffix(']'));
    address.is_some_and(|address| {
        address
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | ':'))
    })
}

/// The email of a person: the one given, else the one `--email-domain` makes of the username (A10).
/// The attributes are what the format calls the two.
pub(super) fn email_of(
    (email_attribute, given): (&str, Option<&str>),
    (username_attribute, username): (&str, Option<&str>),
    options: &Options,
) -> Result<String, String> {
    let (attribute, address) = match (given, &options.email_domain, username) {
        (Some(given), _, _) => (email_attribute, given.to_owned()),
        (None, None, _) => return Err(format!("has no {email_attribute}; give one with --email-domain")),
        (None, Some(_), None) => {
            return Err(format!("has neither {email_attribute} nor {username_attribute}"));
        }
        (None, Some(domain), Some(username)) => (username_attribute, format!("{username}@{domain}")),
    };
    email(attribute, &address)?;
    Ok(address)
}

/// Metadata: keys that are names, and no control characters in any text at any depth.
pub(super) fn metadata(map: &Map<String, Value>) -> Result<(), String> {
    for (key, value) in map {
        let shown = format!("metadata.{}", label(key));
        text(&shown, key, MAX_NAME)?;
        every_text(&shown, value)?;
    }
    Ok(())
}

fn every_text(attribute: &str, value: &Value) -> Result<(), String> {
    match value {
        Value::String(text) => printable(attribute, text),
        Value::Array(values) => values.iter().try_for_each(|value| every_text(attribute, value)),
        Value::Object(members) => members.iter().try_for_each(|(key, value)| {
            printable(attribute, key)?;
            every_text(attribute, value)
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
    }
}

/// Whether one word is the other one denied: `inactive` is no misspelt `active`.
fn are_opposites(one: &str, other: &str) -> bool {
    let denies = |word: &str, denied: &str| {
        let prefix = word
            .strip_suffix(denied)
            .map(|prefix| prefix.trim_end_matches(['-', '_', ' ']));
        prefix.is_some_and(|prefix| matches!(prefix, "in" | "un" | "de" | "dis" | "non" | "not" | "never"))
    };
    denies(one, other) || denies(other, one)
}

/// `unknown …; did you mean …? Allowed: …`, for a word that is not among `allowed`.
pub fn unknown<'a>(what: &str, word: &str, allowed: impl Iterator<Item = &'a str> + Clone) -> String {
    let folded = word.to_lowercase();
    let near = allowed
        .clone()
        .filter(|known| !are_opposites(&folded, known))
        .map(|known| (strsim::normalized_damerau_levenshtein(&folded, known), known))
        .filter(|(likeness, _)| *likeness >= 0.5)
        .max_by(|one, other| one.0.total_cmp(&other.0));
    let near = near
        .map(|(_, known)| format!("; did you mean {known}?"))
        .unwrap_or_default();
    let allowed: Vec<&str> = allowed.collect();
    let end = if near.is_empty() { ";" } else { "" };
    format!(
        "unknown {what} {:?}{near}{end} allowed: {}",
        label(word),
        allowed.join(", ")
    )
}
