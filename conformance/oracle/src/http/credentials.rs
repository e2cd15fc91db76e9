//! What a request shows for itself: the token, nothing, or an altered token.

use crate::http::token::Token;

/// What a request shows for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Credentials {
    /// The token, as the specification says.
    Token,
    /// No header at all.
    Nothing,
    /// Something else under the scheme Bearer.
    Wrong(Wrong),
    /// The token under another scheme.
    Scheme(&'static str),
    /// The token without a scheme.
    Bare,
}

/// How a token was altered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wrong {
    /// Another word altogether.
    Other,
    /// The token with a letter more.
    Longer,
    /// The token without its last six characters; a shorter token loses all but one.
    Shorter,
    /// The token without its last character.
    Head,
    /// The token with another first character.
    First,
    /// The token with another last character.
    Last,
    /// The token from its end to its beginning.
    Turned,
    /// The token without its first character.
    Tail,
    /// The token with its capitals and small letters exchanged.
    OtherCase,
    /// No token after the scheme.
    Empty,
    /// A word that programs write for a value which is not there.
    Absent(&'static str),
}

impl Credentials {
    /// The value of the header, if there is one, with `token` for the token and `altered` for an altered token.
    pub fn value(self, token: &str, altered: impl FnOnce(Wrong) -> String) -> Option<String> {
        Some(match self {
            Self::Token => format!("Bearer {token}"),
            Self::Nothing => return None,
            Self::Wrong(wrong) => format!("Bearer {}", altered(wrong)),
            Self::Scheme(scheme) => format!("{scheme} {token}"),
            Self::Bare => token.to_owned(),
        })
    }

    /// The value of the header that is sent.
    pub fn header(self, token: &Token) -> Option<String> {
        self.value(token.secret(), |wrong| wrong.of(token.secret()))
    }

    /// How a sentence speaks of it.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Token => "with the token",
            Self::Nothing => "without a token",
            Self::Wrong(Wrong::Other) => "with another token",
            Self::Wrong(Wrong::Longer) => "with the token and a letter more",
            Self::Wrong(Wrong::Shorter | Wrong::Head | Wrong::Tail) => "with a part of the token",
            Self::Wrong(Wrong::First | Wrong::Last) => "with the token and one character changed",
            Self::Wrong(Wrong::Turned) => "with the token from its end to its beginning",
            Self::Wrong(Wrong::OtherCase) => "with the token in another case",
            Self::Wrong(Wrong::Empty) => "with the scheme and no token",
            Self::Wrong(Wrong::Absent(_)) => "with a word for no token",
            Self::Scheme(_) => "with the token under another scheme",
            Self::Bare => "with the token without a scheme",
        }
    }
}

impl Wrong {
    /// Every way to alter a token.
    pub const ALL: [Self; 12] = [
        Self::Other,
        Self::Longer,
        Self::Shorter,
        Self::Head,
        Self::First,
        Self::Last,
        Self::Turned,
        Self::Tail,
        Self::OtherCase,
        Self::Empty,
        Self::Absent("null"),
        Self::Absent("undefined"),
    ];
    const WORD: &str = "not-a-token-of-this-service";

    /// The altered token.
    pub fn of(self, token: &str) -> String {
        let altered = match self {
            Self::Other => Self::WORD.to_owned(),
            Self::Longer => format!("{token}x"),
            Self::Shorter => token[..token.len().saturating_sub(6).max(1)].to_owned(),
            Self::Head => token[..token.len() - 1].to_owned(),
            Self::First => format!(
                "{}{}",
                token.chars().take(1).map(exchanged).collect::<String>(),
                &token[1..]
            ),
            Self::Last => {
                let (head, last) = token.split_at(token.len() - 1);
                format!("{head}{}", last.chars().map(exchanged).collect::<String>())
            }
            Self::Turned => token.chars().rev().collect(),
            Self::Tail => token[1..].to_owned(),
            Self::OtherCase => token.chars().map(other_case).collect(),
            Self::Empty => String::new(),
            Self::Absent(word) => word.to_owned(),
        };
        Self::unless_same(altered, token)
    }

    /// The altered token in a shell, which knows the token by the name `TOKEN`.
    pub(super) fn in_shell(self) -> String {
        let text = match self {
            Self::Other => Self::WORD,
            Self::Longer => "${TOKEN}x",
            Self::Shorter => "${TOKEN%??????}",
            Self::Head => "${TOKEN%?}",
            Self::First => "$(printf %.1s \"$TOKEN\" | tr -c a-zA-Z A | tr a-zA-Z A-Za-z)${TOKEN#?}",
            Self::Last => "${TOKEN%?}$(printf %s \"$TOKEN\" | tail -c 1 | tr -c a-zA-Z A | tr a-zA-Z A-Za-z)",
            Self::Turned => "$(printf %s \"$TOKEN\" | rev)",
            Self::Tail => "${TOKEN#?}",
            Self::OtherCase => "$(printf %s \"$TOKEN\" | tr a-zA-Z A-Za-z)",
            Self::Empty => "",
            Self::Absent(word) => word,
        };
        text.to_owned()
    }

    /// An altered token; another word where the change has left it as it was.
    fn unless_same(altered: String, token: &str) -> String {
        match altered == token {
            true => Self::WORD.to_owned(),
            false => altered,
        }
    }
}

/// Another character, which differs in the upper bits of its value in base64 too: the lowest bits of the last character of a
/// signed token may have no meaning.
fn exchanged(letter: char) -> char {
    match letter.is_ascii_alphabetic() {
        true => other_case(letter),
        false => 'a',
    }
}

fn other_case(letter: char) -> char {
    if letter.is_ascii_lowercase() {
        letter.to_ascii_uppercase()
    } else {
        letter.to_ascii_lowercase()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_altered_token_is_never_the_token() {
        for token in ["t", "abcdef", "a-long-token-0123456789"] {
            for wrong in Wrong::ALL {
                assert_ne!(wrong.of(token), token, "{wrong:?}");
            }
        }
    }
}
