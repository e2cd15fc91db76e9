//! Clients choose the names of methods and paths; the server keeps none of them.

use super::statuses;
use crate::metrics::{assert_labels_are_known, request_series};
use crate::server::Server;

/// How many methods are made up.
const METHODS: usize = 3_000;

#[test]
fn methods_that_are_made_up_get_no_series_of_their_own() {
    let server = Server::start();
    let mut client = server.connect();
    let made_up = |number: usize| {
        let method = format!("M{number:06}{}", "X".repeat(500));
        format!("{method} /health/live HTTP/1.1\r\nHost: rollcall\r\n\r\n")
    };
    client
        .ask(made_up(METHODS))
        .assert_problem(405, "method_not_allowed");
    request_series(&server);
    let before = request_series(&server);
    for number in 0..METHODS {
        assert_eq!(client.ask(made_up(number)).status, 405);
    }
    let after = request_series(&server);
    assert_eq!(before, after);
    assert_labels_are_known(&after);
    assert!(
        after.iter().any(|labels| labels.contains("method=\"OTHER\"")),
        "{after:?}"
    );
}

#[test]
fn paths_that_are_made_up_get_no_series_of_their_own() {
    let server = Server::start();
    let mut client = server.connect();
    let made_up = |number: usize| format!("GET /api/v1/{number} HTTP/1.1\r\nHost: rollcall\r\n\r\n");
    client.ask(made_up(METHODS)).assert_problem(404, "not_found");
    request_series(&server);
    let before = request_series(&server);
    let requests: String = (0..500).map(made_up).collect();
    let answers = client.ask_all(requests);
    assert_eq!(statuses(&answers), [404; 500]);
    assert_eq!(before, request_series(&server));
}
