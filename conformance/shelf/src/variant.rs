//! A variant of the model: a name, and what to change.

use std::fmt;

use super::Hooks;

type Make = Box<dyn Fn(&mut Hooks) + Send + Sync>;

/// One way in which a target differs from the model.
pub struct Variant {
    /// What is wrong or different, in a few words.
    pub name: String,
    /// The check that has to find it before any other; none for what conforms.
    pub finds: Option<&'static str>,
    /// The open point at which it answers otherwise than the model does, and the name of its answer in the contract; none for
    /// a fault, and for a difference that no open point is about.
    pub answer: Option<(&'static str, &'static str)>,
    /// Makes it so.
    pub make: Make,
}

impl Variant {
    /// The changes to the model.
    pub fn hooks(&self) -> Hooks {
        let mut hooks = Hooks::default();
        (self.make)(&mut hooks);
        hooks
    }

    /// Whether it has searches of id, org and metadata, whose names a person would tell the runner (L11).
    pub fn has_searches(&self) -> bool {
        self.answer != Some(("L11", "unnamed"))
    }
}

impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// A fault, with the check that has to find it first.
pub fn fault(
    name: impl Into<String>,
    finds: &'static str,
    make: impl Fn(&mut Hooks) + Send + Sync + 'static,
) -> Variant {
    Variant {
        name: name.into(),
        finds: Some(finds),
        answer: None,
        make: Box::new(make),
    }
}

/// A difference that the specification allows.
pub fn benign(name: impl Into<String>, make: impl Fn(&mut Hooks) + Send + Sync + 'static) -> Variant {
    Variant {
        name: name.into(),
        finds: None,
        answer: None,
        make: Box::new(make),
    }
}

/// An answer to an open point that its ruling accepts, by the names of both in the contract.
pub fn accepted(
    point: &'static str,
    answer: &'static str,
    name: impl Into<String>,
    make: impl Fn(&mut Hooks) + Send + Sync + 'static,
) -> Variant {
    Variant {
        answer: Some((point, answer)),
        ..benign(name, make)
    }
}
