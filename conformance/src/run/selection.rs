//! Which checks a run selects.

use std::collections::BTreeMap;

use crate::RunConfig;
use crate::checks::{self, Check, Level};

impl RunConfig {
    /// The checks that are chosen and apply under the contract, in the order they run.
    pub fn checks(&self) -> Vec<&'static Check> {
        let chosen = self.chosen();
        chosen
            .filter(|check| checks::lacking(check, &self.contract).is_none())
            .collect()
    }

    /// The checks that would be selected and do not apply, because the contract has nothing that they are about; by what
    /// it does not have.
    pub fn inapplicable(&self) -> BTreeMap<&'static str, Vec<&'static str>> {
        let mut ids: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for check in self.chosen() {
            if let Some(what) = checks::lacking(check, &self.contract) {
                ids.entry(what).or_default().push(check.id);
            }
        }
        ids
    }

    /// The checks that are chosen, whether or not they apply under the contract.
    fn chosen(&self) -> impl Iterator<Item = &'static Check> {
        let is_in = |check: &Check, selections: &[String]| {
            selections.iter().any(|selection| check.is_meant_by(selection))
        };
        checks::all()
            .filter(move |check| self.only.is_empty() || is_in(check, &self.only))
            .filter(move |check| !is_in(check, &self.skip))
            .filter(|check| check.level != Level::Ruling || self.profile.is_some())
    }
}
