//! HTTPS with a certificate that is renewed while the server runs.
//!
//! The certificates were made for these tests. Nobody trusts them, so the clients here look at them by themselves.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::Client;
use reqwest::tls::TlsInfo;
use rollcall_server::connection::tls::{Files, Tls};
use tempfile::TempDir;

use crate::harness::{Running, TOKEN};
use crate::process::Process;
use crate::shell::Shell;

const FIRST: [&str; 2] = [
    include_str!("../fixtures/tls/first.pem"),
    include_str!("../fixtures/tls/first.key"),
];
const SECOND: [&str; 2] = [
    include_str!("../fixtures/tls/second.pem"),
    include_str!("../fixtures/tls/second.key"),
];

fn write(folder: &Path, [certificate, key]: [&str; 2]) {
    std::fs::write(folder.join("cert.pem"), certificate).unwrap();
    std::fs::write(folder.join("key.pem"), key).unwrap();
}

fn files(folder: &Path) -> Files {
    Files {
        certificate: folder.join("cert.pem"),
        key: folder.join("key.pem"),
    }
}

/// A client with connections of its own, which keeps them open.
fn client() -> Client {
    let builder = Client::builder().danger_accept_invalid_certs(true).tls_info(true);
    builder.build().unwrap()
}

/// The certificate of the connection that a request went over, in DER.
async fn presented(client: &Client, base: &str) -> Vec<u8> {
    let request = client.get(format!("{base}/directory/users")).bearer_auth(TOKEN);
    let answer = request.send().await.unwrap();
    let info = answer.extensions().get::<TlsInfo>().unwrap();
    let certificate = info.peer_certificate().unwrap().to_vec();
    // Read to its end, the connection can be used again.
    answer.bytes().await.unwrap();
    certificate
}

fn der([certificate, _]: [&str; 2]) -> Vec<u8> {
    let lines = certificate.lines().filter(|line| !line.starts_with("-----"));
    STANDARD.decode(lines.collect::<String>()).unwrap()
}

#[tokio::test]
async fn new_connections_get_a_new_certificate_and_open_ones_stay_open() {
    let folder = TempDir::new().unwrap();
    write(folder.path(), FIRST);
    let tls = Tls::new(files(folder.path())).unwrap();
    let server = Running::over_tls(tls.clone()).await;
    let early = client();
    assert_eq!(presented(&early, &server.base).await, der(FIRST));
    assert!(!tls.reload().unwrap(), "the files are the same");

    write(folder.path(), SECOND);
    assert!(tls.reload().unwrap());
    assert_eq!(
        presented(&early, &server.base).await,
        der(FIRST),
        "over the open connection"
    );
    assert_eq!(presented(&client(), &server.base).await, der(SECOND));

    // The key of the other certificate, no PEM, no file.
    write(folder.path(), [SECOND[0], FIRST[1]]);
    assert!(
        tls.reload()
            .unwrap_err()
            .to_string()
            .contains("cannot be used together")
    );
    write(folder.path(), ["no certificate", SECOND[1]]);
    assert!(
        tls.reload()
            .unwrap_err()
            .to_string()
            .contains("cert.pem: holds no certificate")
    );
    std::fs::remove_file(folder.path().join("key.pem")).unwrap();
    assert!(tls.reload().unwrap_err().to_string().contains("key.pem: "));
    assert_eq!(
        presented(&client(), &server.base).await,
        der(SECOND),
        "the last good one"
    );
}

#[cfg(unix)]
#[tokio::test]
async fn the_command_serves_https_and_reads_the_files_again_when_told() {
    let shell = Shell::new();
    write(&shell.path(""), FIRST);
    let made = shell.run(&["token", "create", "--owner", "a@test.invalid"]);
    assert_eq!(made.code, 0, "{}", made.err);
    let database = shell.path("a.db");
    let [certificate, key] = ["cert.pem", "key.pem"].map(|name| shell.path(name).display().to_string());
    let process = Process::serve(&database, &["--tls-cert", &certificate, "--tls-key", &key]);
    assert!(process.base.starts_with("https://"), "{}", process.base);
    assert_eq!(presented(&client(), &process.base).await, der(FIRST));
    write(&shell.path(""), SECOND);
    process.signal("HUP");
    while presented(&client(), &process.base).await != der(SECOND) {}
}

#[test]
fn a_certificate_that_cannot_be_used_is_said_before_anything_is_served() {
    let shell = Shell::new();
    write(&shell.path(""), [FIRST[0], SECOND[1]]);
    let serve = ["serve", "--listen", "127.0.0.1:0", "--tls-cert", "cert.pem"];
    let said = shell.run(&serve);
    assert!(said.code == 2 && said.err.contains("--tls-key"), "{}", said.err);
    let said = shell.run(&[&serve[..], &["--tls-key", "key.pem"]].concat());
    assert_eq!(said.code, 2);
    assert!(
        said.err.contains("cert.pem and key.pem cannot be used together"),
        "{}",
        said.err
    );
    assert!(!said.err.contains("PRIVATE"), "{}", said.err);
}
