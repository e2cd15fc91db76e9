//! `serve`: the real thing, on a file, until it is told to stop.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use tokio::net::TcpListener;

use super::database::{Missing, open};
use super::{Failure, Outcome};
use crate::app::{VERSION_PATH, app};
use crate::auth::Limits;
use crate::clock::Clock;
use crate::ids::Ids;
use crate::store::{Store, settle, tokens};

/// Serves the API from a database file. The first start makes the file; SIGTERM or Ctrl-C ends it when all requests that
/// run are answered.
#[derive(Args, Debug)]
pub struct Serve {
    /// The database: one file, with two more beside it while the server runs.
    #[arg(long, env = "ROLLCALL_DATABASE", value_name = "FILE")]
    pub database: PathBuf,
    /// The address to listen on.
    #[arg(
        long,
        env = "ROLLCALL_LISTEN",
        value_name = "ADDRESS",
        default_value = "127.0.0.1:8080"
    )]
    pub listen: SocketAddr,
    /// The address callers see, if a proxy stands before the server; all links begin with it. It ends in /api/v1.
    #[arg(long, env = "ROLLCALL_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<String>,
    /// The most requests a token may send in a second; without it there is no limit.
    #[arg(long, env = "ROLLCALL_RATE_LIMIT", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub rate_limit: Option<u32>,
}

/// How often expiries that have passed are recorded. No answer waits for it.
const SETTLE_EVERY: Duration = Duration::from_secs(30);

impl Serve {
    /// Runs until it is told to stop.
    pub fn run(self) -> Outcome {
        runtime()?.block_on(async {
            let listener = listen(self.listen).await?;
            let base = base(self.public_url.as_deref(), &listener)?;
            drop(open(&self.database, Missing::Make)?);
            let store = Store::open(&self.database, &base, Clock::System, Ids::new());
            let store = store.map_err(|error| Failure::store(&self.database, &error))?;
            let known = store
                .read(|connection, reading| tokens::all(connection, reading.now))
                .await;
            eprintln!("Serving {} at {base}", self.database.display());
            if known.is_ok_and(|known| known.is_empty()) {
                eprintln!("There is no token yet; make one: rollcall-server token create --help");
            }
            serve(listener, store, Limits::new(self.rate_limit)).await
        })
    }
}

/// The runtime of a server.
pub(super) fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    tokio::runtime::Runtime::new().map_err(|why| Failure::new(format!("no threads to be had: {why}")))
}

/// Takes the address.
pub(super) async fn listen(address: SocketAddr) -> Result<TcpListener, Failure> {
    let hint = "choose another with --listen, for example --listen 127.0.0.1:0 for any free port";
    TcpListener::bind(address)
        .await
        .map_err(|why| Failure::new(format!("cannot listen on {address}: {why}; {hint}")))
}

/// The public base address: the one given, or where we listen.
pub(super) fn base(public_url: Option<&str>, listener: &TcpListener) -> Result<String, Failure> {
    let Some(url) = public_url else {
        let address = listener
            .local_addr()
            .map_err(|why| Failure::new(why.to_string()))?;
        return Ok(format!("http://{address}{VERSION_PATH}"));
    };
    let url = url.trim_end_matches('/');
    let schemed = url.starts_with("http://") || url.starts_with("https://");
    match schemed && url.ends_with(VERSION_PATH) && !url.contains(['?', '#', ' ']) {
        true => Ok(url.to_owned()),
        false => Err(Failure::new(format!(
            "--public-url {url:?}: an http or https address that ends in {VERSION_PATH}"
        ))),
    }
}

/// Serves until told to stop, then finishes what runs.
pub(super) async fn serve(listener: TcpListener, store: Store, limits: Limits) -> Outcome {
    let settler = tokio::spawn(settle_always(store.clone()));
    let served = axum::serve(listener, app(store, limits))
        .with_graceful_shutdown(told_to_stop())
        .await;
    settler.abort();
    served.map_err(|why| Failure::new(format!("the server stopped: {why}")))?;
    eprintln!("Stopped.");
    Ok(ExitCode::SUCCESS)
}

/// Records what time has done, again and again.
async fn settle_always(store: Store) {
    loop {
        match store.write(None, settle::settle).await {
            Ok(0) => tokio::time::sleep(SETTLE_EVERY).await,
            Ok(settled) => tracing::info!(settled, "recorded expiries"),
            Err(why) => {
                tracing::error!(%why, "expiries could not be recorded");
                tokio::time::sleep(SETTLE_EVERY).await;
            }
        }
    }
}

async fn told_to_stop() {
    let interrupted = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminated = async {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminated = std::future::pending::<()>();
    tokio::select! { () = interrupted => {}, () = terminated => {} }
}
