//! Ends of connections that depend on how much of an answer the socket takes at a time.

use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

use super::{ConnectionLimits, Server};
use crate::connection::open::{Connection, OpenConnections};

/// How much a client that reads little lets the server write at a time, in bytes.
const LITTLE: usize = 64;

/// The text of a long answer.
fn long() -> String {
    "answer ".repeat(1_000)
}

/// All that the server sends to a client that reads little at a time.
async fn receive(requests: &str) -> String {
    let (stopping, is_stopping) = tokio::sync::watch::channel(());
    let server = Server {
        app: Router::new().route("/long", get(async || long())),
        limits: ConnectionLimits::default(),
        tls: None,
        open: Arc::new(OpenConnections::new(8)),
        is_stopping,
    };
    let (mut client, socket) = duplex(LITTLE);
    let requests = requests.as_bytes().to_vec();
    let served = tokio::spawn(async move {
        server
            .requests(socket, &Connection::of([127, 0, 0, 1].into()).into())
            .await
    });
    let client = tokio::spawn(async move {
        client.write_all(&requests).await.unwrap();
        let mut received = String::new();
        client.read_to_string(&mut received).await.unwrap();
        received
    });
    let received = client.await.unwrap();
    served.await.unwrap();
    drop(stopping);
    received
}

/// Nothing can be read behind a broken body, so the connection ends with the answer.
const LAST: &str = "GET /long HTTP/1.1\r\nHost: rollcall\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n";

#[tokio::test]
async fn the_last_answer_is_sent_to_its_end() {
    assert!(receive(LAST).await.ends_with(&long()));
}

#[tokio::test]
async fn the_last_answer_is_sent_to_its_end_after_another_protocol_was_asked_for() {
    for first in [
        "CONNECT /long HTTP/1.1\r\nHost: rollcall\r\n\r\n",
        "GET /other HTTP/1.1\r\nHost: rollcall\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n",
    ] {
        let received = receive(&[first, LAST].concat()).await;
        assert!(received.ends_with(&long()), "{first}: {} bytes", received.len());
    }
}
