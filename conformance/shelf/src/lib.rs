//! A shelf of targets to judge: a model of the API that conforms, and variants of it that are broken in one way each, or
//! different in ways the specification leaves open.
//!
//! The shelf is included by path where it is needed. It is built from the contract model (`rollcall_contract`) and uses no
//! code of the runner or of the reference server. It knows the runner's checks by their numbers: each fault in [`faults`]
//! names the check that must find it first. A conforming variant names the open point and the answer of the contract that it
//! gives, if it gives one. The runner reads the contract by the same model, so the shelf cannot show a mistake of the model.

pub mod asked;
pub mod benign;
pub mod equivalence;
pub mod faults;
pub mod hooks;
pub mod model;
pub mod mutation;
mod percent;
pub mod reply;
pub mod settings;
pub mod variant;

use reqwest::Url;
use tokio::task::JoinHandle;

pub use asked::Asked;
pub use hooks::Hooks;
pub use model::Model;
pub use percent::percent_decoded;
pub use variant::{Variant, accepted, benign, fault};

/// The only token the model grants anything to.
pub const TOKEN: &str = "s3cret-Token.of-the/tests+0123456789";

/// Every fault, in the order of the specification.
pub fn all_faults() -> Vec<Variant> {
    faults::SECTIONS.iter().flat_map(|(_, faults)| faults()).collect()
}

/// Serves a model on a free port of this machine until the task is aborted or the runtime ends.
pub async fn serve(model: Model) -> (Url, JoinHandle<()>) {
    model::serve(model).await
}
