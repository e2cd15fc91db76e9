//! A value of the contract as JSON text.

use std::marker::PhantomData;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::ETag;

/// JSON text that says a `T`. Nothing checks that on the way: it is written for a client, not for this program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Json<T> {
    text: Vec<u8>,
    says: PhantomData<fn() -> T>,
}

impl<T> Json<T> {
    /// Text that was rendered for a `T`.
    pub fn rendered(text: Vec<u8>) -> Self {
        Self {
            text,
            says: PhantomData,
        }
    }

    /// The text, in UTF-8.
    pub fn as_bytes(&self) -> &[u8] {
        &self.text
    }

    /// The text, in UTF-8.
    pub fn into_bytes(self) -> Vec<u8> {
        self.text
    }

    /// The entity tag of a record that is shown by this text.
    pub fn etag(&self) -> ETag {
        ETag::of(&self.text)
    }
}

impl<T: Serialize> Json<T> {
    /// The text of a value.
    pub fn of(value: &T) -> Self {
        // The models have string keys and finite numbers only, so they always serialise.
        Self::rendered(serde_json::to_vec(value).unwrap_or_default())
    }
}

impl<T: DeserializeOwned> Json<T> {
    /// The value that the text says.
    ///
    /// # Errors
    /// When the text is no JSON of a `T`.
    pub fn read(&self) -> serde_json::Result<T> {
        serde_json::from_slice(&self.text)
    }
}
