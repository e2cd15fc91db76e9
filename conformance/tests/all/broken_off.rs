//! A target that closes the connection of some requests without an answer, as servers do whose handler breaks.

use std::net::{SocketAddr, TcpListener};

use rollcall_conformance::report::Verdict;
use rollcall_shelf::{Hooks, Model};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::{failed, judge_model, printed};

/// The address of a server that passes on one request of each connection, but for those to a path: these connections it closes.
fn closing(path: &'static str, target: SocketAddr) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    listener.set_nonblocking(true).unwrap();
    let listener = tokio::net::TcpListener::from_std(listener).unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(pass_on(stream, path, target));
        }
    });
    address
}

async fn pass_on(mut stream: TcpStream, path: &str, target: SocketAddr) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
    let head = String::from_utf8(head).unwrap();
    let asked = head.split(' ').nth(1).unwrap_or_default();
    if asked.split('?').next() == Some(path) {
        return;
    }
    let head = head.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n");
    let mut other = TcpStream::connect(target).await.unwrap();
    other.write_all(head.as_bytes()).await.unwrap();
    // An error means that one side has closed the connection, which ends the exchange.
    let _ = tokio::io::copy_bidirectional(&mut stream, &mut other).await;
}

/// Judges the model behind a server that closes the connections of requests to a path.
async fn judged(path: &'static str) -> rollcall_conformance::Report {
    judge_model(Model::new(20, Hooks::default()), |config| {
        let target = config.base_url.socket_addrs(|| None).unwrap()[0];
        let address = closing(path, target);
        config.base_url.set_port(Some(address.port())).unwrap();
    })
    .await
}

#[tokio::test]
async fn a_list_whose_connection_is_closed_fails_and_the_others_are_judged() {
    let report = judged("/api/v1/directory/dimensions").await;
    assert_eq!(report.verdict, Verdict::Violates, "{}", printed(&report));
    assert_eq!(failed(&report), ["H1"], "{}", printed(&report));
    assert_eq!(report.check("E1").unwrap().outcome.word(), "passed");
}

#[tokio::test]
async fn a_list_that_the_specification_does_not_have_may_break_off() {
    let report = judged("/api/v1/workspace/users").await;
    assert!(failed(&report).is_empty(), "{}", printed(&report));
}
