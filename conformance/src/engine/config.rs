//! How a run is configured.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::civil::Date;
use rollcall_contract::Contract;

use crate::engine::profile::Profile;
use crate::engine::waiver::Waiver;

/// What to look into, and by which contract.
#[derive(Clone, Debug)]
pub struct RunConfig {
    /// The contract to judge by.
    pub contract: Arc<Contract>,
    /// Whether every pair of parameters is tried, however many requests that takes.
    pub thorough: bool,
    /// Decides which values are chosen; the same seed chooses the same.
    pub seed: u64,
    /// Numbers of checks and clauses such as `§4.4`; empty for all.
    pub only: Vec<String>,
    /// Numbers of checks and clauses to leave out.
    pub skip: Vec<String>,
    /// Whether records may be changed.
    pub allow_writes: bool,
    /// The records that may be changed: kind, see [`fixture::kind`](crate::engine::fixture::kind), → id.
    pub fixtures: BTreeMap<String, String>,
    /// What the target calls the searches that the specification does not name, as
    /// [key](rollcall_oracle::corpus::search::key) → parameter.
    pub searches: BTreeMap<String, String>,
    /// The violations that are known.
    pub waivers: Vec<Waiver>,
    /// The day by which waivers expire; without it they do not.
    pub today: Option<Date>,
    /// The choices at open points that the target claims to make.
    pub profile: Option<Profile>,
    /// How many requests may be under way at once.
    pub concurrency: usize,
    /// Whether the run ends at the first check that fails.
    pub fail_fast: bool,
}

impl RunConfig {
    /// How many requests a thorough run may send unless it is told otherwise.
    pub const THOROUGH_REQUESTS: usize = 15_000;

    /// All checks, by a contract.
    pub fn new(contract: Contract) -> Self {
        Self {
            contract: Arc::new(contract),
            thorough: false,
            seed: 1,
            only: Vec::new(),
            skip: Vec::new(),
            allow_writes: false,
            fixtures: BTreeMap::new(),
            searches: BTreeMap::new(),
            waivers: Vec::new(),
            today: None,
            profile: None,
            concurrency: 4,
            fail_fast: false,
        }
    }
}
