//! A variant of the model: a name, and what to change.

use std::fmt;

use super::Hooks;

type Make = Box<dyn Fn(&mut Hooks) + Send + Sync>;

/// One way in which a target differs from the model.
pub(crate) struct Variant {
    /// What is wrong or different, in a few words.
    pub(crate) name: String,
    /// The check that has to find it before any other; none for what conforms.
    pub(crate) finds: Option<&'static str>,
    /// Makes it so.
    pub(crate) make: Make,
}

impl Variant {
    /// The changes to the model.
    pub(crate) fn hooks(&self) -> Hooks {
        let mut hooks = Hooks::default();
        (self.make)(&mut hooks);
        hooks
    }
}

impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// A fault, with the check that has to find it first.
pub(crate) fn fault(
    name: impl Into<String>,
    finds: &'static str,
    make: impl Fn(&mut Hooks) + Send + Sync + 'static,
) -> Variant {
    Variant {
        name: name.into(),
        finds: Some(finds),
        make: Box::new(make),
    }
}

/// A difference that the specification allows.
pub(crate) fn benign(name: impl Into<String>, make: impl Fn(&mut Hooks) + Send + Sync + 'static) -> Variant {
    Variant {
        name: name.into(),
        finds: None,
        make: Box::new(make),
    }
}
