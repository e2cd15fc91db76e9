//! What a page costs: over HTTP, in the store below it, next to the same rows by bare SQL and to a static body of the same
//! size. `cargo bench -p rollcall-server`; prints the table of docs/benchmarks.md at the end.

mod bare;
mod cases;
mod table;

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::Criterion;
use rollcall::Timestamp;
use rollcall_server::app::{RequestLimits, VERSION_PATH, app};
use rollcall_server::clock::Clock;
use rollcall_server::connection::{ConnectionLimits, serve};
use rollcall_server::demo::{Demo, fill};
use rollcall_server::ids::Ids;
use rollcall_server::store::dialect::{Connection, Durability};
use rollcall_server::store::{Store, migrate};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use cases::Case;

/// How many people there are; `ROLLCALL_BENCH_USERS` says otherwise.
const USERS: u64 = 100_000;
const TOKEN: &str = "rollcall_benchmark-token";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(3))
        .sample_size(30)
        .without_plots()
        .configure_from_args();
    let users = std::env::var("ROLLCALL_BENCH_USERS")
        .ok()
        .and_then(|users| users.parse().ok())
        .unwrap_or(USERS);
    let now: Timestamp = "2026-06-01T12:00:00.000000Z".parse()?;
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("bench.db");
    let started = std::time::Instant::now();
    let connection = Connection::writer(&file)?;
    migrate(&connection)?;
    let filled = fill(&connection, &Demo { users, seed: 1, now }, Some(TOKEN), |_| ())?;
    eprintln!("{users} people filled in after {:.1?}", started.elapsed());
    let runtime = Runtime::new()?;
    let clock = Clock::fixed(now);
    let (store, base) = runtime.block_on(start(&file, clock))?;
    let mut cases = cases::all(&filled, now);
    for case in &mut cases {
        runtime.block_on(case.settle(&store, &base, TOKEN))?;
        bench(&mut criterion, &runtime, &store, &base, &file, case)?;
    }
    criterion.final_summary();
    table::print(&cases, users);
    Ok(())
}

async fn start(file: &Path, clock: Clock) -> Result<(Store, String), Box<dyn std::error::Error>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let base = format!("http://{}{VERSION_PATH}", listener.local_addr()?);
    let store = Store::open(file, Durability::Crash, &base, clock, Ids::new())?;
    let app = app(store.clone(), RequestLimits::default());
    let forever = std::future::pending();
    tokio::spawn(serve(listener, app, ConnectionLimits::default(), None, forever));
    Ok((store, base))
}

/// A server that does nothing but send this body.
async fn serve_static(body: Vec<u8>) -> Result<String, Box<dyn std::error::Error>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = format!("http://{}/", listener.local_addr()?);
    let body = axum::body::Bytes::from(body);
    let app = axum::Router::new().route("/", axum::routing::get(move || std::future::ready(body.clone())));
    tokio::spawn(async move { axum::serve(listener, app).await });
    Ok(address)
}

fn bench(
    criterion: &mut Criterion,
    runtime: &Runtime,
    store: &Store,
    base: &str,
    file: &Path,
    case: &Case,
) -> Result<(), Box<dyn std::error::Error>> {
    let client = reqwest::Client::new();
    let url = format!("{base}{}", case.path());
    let fetch = |url: String| {
        let request = client.get(url).bearer_auth(TOKEN);
        async move { request.send().await?.error_for_status()?.bytes().await }
    };
    let body = runtime.block_on(fetch(url.clone()))?.to_vec();
    let bare = bare::Bare::open(file)?;
    let rows = bare.run(&case.sql)?;
    assert_eq!(
        rows,
        case.records(&body),
        "{}: the bare SQL reads the same number of rows",
        case.name
    );
    let address = runtime.block_on(serve_static(body))?;
    let mut group = criterion.benchmark_group(case.name);
    group.bench_function("http", |bencher| {
        bencher.iter(|| runtime.block_on(fetch(url.clone())).map(black_box));
    });
    group.bench_function("store", |bencher| {
        bencher.iter(|| runtime.block_on(case.by_store(store)).map(black_box));
    });
    group.bench_function("sql", |bencher| {
        bencher.iter(|| bare.run(&case.sql).map(black_box))
    });
    group.bench_function("static", |bencher| {
        bencher.iter(|| runtime.block_on(fetch(address.clone())).map(black_box));
    });
    group.finish();
    Ok(())
}
