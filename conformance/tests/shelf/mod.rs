//! A shelf of targets to judge: a model of the API that conforms, and variants of it that are broken in one way each, or
//! different in ways the specification leaves open.
//!
//! The shelf is included by path where it is needed. It is built from the contract and knows neither the runner's checks
//! nor the reference server; only the tables in [`faults`] name the check that has to find a fault first.

pub(crate) mod asked;
pub(crate) mod benign;
pub(crate) mod faults;
pub(crate) mod hooks;
pub(crate) mod model;
pub(crate) mod reply;
pub(crate) mod settings;
pub(crate) mod variant;

use reqwest::Url;
use tokio::task::JoinHandle;

pub(crate) use asked::Asked;
pub(crate) use hooks::Hooks;
pub(crate) use model::Model;
pub(crate) use variant::{Variant, benign, fault};

/// The only token the model grants anything to.
pub(crate) const TOKEN: &str = "s3cret-Token.of-the/tests+0123456789";

/// Every fault, in the order of the specification.
pub(crate) fn all_faults() -> Vec<Variant> {
    faults::SECTIONS.iter().flat_map(|(_, faults)| faults()).collect()
}

/// Serves a model on a free port of this machine until the task is aborted or the runtime ends.
pub(crate) async fn serve(model: Model) -> (Url, JoinHandle<()>) {
    model::serve(model).await
}
