//! Distinguished names (RFC 4514, and what older servers write): one spelling for every way to write the same name.
//!
//! Two DNs are the same entry when their normal forms are equal. The normal form has attribute types in lower
//! case under their short name, values in lower case with runs of spaces made one, the parts of a multi-valued
//! RDN sorted, `,` and `+` without spaces around them, and one way to escape. Unicode normalisation is not applied.

use std::fmt;

use rollcall_store::fold::letter_case;

/// A distinguished name in normal form; its `Display` is the key other entries refer to it by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Dn {
    rdns: Vec<Vec<(String, String)>>,
}

/// Why a text is not a distinguished name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotADn {
    /// A part without `=`.
    #[error("a part has no =")]
    NoEquals,
    /// A part whose attribute type is empty or has other characters than letters, digits, `-` and `.`.
    #[error("a part has no attribute name before its =")]
    BadType,
    /// A quoted value that doesn't end, or has something behind it.
    #[error("a quoted value does not end")]
    OpenQuote,
    /// A `\` with nothing it could escape.
    #[error("a \\ escapes nothing")]
    BadEscape,
    /// Escaped bytes that are not UTF-8, or a control character.
    #[error("a value is not text")]
    NotText,
}

impl Dn {
    /// Reads a DN as LDIF and other entries write it; the empty text is the empty DN.
    ///
    /// # Errors
    /// When the text is not a DN.
    pub fn parse(text: &str) -> Result<Self, NotADn> {
        let mut rdns = Vec::new();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let mut rdn = Vec::new();
            let last = loop {
                let (kind, after) = rest.split_once('=').ok_or(NotADn::NoEquals)?;
                let (value, after) = value(after)?;
                rdn.push((attribute_type(kind)?, fold(&value)));
                match after.chars().next() {
                    None => break true,
                    Some(separator) => rest = &after[separator.len_utf8()..],
                }
                if !after.starts_with('+') {
                    break false;
                }
            };
            rdn.sort();
            rdns.push(rdn);
            if last {
                break;
            }
            if rest.trim().is_empty() {
                return Err(NotADn::NoEquals);
            }
        }
        Ok(Self { rdns })
    }

    /// The name of the entry with this DN: the first value of its first RDN as it is written.
    ///
    /// # Errors
    /// When the text does not begin as a DN.
    pub(super) fn entry_name(text: &str) -> Result<String, NotADn> {
        let (_, after) = text.split_once('=').ok_or(NotADn::NoEquals)?;
        value(after).map(|(name, _)| name.trim().to_owned())
    }

    /// Whether an RDN says that the entry is, or lies under, this `value` of the attribute `kind`; case is ignored.
    #[must_use]
    pub fn lies_under(&self, kind: &str, value: &str) -> bool {
        let value = fold(value);
        self.rdns
            .iter()
            .flatten()
            .any(|(ours, under)| ours == kind && *under == value)
    }
}

impl fmt::Display for Dn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, rdn) in self.rdns.iter().enumerate() {
            f.write_str(if place == 0 { "" } else { "," })?;
            for (place, (kind, value)) in rdn.iter().enumerate() {
                f.write_str(if place == 0 { "" } else { "+" })?;
                write!(f, "{kind}=")?;
                for (place, c) in value.char_indices() {
                    if matches!(c, ',' | '+' | '"' | '\\' | '<' | '>' | ';' | '=') || (place == 0 && c == '#')
                    {
                        f.write_str("\\")?;
                    }
                    fmt::Write::write_char(f, c)?;
                }
            }
        }
        Ok(())
    }
}

/// The short lower-case name of an attribute, which RFC 4519 lets be written out.
pub(super) fn short_name(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let short = match name.as_str() {
        "commonname" => "cn",
        "surname" => "sn",
        "gn" => "givenname",
        "userid" => "uid",
        "rfc822mailbox" => "mail",
        "organizationalunitname" => "ou",
        "localityname" => "l",
        "domaincomponent" => "dc",
        "organizationname" => "o",
        "countryname" => "c",
        _ => return name,
    };
    short.to_owned()
}

fn attribute_type(text: &str) -> Result<String, NotADn> {
    let text = text.trim();
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    if text.is_empty() || !text.chars().all(fits) {
        return Err(NotADn::BadType);
    }
    Ok(short_name(text))
}

fn fold(value: &str) -> String {
    letter_case(&value.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The value at the start of `text`, and what follows it from its separator on.
fn value(text: &str) -> Result<(String, &str), NotADn> {
    let text = text.trim_start();
    let (bytes, rest) = match text.strip_prefix('"') {
        Some(quoted) => {
            let (bytes, rest) = unescape(quoted, |c| c == '"')?;
            let rest = rest.strip_prefix('"').ok_or(NotADn::OpenQuote)?.trim_start();
            if !(rest.is_empty() || rest.starts_with(SEPARATORS)) {
                return Err(NotADn::OpenQuote);
            }
            (bytes, rest)
        }
        None => unescape(text, |c| SEPARATORS.contains(&c))?,
    };
    let value = String::from_utf8(bytes).map_err(|_| NotADn::NotText)?;
    if value.chars().any(char::is_control) {
        return Err(NotADn::NotText);
    }
    Ok((value, rest))
}

const SEPARATORS: [char; 3] = [',', '+', ';'];

fn unescape(text: &str, ends: impl Fn(char) -> bool) -> Result<(Vec<u8>, &str), NotADn> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if ends(c) {
            break;
        }
        rest = &rest[c.len_utf8()..];
        if c != '\\' {
            bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        let hex = rest
            .get(..2)
            .filter(|pair| pair.bytes().all(|digit| digit.is_ascii_hexdigit()));
        if let Some(byte) = hex.and_then(|pair| u8::from_str_radix(pair, 16).ok()) {
            bytes.push(byte);
            rest = &rest[2..];
        } else {
            let escaped = rest.chars().next().ok_or(NotADn::BadEscape)?;
            bytes.extend_from_slice(escaped.encode_utf8(&mut [0; 4]).as_bytes());
            rest = &rest[escaped.len_utf8()..];
        }
    }
    Ok((bytes, rest))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Dn, NotADn};

    fn normal(text: &str) -> String {
        Dn::parse(text)
            .unwrap_or_else(|error| panic!("{text}: {error}"))
            .to_string()
    }

    #[test]
    fn the_same_name_written_in_other_ways_has_one_normal_form() {
        let ways = [
            ("uid=ann, ou=People, dc=b", "UID = Ann ,ou=people;DC=B"),
            ("cn=Lee\\, Ann,dc=b", "cn=Lee\\2c Ann,dc=b"),
            ("cn=Lee\\, Ann,dc=b", "cn=\"Lee, Ann\" ,dc=b"),
            ("cn=Zo\\C3\\AB", "commonName=Zoë"),
            ("cn=a+uid=b,dc=c", "uid=b + cn=A , dc=c"),
            ("cn=a  b", "cn= a b\\ "),
            ("cn=say \\\"hi\\\"", "cn=\"say \\\"hi\\\"\""),
            ("", "  "),
        ];
        for (one, other) in ways {
            assert_eq!(normal(one), normal(other));
        }
    }

    #[test]
    fn different_names_stay_different() {
        assert_ne!(normal("cn=a\\,dc=b"), normal("cn=a,dc=b"));
        assert_ne!(normal("cn=a\\+uid=b"), normal("cn=a+uid=b"));
        assert_ne!(normal("dc=a,dc=b"), normal("dc=b,dc=a"));
    }

    #[test]
    fn what_is_not_a_dn_is_refused() {
        let cases = [
            ("ann", NotADn::NoEquals),
            ("cn=a,", NotADn::NoEquals),
            ("cn=a+", NotADn::NoEquals),
            ("=a", NotADn::BadType),
            ("c n=a", NotADn::BadType),
            ("cn=\"a", NotADn::OpenQuote),
            ("cn=\"a\"b", NotADn::OpenQuote),
            ("cn=a\\", NotADn::BadEscape),
            ("cn=\\ff", NotADn::NotText),
            ("cn=\\00", NotADn::NotText),
        ];
        for (text, fault) in cases {
            assert_eq!(Dn::parse(text), Err(fault), "{text}");
        }
    }

    #[test]
    fn an_entry_lies_under_its_own_rdns() {
        let dn = Dn::parse("uid=ann,ou=People,dc=b").expect("a DN");
        assert!(dn.lies_under("ou", " PEOPLE") && !dn.lies_under("ou", "ann"));
    }

    proptest! {
        #[test]
        fn a_normal_form_is_its_own_normal_form(text in "([a-z]{1,3}=[^\\x00-\\x1f\\x7f-\\x9f]{0,8}[,+;]?){0,4}") {
            if let Ok(dn) = Dn::parse(&text) {
                prop_assert_eq!(Dn::parse(&dn.to_string()), Ok(dn));
            }
        }
    }
}
