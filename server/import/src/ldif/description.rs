//! Attribute descriptions (RFC 4512 §2.5): a name, and options that say which value of the attribute this is.
//!
//! An option that is not understood is refused by its name, for it may mean that the value is not the person's.

use crate::check::label;
use crate::dn::short_name;

/// A description, taken apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Description {
    /// The name, short and in lower case.
    pub(super) name: String,
    /// The options that name a language, as `lang-ja;phonetic`; empty when there are none.
    pub(super) language: String,
    /// Whether the value is only kept to tell replicas that it was deleted.
    pub(super) is_deleted: bool,
    /// Whether the value is not text.
    pub(super) is_binary: bool,
    /// An option that cannot be taken, and the reason.
    pub(super) fault: Option<String>,
}

/// Prefixes of the options in which 389 Directory Server exports when its replicas changed a value.
const REPLICA_STATE: [&str; 4] = ["vucsn-", "adcsn-", "vdcsn-", "mdcsn-"];

impl Description {
    /// Reads the text before the colon; `None` when it is no description.
    pub(super) fn parse(text: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(text.trim_ascii_end()).ok()?;
        let (name, options) = text.split_once(';').unwrap_or((text, ""));
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
        let is_option = |byte: u8| fits(byte) || matches!(byte, b';' | b'=' | b'*');
        if name.is_empty() || name.len() > 255 || !name.bytes().all(fits) || !options.bytes().all(is_option) {
            return None;
        }
        let mut read = Self {
            name: short_name(name),
            ..Self::default()
        };
        for option in options.split(';').filter(|option| !option.is_empty()) {
            read.option(&option.to_ascii_lowercase());
        }
        Some(read)
    }

    fn option(&mut self, option: &str) {
        let is_state = REPLICA_STATE.iter().any(|prefix| option.starts_with(prefix));
        match option {
            "binary" => self.is_binary = true,
            "deleted" | "deletedattribute" => self.is_deleted = true,
            // The whole range is in this answer.
            "range=0-*" => {}
            _ if is_state => {}
            _ if option.starts_with("lang-") || option == "phonetic" => {
                if !self.language.is_empty() {
                    self.language.push(';');
                }
                self.language.push_str(option);
            }
            _ => {
                let (name, option) = (&self.name, label(option));
                let reason = match option.strip_prefix("range=") {
                    Some(range) => format!(
                        "{name}: the option range={range} says that this is only a part of the values; export all of them"
                    ),
                    None => format!("{name}: the option {option} is not understood, so neither is the value"),
                };
                self.fault.get_or_insert(reason);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Description;

    fn parsed(text: &str) -> Description {
        Description::parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn options_are_understood_or_named() {
        let plain = parsed("commonName");
        assert_eq!((plain.name.as_str(), plain.language.as_str()), ("cn", ""));
        assert_eq!(parsed("sn;lang-ja;phonetic").language, "lang-ja;phonetic");
        assert!(parsed("userCertificate;binary").is_binary);
        let replicated = parsed("mail;adcsn-5e1f;vucsn-5e1f;vdcsn-5e1f;deleted");
        assert!(replicated.is_deleted && replicated.fault.is_none());
        assert!(!parsed("mail;vucsn-5e1f").is_deleted);
        assert_eq!(parsed("member;range=0-*").fault, None);
        for (text, named) in [("member;range=0-1499", "range=0-1499"), ("mail;x-old", "x-old")] {
            assert!(parsed(text).fault.unwrap().contains(named));
        }
        let long = parsed(&format!("mail;x-{}", "o".repeat(50_000)));
        assert!(long.fault.unwrap().len() < 200);
        for text in ["", ";lang-en", "a b", "cn:", "mail;a b"] {
            assert_eq!(Description::parse(text.as_bytes()), None, "{text}");
        }
    }
}
