//! Ends of connections that depend on how much of an answer the socket takes at a time.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::routing::get;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadBuf, duplex};
use tokio::sync::watch;

use super::{ConnectionLimits, Server};
use crate::connection::counted::CountedStream;
use crate::connection::open::{Connection, OpenConnections};

/// How much a client that reads little lets the server write at a time, in bytes.
const LITTLE: usize = 64;

/// The text of a long answer.
fn long() -> String {
    "answer ".repeat(1_000)
}

fn server(limits: ConnectionLimits) -> (watch::Sender<()>, Server) {
    let (stopping, is_stopping) = watch::channel(());
    let server = Server {
        app: Router::new().route("/long", get(async || long())),
        limits,
        tls: None,
        open: Arc::new(OpenConnections::new(8)),
        is_stopping,
    };
    (stopping, server)
}

/// All that the server sends to a client that reads little at a time.
async fn receive(requests: &str) -> String {
    let (stopping, server) = server(ConnectionLimits::default());
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

/// A stream that takes everything at once and hands it on when it is flushed, as a TLS library does.
struct Greedy<S> {
    stream: S,
    held: Vec<u8>,
}

impl<S: AsyncRead + Unpin> AsyncRead for Greedy<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(cx, buf)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Greedy<S> {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.get_mut().held.extend_from_slice(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let greedy = self.get_mut();
        while !greedy.held.is_empty() {
            let taken = ready!(Pin::new(&mut greedy.stream).poll_write(cx, &greedy.held))?;
            greedy.held.drain(..taken);
        }
        Pin::new(&mut greedy.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.as_mut().poll_flush(cx))?;
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}

/// How much a client receives that reads `piece` bytes, and then pauses for a tenth of the time that the server allows for reading,
/// until the server ends the connection.
async fn read_slowly(allowed: Duration, piece: usize) -> usize {
    let mut limits = ConnectionLimits::default();
    limits.timeouts.read = allowed;
    let (_stopping, server) = server(limits);
    let (client, socket) = duplex(LITTLE);
    let connection = Arc::new(Connection::of([127, 0, 0, 1].into()));
    let stream = CountedStream::new(socket, Arc::clone(&connection));
    let greedy = Greedy {
        stream,
        held: Vec::new(),
    };
    let served = tokio::spawn(async move { server.requests(greedy, &connection).await });
    let requests = "GET /long HTTP/1.1\r\nHost: rollcall\r\n\r\n".repeat(9) + LAST;
    let (mut client, mut requesting) = tokio::io::split(client);
    // It cannot be written to its end where the connection is closed before.
    let requesting = tokio::spawn(async move { requesting.write_all(requests.as_bytes()).await.is_ok() });
    let (mut received, mut buffer) = (0, vec![0; piece]);
    loop {
        tokio::time::sleep(allowed / 10).await;
        match client.read_exact(&mut buffer).await {
            Ok(_) => received += piece,
            Err(_) => break,
        }
    }
    served.await.unwrap();
    requesting.await.unwrap();
    received
}

#[tokio::test]
async fn a_client_that_hardly_reads_is_closed_though_the_stream_has_taken_its_answer() {
    let received = read_slowly(Duration::from_millis(300), 16).await;
    assert!(received < long().len(), "{received}");
}

#[tokio::test]
async fn a_client_that_reads_slowly_and_enough_gets_everything() {
    // Longer than is allowed in all, and far from it between two pieces.
    assert!(read_slowly(Duration::from_secs(3), 4_000).await >= 8 * long().len());
}
