//! `serve`: the real thing, on a file, until it is told to stop.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use http::HeaderValue;
use rollcall_pages::Address;
use rollcall_store::access::tokens;
use rollcall_store::change::expiry;
use rollcall_store::dialect::{Connection, Database, Durability};
use rollcall_store::private_file;
use rollcall_store::{Opening, Store, wait_for_threads};
use tokio::net::{TcpListener, TcpSocket};
use tokio::runtime::{self, Runtime};

use super::database::{DatabaseArgument, DatabaseParser, Missing, open, when_free};
use super::number::within;
use super::signals::{Reload, Signals};
use super::{Failure, Outcome};
use crate::app::{AT_ONCE, RequestLimits, Settings, VERSION_PATH, app};
use crate::compression;
use crate::connection::tls::{Files, Tls};
use crate::connection::{self, CONNECTIONS, ConnectionLimits, Cores, GRACE};
use crate::log_format::say;

/// The help of the flag --database.
const SERVED: &str = "The database. Either a file, which only its owner can read; two more files are beside it while the server \
                      runs. Or a database of a PostgreSQL server: postgres://user:password@host/database. In the environment \
                      variable, other users of the machine cannot see the password";

/// Serves the API from a database. The first start creates the file. SIGTERM or Ctrl-C stops the server after all running
/// requests are answered.
///
/// Timeouts: a request line with its headers must arrive within 10 seconds, a body within 30, the next request on an open
/// connection within 60; a client must read 16 KiB of an answer in 10 seconds; a request is given up after 30 seconds.
/// Sizes: 64 KiB for the request line with its headers, 64 KiB for a body. SECURITY.md lists all limits.
///
/// These need no token: the pages at / and /docs, the contract, and the health and metrics of the server (numbers of requests
/// by operation and status, and their times). `routes` lists their paths. All other paths need a token.
#[derive(Args, Debug)]
#[command(mut_arg("database", |database| database.help(SERVED)))]
pub struct Serve {
    /// The database.
    #[command(flatten)]
    pub database: DatabaseArgument,
    /// A replica of the database, for requests that only read. Only for PostgreSQL. Give the flag once for each replica; in the
    /// environment variable, separate the replicas by commas.
    #[arg(
        long,
        env = "ROLLCALL_DATABASE_REPLICA",
        hide_env_values = true,
        value_name = "URL",
        value_delimiter = ',',
        value_parser = DatabaseParser
    )]
    pub database_replica: Vec<Database>,
    /// The address to listen on.
    #[arg(
        long,
        env = "ROLLCALL_LISTEN",
        value_name = "ADDRESS",
        default_value = "127.0.0.1:8080"
    )]
    pub listen: SocketAddr,
    /// The address that callers use, if a proxy is in front of the server; all links begin with it. It ends in /api/v1.
    #[arg(long, env = "ROLLCALL_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<String>,
    /// Let pages of this origin, such as `https://app.example.net`, call the API from a browser; * lets pages of all
    /// origins. Give the flag once for each origin. Without it, browsers refuse such calls.
    #[arg(long, env = "ROLLCALL_CORS_ORIGIN", value_name = "ORIGIN", value_delimiter = ',', value_parser = origin)]
    pub cors_origin: Vec<HeaderValue>,
    /// Serve HTTPS with this certificate, a PEM file with the certificates that lead to its root. It is read again on SIGHUP
    /// and every minute; open connections stay open.
    #[arg(long, env = "ROLLCALL_TLS_CERT", value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// The private key of the certificate, a PEM file.
    #[arg(long, env = "ROLLCALL_TLS_KEY", value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
    /// The most requests that a token may send in a second; any more are answered 429. Answers say how many are left, in the headers
    /// RateLimit and RateLimit-Policy. Without this flag there is no limit.
    #[arg(long, env = "ROLLCALL_RATE_LIMIT", value_name = "N", value_parser = within::<u32>(1..=u32::MAX))]
    pub rate_limit: Option<u32>,
    /// How hard answers are compressed by gzip for clients that read it: 1 is fast, 9 is small, 0 sends all bodies as they are.
    #[arg(long, env = "ROLLCALL_COMPRESSION", value_name = "LEVEL", default_value_t = compression::LEVEL, value_parser = within::<u32>(0..=9))]
    pub compression: u32,
    /// The most requests that are served at once; one more gets 503. Health and metrics do not count.
    #[arg(long, env = "ROLLCALL_REQUESTS_AT_ONCE", value_name = "N", default_value_t = AT_ONCE as u32, value_parser = within::<u32>(1..=100_000))]
    pub requests_at_once: u32,
    /// The most connections. For one more, the server closes a connection that waits for its client, of the address that has most
    /// connections. It raises the limit of open files as far as the system allows; if that is too low, it takes fewer connections.
    #[arg(long, env = "ROLLCALL_MAX_CONNECTIONS", value_name = "N", default_value_t = CONNECTIONS as u32, value_parser = within::<u32>(1..=1_000_000))]
    pub max_connections: u32,
    /// How many seconds the server waits for running requests when it is told to stop. Then it cuts them off.
    #[arg(long, env = "ROLLCALL_GRACE", value_name = "SECONDS", default_value_t = GRACE.as_secs(), value_parser = within::<u64>(0..=GRACE.as_secs()))]
    pub grace: u64,
    /// The event that an answered change survives. power-cut: the server waits for the disk before it answers a change. crash:
    /// changes are faster and survive every end of the server, but a power cut can lose the last of them. Neither setting can
    /// damage the database.
    #[arg(
        long,
        env = "ROLLCALL_DURABILITY",
        value_enum,
        default_value_t = Durability::PowerCut
    )]
    pub durability: Durability,
}

/// How often expiries that have passed are recorded. No answer waits for it.
const EXPIRE_EVERY: Duration = Duration::from_secs(30);

/// How often the files of the certificate are read again.
const RELOAD_EVERY: Duration = Duration::from_secs(60);

/// Connections that the system holds until they are taken, if it allows as many: a client that finds no place there tries again
/// seconds later.
const BACKLOG: u32 = 4_096;

/// Open files that are no connections: the database, the log, the listening socket.
const OTHER_FILES: u64 = 64;

impl Serve {
    /// Runs until it is told to stop.
    pub fn run(self) -> Outcome {
        let is_server = |database: &Database| matches!(database, Database::Postgres(_));
        if !self
            .database_replica
            .iter()
            .chain([&*self.database])
            .all(is_server)
            && !self.database_replica.is_empty()
        {
            return Err(Failure::new(
                "--database-replica: only a database of a PostgreSQL server has replicas",
            ));
        }
        let tls = self.tls()?;
        let runtime = runtime()?;
        let listener = runtime.block_on(async { listen(self.listen) })?;
        drop(open(&self.database, Missing::Make)?);
        let served = runtime.block_on(async {
            let scheme = if tls.is_some() { "https" } else { "http" };
            let base = base(scheme, self.public_url.as_deref(), &listener)?;
            if let Database::File(file) = &*self.database
                && private_file::is_open_to_others(file)
            {
                say(&format!(
                    "warning: other users of this machine can read {0} (mend it with chmod 600).",
                    file.display()
                ));
            }
            let store = when_free(&self.database, || {
                Store::open(Opening {
                    replicas: &self.database_replica,
                    durability: self.durability,
                    ..Opening::of(&self.database, &base)
                })
            })?;
            let known = store
                .read(|snapshot| tokens::all(snapshot.connection, snapshot.reading.now))
                .await;
            let signals = Signals::listen(tls.is_some());
            say(&format!("Serving {} at {base}", *self.database));
            if known.is_ok_and(|known| known.is_empty()) {
                say("There is no token yet; make one: rollcall-server token create --help");
            }
            let settings = Settings {
                limits: RequestLimits {
                    at_once: self.requests_at_once as usize,
                    per_token: self.rate_limit,
                    ..RequestLimits::default()
                },
                address: match self.public_url {
                    Some(_) => Address::public(&base),
                    None => Address::of_request(&base),
                },
                origins: self.cors_origin.clone(),
                compression: self.compression,
            };
            let connections = ConnectionLimits {
                connections: connections(self.max_connections),
                grace: Duration::from_secs(self.grace),
                ..ConnectionLimits::default()
            };
            serve(listener, store, settings, connections, tls, signals).await
        });
        drop(runtime);
        leave_one_file(&self.database);
        if served.is_ok() {
            say("Stopped.");
        }
        served
    }

    fn tls(&self) -> Result<Option<Tls>, Failure> {
        let files = self.tls_cert.clone().zip(self.tls_key.clone());
        let files = files.map(|(certificate, key)| Files { certificate, key });
        let tls = files.map(Tls::new).transpose();
        tls.map_err(|error| Failure::new(error.to_string()))
    }
}

/// An origin as browsers send it: a scheme and a host with an optional port, and no path.
fn origin(text: &str) -> Result<HeaderValue, String> {
    let host = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    let is_origin = host.is_some_and(|host| {
        http::uri::Authority::try_from(host).is_ok_and(|host| !host.as_str().contains(['@', '*']))
    });
    let is_lower_case = !text.contains(|letter: char| letter.is_ascii_uppercase());
    match HeaderValue::from_str(text) {
        Ok(value) if text == "*" || is_origin && is_lower_case => Ok(value),
        _ => Err(
            "an origin is a scheme and a host in small letters, without a path: https://app.example.net, or *".to_owned(),
        ),
    }
}

/// The number of connections that the limit of open files leaves room for.
pub(super) fn connections(wanted: u32) -> usize {
    let wanted = wanted as usize;
    // Where the limit is not known, the operator's number stands.
    let Ok(files) = rlimit::increase_nofile_limit(wanted as u64 + OTHER_FILES) else {
        return wanted;
    };
    let room = usize::try_from(files.saturating_sub(OTHER_FILES))
        .unwrap_or(wanted)
        .max(1);
    if room < wanted {
        say(&format!(
            "The system allows {files} open files, so there can be {room} connections at most (ulimit -n)."
        ));
    }
    room.min(wanted)
}

/// The runtime that takes connections and does what is due from time to time; [`Cores`] serve the connections.
pub(super) fn runtime() -> Result<Runtime, Failure> {
    let runtime = runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|why| no_threads(&why))
}

fn no_threads(why: &io::Error) -> Failure {
    Failure::new(format!("no threads to be had: {why}"))
}

/// Takes the address.
pub(super) fn listen(address: SocketAddr) -> Result<TcpListener, Failure> {
    let hint = "choose another with --listen, for example --listen 127.0.0.1:0 for any free port";
    let listen = || {
        let socket = match address {
            SocketAddr::V4(_) => TcpSocket::new_v4()?,
            SocketAddr::V6(_) => TcpSocket::new_v6()?,
        };
        // On Windows it would let two servers share the port.
        #[cfg(unix)]
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        socket.listen(BACKLOG)
    };
    listen().map_err(|why: io::Error| Failure::new(format!("cannot listen on {address}: {why}; {hint}")))
}

/// The public base address: `--public-url`, or the address to listen on.
pub(super) fn base(
    scheme: &str,
    public_url: Option<&str>,
    listener: &TcpListener,
) -> Result<String, Failure> {
    let Some(url) = public_url else {
        let address = listener
            .local_addr()
            .map_err(|why| Failure::new(why.to_string()))?;
        return Ok(format!("{scheme}://{address}{VERSION_PATH}"));
    };
    let url = url.trim_end_matches('/');
    let schemed = url.starts_with("http://") || url.starts_with("https://");
    match schemed && url.ends_with(VERSION_PATH) && !url.contains(['?', '#', ' ']) {
        true => Ok(url.to_owned()),
        false => Err(Failure::new(format!(
            "--public-url {url:?}: it must be an http or https address that ends in {VERSION_PATH}"
        ))),
    }
}

/// Serves until told to stop, then finishes what runs.
pub(super) async fn serve(
    listener: TcpListener,
    store: Store,
    settings: Settings,
    connections: ConnectionLimits,
    tls: Option<Tls>,
    signals: Signals,
) -> Outcome {
    let Signals { stop, reload } = signals;
    let cores = Cores::start().map_err(|why| no_threads(&why))?;
    let expirer = tokio::spawn(expire_always(store.clone()));
    let reloader = tls.clone().map(|tls| tokio::spawn(reload_always(tls, reload)));
    connection::serve(
        listener,
        cores,
        app(store, settings),
        connections,
        tls,
        stop.told(),
    )
    .await;
    expirer.abort();
    if let Some(reloader) = reloader {
        reloader.abort();
    }
    Ok(ExitCode::SUCCESS)
}

/// How long connections may take to close when the server ends.
const CLOSES_WITHIN: Duration = Duration::from_secs(10);

/// Brings all changes into the file of a database, so that the file alone is the directory. SQLite does that when the last
/// connection is closed, if that connection can write.
fn leave_one_file(database: &Database) {
    wait_for_threads(CLOSES_WITHIN);
    if let Database::File(_) = database {
        drop(Connection::writer(database));
    }
}

/// Records what time has done, again and again.
async fn expire_always(store: Store) {
    loop {
        match store.write(None, expiry::expire_due).await {
            Ok(0) => tokio::time::sleep(EXPIRE_EVERY).await,
            Ok(expired) => tracing::info!(expired, "recorded expiries"),
            Err(why) => {
                if !why.is_logged() {
                    tracing::error!(%why, "expiries could not be recorded");
                }
                tokio::time::sleep(EXPIRE_EVERY).await;
            }
        }
    }
}

/// Reads the certificate again, now and then and when told to.
async fn reload_always(tls: Tls, mut reload: Reload) {
    loop {
        let was_told = tokio::time::timeout(RELOAD_EVERY, reload.told()).await.is_ok();
        match tls.reload() {
            Ok(true) => tracing::info!("a new certificate is in use"),
            Ok(false) if was_told => tracing::info!("the certificate is the same as before"),
            Ok(false) => {}
            Err(why) => {
                tracing::error!(%why, "the certificate could not be read again; the old one stays in use")
            }
        }
    }
}
