//! What is measured: the model as it is, its faults, its variants that conform.
use rollcall_shelf::{Variant, benign, faults};

/// The name of the model as it is.
pub(crate) const SOUND: &str = "the model itself";

/// The section of faults that show only where several parts of a request meet.
const INTERACTION: &str = "together";

/// One target.
pub(crate) struct Subject {
    /// What is wrong with it, or different.
    pub(crate) variant: Variant,
    /// The section of the checks that a fault belongs to; none for what conforms.
    pub(crate) section: Option<&'static str>,
}

/// The targets, those that conform last.
pub(crate) struct Subjects(Vec<Subject>);

impl Subjects {
    /// Every target whose name has a part, and the model as it is.
    pub(crate) fn chosen(part: Option<&str>) -> Self {
        let faults = faults::SECTIONS.iter().flat_map(|(section, faults)| {
            faults().into_iter().map(|variant| Subject {
                variant,
                section: Some(*section),
            })
        });
        let sound = benign(SOUND, |_| {});
        let benign = std::iter::once(sound)
            .chain(benign::variants())
            .chain(benign::mixture::mixtures());
        let benign = benign.map(|variant| Subject {
            variant,
            section: None,
        });
        let all = faults.chain(benign);
        let is_meant = |subject: &Subject| {
            let name = subject.name();
            name == SOUND || part.is_none_or(|part| name.contains(part))
        };
        Self(all.filter(is_meant).collect())
    }

    /// Those that do not conform.
    pub(crate) fn faults(&self) -> impl Iterator<Item = &Subject> {
        self.0.iter().filter(|subject| subject.is_fault())
    }

    /// Those that conform.
    pub(crate) fn benign(&self) -> impl Iterator<Item = &Subject> {
        self.0.iter().filter(|subject| !subject.is_fault())
    }

    /// The target of this name.
    pub(crate) fn named(&self, name: &str) -> Option<&Subject> {
        self.0.iter().find(|subject| subject.name() == name)
    }
}

impl Subject {
    /// Its name.
    pub(crate) fn name(&self) -> &str {
        &self.variant.name
    }

    /// Whether it does not conform.
    pub(crate) fn is_fault(&self) -> bool {
        self.section.is_some()
    }

    /// Whether it is a fault that one part of a request shows on its own.
    pub(crate) fn is_first_order(&self) -> bool {
        self.section.is_some_and(|section| section != INTERACTION)
    }
}
