//! Where an element comes from: the specification, our extension of it, or a ruling on what it leaves open.

use crate::ordered::OneOrMany;
use crate::place::Place;
use crate::{Document, Error, Pointer};

/// The provenance that an element states itself; a property without any belongs to the clause of its schema.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// `x-source`: the clauses of the specification, such as `§4.1`.
    pub source: Vec<String>,
    /// `x-extension`: the specification does not have this element.
    pub extension: bool,
    /// `x-open-point`: the rulings that settle what the clause leaves open, such as `L10`.
    pub open_points: Vec<String>,
    /// `x-rules`: the rules of the specification that the element carries.
    pub rules: Vec<String>,
}

/// An element of the document that states its [`Origin`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Where in the document.
    pub at: Pointer,
    /// What is stated there.
    pub origin: Origin,
}

impl Origin {
    pub(crate) fn read(place: &Place<'_>) -> Result<Self, Error> {
        let words = |key| Ok::<_, Error>(place.typed::<OneOrMany>(key)?.map(Vec::from).unwrap_or_default());
        Ok(Self {
            source: words("x-source")?,
            extension: place.typed("x-extension")?.unwrap_or_default(),
            open_points: words("x-open-point")?,
            rules: words("x-rules")?,
        })
    }

    /// Whether the element says where it comes from: specified, or an extension.
    pub fn is_stated(&self) -> bool {
        self.extension || !self.source.is_empty()
    }
}

/// Every element that states an origin, in document order.
pub(crate) fn marks(document: &Document) -> Result<Vec<Mark>, Error> {
    let mut marks = Vec::new();
    document.root().walk(&mut |place| {
        let root = place.at().segments().is_empty();
        if !root && !place.at().segments()[0].starts_with("x-") {
            let origin = Origin::read(place)?;
            if origin != Origin::default() {
                marks.push(Mark {
                    at: place.at().clone(),
                    origin,
                });
            }
        }
        Ok::<_, Error>(())
    })?;
    Ok(marks)
}
