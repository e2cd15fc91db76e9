//! How a target orders identifiers. An answer of a long list is read up to some identifier; only if the order is known is it
//! known as well which records would have come before.

/// An order of identifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdOrder {
    /// Byte by byte: `a10` before `a9`.
    Bytes,
    /// The shorter ones first, as numbers are ordered: `a9` before `a10`.
    Numbers,
}

/// The end of what was read in the order of identifiers.
#[derive(Clone, Debug)]
pub struct Reach {
    last: String,
    order: IdOrder,
}

impl Reach {
    /// Whether an identifier comes no later than the last that was read.
    pub(super) fn includes(&self, id: &str) -> bool {
        self.order.key(id) <= self.order.key(&self.last)
    }
}

impl IdOrder {
    /// The order of a list whose first page is `up` when it is sorted by the identifier, `down` when it is sorted the other
    /// way round, and that has the records `known`; none if it is another one, or could be either.
    pub fn of(up: &[&str], down: &[&str], known: &[&str]) -> Option<Self> {
        let all = || [up, down, known].into_iter().flatten();
        let length = up.first()?.len();
        let fits = |order: &Self| {
            let (Some(least), Some(greatest)) = (up.first(), down.first()) else {
                return false;
            };
            let mut between = all().map(|id| order.key(id));
            order.is_ascending(up.iter().copied())
                && order.is_ascending(down.iter().rev().copied())
                && between.all(|key| order.key(least) <= key && key <= order.key(greatest))
        };
        let mut fitting = [Self::Bytes, Self::Numbers].into_iter().filter(fits);
        let order = fitting.next()?;
        let is_certain = fitting.next().is_none() || all().all(|id| id.len() == length);
        is_certain.then_some(order)
    }

    /// How far identifiers reach that were read in this order; none if they are in another one.
    pub(super) fn reach<'i>(self, ids: impl DoubleEndedIterator<Item = &'i str> + Clone) -> Option<Reach> {
        let last = ids.clone().next_back()?.to_owned();
        self.is_ascending(ids).then_some(Reach { last, order: self })
    }

    fn is_ascending<'i>(self, ids: impl Iterator<Item = &'i str>) -> bool {
        ids.map(|id| self.key(id)).is_sorted_by(|one, next| one < next)
    }

    /// What identifiers are compared by.
    fn key(self, id: &str) -> (usize, &str) {
        match self {
            Self::Bytes => (0, id),
            Self::Numbers => (id.len(), id),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_known_by_both_ends_of_the_list() {
        let known = ["a1", "a2", "a9", "a10", "a11"];
        assert_eq!(
            IdOrder::of(&["a1", "a2"], &["a11", "a10"], &known),
            Some(IdOrder::Numbers)
        );
        assert_eq!(
            IdOrder::of(&["a1", "a10"], &["a9", "a2"], &known),
            Some(IdOrder::Bytes)
        );
        assert_eq!(IdOrder::of(&["a2", "a1"], &["a9", "a2"], &known), None);
    }

    #[test]
    fn identifiers_of_one_length_have_one_order() {
        assert_eq!(IdOrder::of(&["a1", "a2"], &["a9"], &["a5"]), Some(IdOrder::Bytes));
        // Both orders fit, and they differ about records that were not read.
        assert_eq!(IdOrder::of(&["a1", "a2"], &["b123"], &["a5"]), None);
        assert_eq!(IdOrder::of(&["a2"], &["a9"], &["a1"]), None);
        assert_eq!(IdOrder::of(&[], &[], &[]), None);
    }

    #[test]
    fn a_reach_ends_at_the_last_identifier() {
        let reach = |order: IdOrder, ids: &[&str]| order.reach(ids.iter().copied());
        let numbers = reach(IdOrder::Numbers, &["a2", "a9"]).unwrap();
        assert!(numbers.includes("a1") && !numbers.includes("a10"));
        let bytes = reach(IdOrder::Bytes, &["a2", "a9"]).unwrap();
        assert!(bytes.includes("a10") && !bytes.includes("b1"));
        assert!(reach(IdOrder::Bytes, &["a9", "a10"]).is_none());
    }
}
