//! TLS to a database server, with a certificate for `localhost` that an authority of these tests has signed.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::thread;

use rollcall_store::dialect::{Connection, Database};
use rollcall_store::private_file;
use rollcall_store::sql::Sql;

use crate::database::{TestDatabase, is_server};

const AUTHORITY: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/fixtures/postgres/authority.pem"
);
const CLIENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/postgres/client.pem");
/// Read while the tests are compiled: the file of a repository is open to others, so a test makes one of its own.
const CLIENT_KEY: &str = include_str!("../fixtures/postgres/client.key");
const STRANGER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/tls/first.pem");

/// Whether the connection to an address is secret, or why there is none.
fn is_secret(address: &str) -> Result<bool, String> {
    let database: Database = address.parse()?;
    let ask = || {
        let connection = Connection::reader(&database)?;
        let sql = Sql::new("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()");
        connection.first(&sql, |cells| cells.flag())
    };
    match ask() {
        Ok(secret) => Ok(secret.unwrap()),
        Err(why) => Err(why.to_string()),
    }
}

#[test]
fn each_mode_verifies_as_much_as_it_says() {
    if !is_server() {
        eprintln!("not for a file: it is not asked over a network");
        return;
    }
    let database = TestDatabase::empty();
    let by_number = database.address();
    assert_eq!(
        database.number("SELECT count(*) FROM pg_settings WHERE name = 'ssl' AND setting = 'on'"),
        1,
        "the server of the tests has no TLS: start it with .ci/with-postgres"
    );
    let by_name = by_number.replace("@127.0.0.1:", "@localhost:");
    for (address, query, secret) in [
        (&by_number, String::new(), true),
        (&by_number, "?sslmode=disable".to_owned(), false),
        (&by_number, "?sslmode=prefer".to_owned(), true),
        (&by_number, "?sslmode=require".to_owned(), true),
        (
            &by_number,
            format!("?sslmode=require&sslrootcert={AUTHORITY}"),
            true,
        ),
        (
            &by_number,
            format!("?sslmode=verify-ca&sslrootcert={AUTHORITY}"),
            true,
        ),
        (
            &by_name,
            format!("?sslmode=verify-full&sslrootcert={AUTHORITY}"),
            true,
        ),
    ] {
        assert_eq!(is_secret(&format!("{address}{query}")), Ok(secret), "{query}");
    }
    let own = format!("sslmode=verify-full&sslrootcert={AUTHORITY}");
    let why = is_secret(&format!("{by_number}?{own}")).unwrap_err();
    assert!(why.contains("not valid for name"), "{why}");
    for mode in ["require", "verify-ca", "verify-full"] {
        let why = is_secret(&format!("{by_name}?sslmode={mode}&sslrootcert={STRANGER}")).unwrap_err();
        assert!(
            why.starts_with("the database cannot be reached: PostgreSQL: error performing TLS handshake:"),
            "{why}"
        );
        assert!(why.contains("UnknownIssuer"), "{why}");
    }
}

#[test]
fn a_server_that_asks_for_a_certificate_is_shown_ours() {
    if !is_server() {
        eprintln!("not for a file: it is not asked over a network");
        return;
    }
    let database = TestDatabase::migrated().for_user("rollcall_certificate");
    let address = database.address().replace("rollcall@", "rollcall_certificate@");
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("client.key");
    let mut file = private_file::create_new(&key).unwrap();
    file.write_all(CLIENT_KEY.as_bytes()).unwrap();
    let own = format!("sslcert={CLIENT}&sslkey={}", key.display());
    for mode in ["prefer", "require"] {
        let answer = is_secret(&format!("{address}?sslmode={mode}&{own}"));
        assert_eq!(answer, Ok(true), "{mode}");
    }
    for query in ["", "?sslmode=require", "?sslmode=disable"] {
        let why = is_secret(&format!("{address}{query}")).unwrap_err();
        assert!(
            why.starts_with("the database cannot be reached"),
            "{query}: {why}"
        );
    }
}

/// A server without TLS: what it is sent after it has said so.
fn plain(query: &str) -> (Result<bool, String>, Vec<u8>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = thread::spawn(move || {
        let (mut client, _) = listener.accept().unwrap();
        client.read_exact(&mut [0; 8]).unwrap();
        client.write_all(b"N").unwrap();
        let (mut length, mut sent) = ([0; 4], Vec::new());
        if client.read_exact(&mut length).is_ok() {
            sent.resize(usize::try_from(u32::from_be_bytes(length)).unwrap() - 4, 0);
            client.read_exact(&mut sent).unwrap();
        }
        sent
    });
    let answer = is_secret(&format!("postgres://anna:hunter2@{address}/people{query}"));
    (answer, server.join().unwrap())
}

#[test]
fn a_server_without_tls_is_told_nothing_unless_the_mode_allows_it() {
    for query in [
        "?sslmode=require".to_owned(),
        format!("?sslmode=verify-ca&sslrootcert={AUTHORITY}"),
        format!("?sslmode=verify-full&sslrootcert={AUTHORITY}"),
    ] {
        let (answer, sent) = plain(&query);
        let why = answer.unwrap_err();
        assert!(why.contains("server does not support TLS"), "{why}");
        assert!(sent.is_empty(), "{sent:?}");
    }
    let (_, sent) = plain("?sslmode=prefer");
    assert!(sent.windows(4).any(|part| part == b"anna"), "{sent:?}");
}
