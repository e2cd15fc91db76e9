//! The points that the specification leaves open, and what a target does about each.
//!
//! Invariant: every point of the contract is there, also where nothing was seen of it.

use rollcall_contract::Contract;
use schemars::JsonSchema;
use serde::Serialize;

use crate::report::Checked;

/// A point that the specification leaves open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Point {
    /// Its number, such as `L9`.
    pub id: String,
    /// What is left open.
    pub says: String,
    /// Whether the contract lists it. A check may observe something beside the open points.
    #[serde(skip)]
    pub is_open: bool,
    /// What the target does; empty where nothing was seen.
    pub observed: Vec<PointObservation>,
}

/// One thing that was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PointObservation {
    /// The check that saw it.
    pub check: &'static str,
    /// What was looked at.
    pub question: String,
    /// What the target does.
    pub choice: String,
}

/// What a report says where nothing was seen of an open point.
pub(super) const NOT_OBSERVED: &str = "not observed";

/// The open points of a contract with what was seen of them, and whatever else the checks observed.
pub(super) fn of(contract: &Contract, checks: &[Checked]) -> Vec<Point> {
    let known = contract.open_points.iter().map(|point| Point {
        id: point.id.clone(),
        says: point.says.clone(),
        is_open: true,
        observed: Vec::new(),
    });
    let mut points: Vec<_> = known.collect();
    for check in checks {
        for observation in check.outcome.observations() {
            let sight = PointObservation {
                check: check.id,
                question: observation.question.clone(),
                choice: observation.choice.clone(),
            };
            match points.iter_mut().find(|point| point.id == observation.point) {
                Some(point) => point.observed.push(sight),
                None => points.push(Point {
                    id: observation.point.to_owned(),
                    says: check.says.to_owned(),
                    is_open: false,
                    observed: vec![sight],
                }),
            }
        }
    }
    points
}
