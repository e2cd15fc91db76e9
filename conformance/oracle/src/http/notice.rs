//! Messages to the person who waits for a run.

use std::fmt;
use std::sync::Arc;

/// Who is told something while a run goes on; by default nobody.
#[derive(Clone, Default)]
pub struct Notice(Option<Arc<Tell>>);

type Tell = dyn Fn(&str) + Send + Sync;

impl Notice {
    /// Tells it to a function.
    pub fn to(tell: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(tell)))
    }

    pub(super) fn tell(&self, what: &str) {
        if let Some(tell) = &self.0 {
            tell(what);
        }
    }
}

impl fmt::Debug for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Notice")
    }
}
