//! Whose certificate is believed.
//!
//! The certificate of the target was made for these tests, by an authority whose key was thrown away.

use std::sync::Arc;

use rollcall_conformance::{RunConfig, TargetConfig, Token, our_contract, run};
use rollcall_oracle::http::journal::Journal;
use rollcall_oracle::http::request::Request;
use rollcall_oracle::http::target::Target;
use rollcall_oracle::http::tls::Trust;
use rollcall_shelf::TOKEN;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

const AUTHORITY: &[u8] = include_bytes!("authority.pem");

/// A target that answers every request with an empty list, behind a certificate of an authority nobody knows.
async fn serve() -> reqwest::Url {
    let chain = CertificateDer::from_pem_slice(include_bytes!("server.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_slice(include_bytes!("server.key")).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![chain], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("https://{}/api/v1", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(mut stream) = acceptor.accept(stream).await else {
                continue;
            };
            let mut request = [0; 4096];
            _ = stream.read(&mut request).await;
            let answer = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n[]";
            _ = stream.write_all(answer.as_bytes()).await;
            _ = stream.shutdown().await;
        }
    });
    base.parse().unwrap()
}

async fn status(trust: Trust) -> Result<u16, String> {
    let mut config = TargetConfig::new(serve().await, Token::new(TOKEN).unwrap());
    config.trust = trust;
    let target = Target::new(config, 1, Journal::start()).unwrap();
    let answer = target.send(&Request::get("/directory/users")).await;
    answer
        .map(|exchange| exchange.status)
        .map_err(|trouble| trouble.to_string())
}

#[tokio::test]
async fn an_authority_nobody_knows_is_not_believed() {
    let why = status(Trust::default()).await.unwrap_err();
    assert!(why.contains("certificate"), "{why}");
}

#[tokio::test]
async fn an_authority_that_was_named_is_believed() {
    let trust = Trust::default().with_pem(AUTHORITY).unwrap();
    assert_eq!(status(trust).await, Ok(200));
}

#[tokio::test]
async fn whoever_wants_to_may_believe_anyone() {
    let trust = Trust {
        anyone: true,
        ..Trust::default()
    };
    assert_eq!(status(trust).await, Ok(200));
}

#[tokio::test]
async fn a_report_says_that_no_certificate_was_verified() {
    let mut target = TargetConfig::new(serve().await, Token::new(TOKEN).unwrap());
    target.trust.anyone = true;
    let report = run(target, RunConfig::new(our_contract().unwrap()), |_| {}).await;
    assert!(
        report
            .notes
            .iter()
            .any(|note| note.contains("no certificate was verified")),
        "{:?}",
        report.notes
    );
}
