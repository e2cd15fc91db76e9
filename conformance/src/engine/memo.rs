//! What checks share: values of any type, each under a key.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::Arc;

/// Values by their type and key. So the engine need not know what checks share.
#[derive(Debug, Default)]
pub(crate) struct Memo(HashMap<(TypeId, String), Arc<dyn Any + Send + Sync>>);

impl Memo {
    /// The value of a type under a key.
    pub(crate) fn get<T: Send + Sync + 'static>(&self, key: &str) -> Option<Arc<T>> {
        let value = self.0.get(&(TypeId::of::<T>(), key.to_owned()))?;
        Arc::clone(value).downcast().ok()
    }

    /// Puts a value of a type under a key.
    pub(crate) fn set<T: Send + Sync + 'static>(&mut self, key: String, value: Arc<T>) {
        self.0.insert((TypeId::of::<T>(), key), value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_two_types_may_have_the_same_key() {
        let mut memo = Memo::default();
        memo.set("1".to_owned(), Arc::new(7_u8));
        memo.set("1".to_owned(), Arc::new("seven"));
        assert_eq!(memo.get::<u8>("1").as_deref(), Some(&7));
        assert_eq!(memo.get::<&str>("1").as_deref(), Some(&"seven"));
        assert_eq!(memo.get::<u8>("2"), None);
    }
}
