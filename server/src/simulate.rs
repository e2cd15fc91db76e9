//! Serves requests with the trouble that a demo simulates.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::body::{Bytes, Frame};
use rollcall_demo::simulation::{Failure, Simulation};

use crate::problem::Problem;

/// The simulation and the number of the next request.
#[derive(Clone, Debug)]
pub(crate) struct Simulator {
    simulation: Simulation,
    next: Arc<AtomicU64>,
}

impl Simulator {
    /// Begins with the first request.
    pub(crate) fn new(simulation: Simulation) -> Self {
        Self {
            simulation,
            next: Arc::default(),
        }
    }
}

/// Serves a request with the trouble that the simulation has for it.
pub(crate) async fn simulate(State(simulator): State<Simulator>, request: Request, next: Next) -> Response {
    let number = simulator.next.fetch_add(1, Ordering::Relaxed);
    let (wait, failure) = simulator.simulation.fate(number);
    tokio::time::sleep(wait).await;
    match failure {
        None => next.run(request).await,
        Some(Failure::TooManyRequests) => Problem::simulated_limit().into_response(),
        Some(Failure::Unavailable) => Problem::busy().into_response(),
        Some(Failure::Cut) => cut(next.run(request).await).await,
    }
}

/// The answer with half of its body; a problem, which gets its body later, stays as it is.
async fn cut(response: Response) -> Response {
    if response.extensions().get::<Problem>().is_some() {
        return response;
    }
    let (head, body) = response.into_parts();
    // The body lies in memory already.
    let bytes = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let half = bytes.slice(..bytes.len() / 2);
    Response::from_parts(head, Body::new(Half(Some(half))))
}

/// A body that breaks off after these bytes. The connection ends with it.
struct Half(Option<Bytes>);

impl hyper::body::Body for Half {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        Poll::Ready(Some(match self.0.take() {
            Some(bytes) => Ok(Frame::data(bytes)),
            None => Err(io::ErrorKind::ConnectionAborted.into()),
        }))
    }
}
