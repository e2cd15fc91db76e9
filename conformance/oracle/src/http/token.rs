//! The caller's token. It is sent, and nothing else: whatever comes back from a target is searched for it first.

use std::fmt;

/// A token; printing it shows nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// The text cannot be sent as a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a token is one or more visible ASCII characters, without blanks")]
pub struct NotAToken;

impl Token {
    /// Takes the text of a token.
    ///
    /// # Errors
    /// It is empty, or has a character that a header cannot carry.
    pub fn new(text: impl Into<String>) -> Result<Self, NotAToken> {
        let text = text.into();
        match !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            true => Ok(Self(text)),
            false => Err(NotAToken),
        }
    }

    /// Whether a text gives the token away.
    pub fn is_in(&self, text: &str) -> bool {
        Self::is_telling(&self.0) && text.contains(&self.0)
    }

    /// Whether a text that has such a token gives it away. Data has words of a few letters by chance: were they taken for the
    /// token, the data would be judged without them.
    pub fn is_telling(secret: &str) -> bool {
        secret.len() > 7
    }

    /// The token itself, for the header that carries it.
    pub fn secret(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token($TOKEN)")
    }
}
