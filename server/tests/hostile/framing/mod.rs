//! Heads that two programs could read in two ways, or that ask for too much memory.

mod limits;
mod methods;
mod refused;
mod taken;

use crate::answer::Answer;
use crate::server::Server;

/// A request that is hidden behind another.
const SMUGGLED: &str = "GET /smuggled HTTP/1.1\r\nHost: rollcall\r\n\r\n";

/// Fails unless the head is answered by 400 `malformed_request` and what follows it by nothing.
fn assert_refused(server: &Server, head: &[u8]) {
    let answers = server.connect().ask_all([head, SMUGGLED.as_bytes()].concat());
    let shown = head[..head.len().min(200)].escape_ascii();
    assert_eq!(answers.len(), 1, "{shown}: {:?}", statuses(&answers));
    assert_eq!(
        (answers[0].status, answers[0].problem_code().as_deref()),
        (400, Ok("malformed_request")),
        "{shown}"
    );
    assert!(answers[0].announces_close(), "{shown}");
}

fn statuses(answers: &[Answer]) -> Vec<u16> {
    answers.iter().map(|answer| answer.status).collect()
}
