//! A route whose answer waits until the test lets it go: a request that is under way for as long as it has to be.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::routing::get;
use tokio::sync::Semaphore;

use crate::answer::Answer;
use crate::client::PATIENCE;

/// The request.
pub(crate) const REQUEST: &str = "GET /hold HTTP/1.1\r\nHost: rollcall\r\n\r\n";

/// How many bytes the answer has.
const LENGTH: usize = 100_000;

/// The test's side of the route.
pub(crate) struct Hold {
    begun: Receiver<()>,
    gate: Arc<Semaphore>,
}

impl Hold {
    /// The route, and what controls it.
    pub(crate) fn new() -> (Router, Self) {
        let (report, begun) = channel();
        let report = Arc::new(Mutex::new(report));
        let gate = Arc::new(Semaphore::new(0));
        let hold = Self {
            begun,
            gate: Arc::clone(&gate),
        };
        let route = get(move || answer(Arc::clone(&report), Arc::clone(&gate)));
        (Router::new().route("/hold", route), hold)
    }

    /// Waits until a request has come.
    pub(crate) fn expect_request(&self) {
        self.begun.recv_timeout(PATIENCE).unwrap();
    }

    /// Lets one request be answered.
    pub(crate) fn release(&self) {
        self.gate.add_permits(1);
    }

    /// Fails unless this is the whole answer.
    pub(crate) fn assert_whole(answer: &Answer) {
        assert_eq!((answer.status, answer.body.len()), (200, LENGTH));
    }
}

async fn answer(report: Arc<Mutex<Sender<()>>>, gate: Arc<Semaphore>) -> Vec<u8> {
    // A test that does not wait for requests has dropped its end.
    _ = report.lock().unwrap().send(());
    gate.acquire().await.unwrap().forget();
    vec![b'h'; LENGTH]
}
