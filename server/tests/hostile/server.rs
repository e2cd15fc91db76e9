//! A server in this process, on a free port of loopback, with a demo directory and a clock that stands still.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use axum::Router;
use rollcall::Timestamp;
use rollcall_server::app::{Settings, VERSION_PATH, app};
use rollcall_server::connection::{ConnectionLimits, Cores, Timeouts, serve};
use rollcall_store::clock::Clock;
use rollcall_store::dialect::Durability;
use rollcall_store::ids::Ids;
use rollcall_store::{Opening, Store};
use tempfile::TempDir;
use tokio::net::TcpSocket;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::client::{Client, PATIENCE};
use crate::demo;

/// A timeout that passes soon.
pub(crate) const SHORT: Duration = Duration::from_millis(500);
/// A timeout that does not pass during a test.
pub(crate) const LONG: Duration = Duration::from_secs(600);

/// A running server.
pub(crate) struct Server {
    address: SocketAddr,
    runtime: Option<Runtime>,
    serving: Option<JoinHandle<()>>,
    stop: Option<oneshot::Sender<()>>,
    _folder: TempDir,
}

/// How a server is to be started.
pub(crate) struct Setup {
    /// Limits of connections.
    pub(crate) limits: ConnectionLimits,
    /// More routes than the app has.
    pub(crate) routes: Router,
}

/// Limits under which no timeout passes.
pub(crate) fn long_limits() -> ConnectionLimits {
    ConnectionLimits {
        timeouts: Timeouts {
            head: LONG,
            idle: LONG,
            body: LONG,
            read: LONG,
        },
        grace: LONG,
        ..ConnectionLimits::default()
    }
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            limits: long_limits(),
            routes: Router::new(),
        }
    }
}

impl Server {
    /// A server without additional routes, on which no timeout passes.
    pub(crate) fn start() -> Self {
        Self::with(Setup::default())
    }

    /// A server under these limits.
    pub(crate) fn limited(limits: ConnectionLimits) -> Self {
        Self::with(Setup {
            limits,
            ..Setup::default()
        })
    }

    /// A server as the setup says.
    pub(crate) fn with(setup: Setup) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("demo.db");
        demo::create(&file, now());
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let (stop, stopped) = oneshot::channel();
        let (address, serving) = runtime.block_on(spawn(&file, setup, stopped));
        Self {
            address,
            runtime: Some(runtime),
            serving: Some(serving),
            stop: Some(stop),
            _folder: folder,
        }
    }

    /// A new connection to it.
    pub(crate) fn connect(&self) -> Client {
        Client::connect(self.address)
    }

    /// A new connection that holds few unread bytes of an answer.
    pub(crate) fn connect_with_small_buffer(&self) -> Client {
        self.connect_by(|socket| socket.set_recv_buffer_size(4 * 1024).unwrap())
    }

    /// A new connection from another address of this machine.
    #[cfg(target_os = "linux")]
    pub(crate) fn connect_from(&self, address: [u8; 4]) -> Client {
        self.connect_by(|socket| socket.bind((address, 0).into()).unwrap())
    }

    fn connect_by(&self, prepare: impl FnOnce(&TcpSocket)) -> Client {
        let runtime = self.runtime.as_ref().unwrap();
        let stream = runtime.block_on(async {
            let socket = TcpSocket::new_v4().unwrap();
            prepare(&socket);
            socket.connect(self.address).await.unwrap().into_std().unwrap()
        });
        stream.set_nonblocking(false).unwrap();
        Client::new(stream)
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Tells it to stop, and does not wait.
    pub(crate) fn stop(&mut self) {
        self.stop.take().unwrap().send(()).unwrap();
    }

    /// Whether it has ended by itself after it was told to stop.
    pub(crate) fn has_ended(mut self) -> bool {
        let serving = self.serving.take().unwrap();
        let runtime = self.runtime.as_ref().unwrap();
        runtime.block_on(async { timeout(PATIENCE, serving).await.is_ok_and(|ended| ended.is_ok()) })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// When the tests take place.
fn now() -> Timestamp {
    "2026-06-01T12:00:00.000000Z".parse().unwrap()
}

async fn spawn(file: &Path, setup: Setup, stopped: oneshot::Receiver<()>) -> (SocketAddr, JoinHandle<()>) {
    let socket = TcpSocket::new_v4().unwrap();
    // Connections inherit the size, so that an answer which is not read soon stays with the server.
    socket.set_send_buffer_size(16 * 1024).unwrap();
    socket.bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    let listener = socket.listen(1_024).unwrap();
    let address = listener.local_addr().unwrap();
    let base = format!("http://{address}{VERSION_PATH}");
    let store = Store::open(Opening {
        durability: Durability::Crash,
        clock: Clock::fixed(now()),
        ids: Ids::seeded(9),
        ..Opening::of(&file.into(), &base)
    })
    .unwrap();
    let app = app(store, Settings::at(&base)).merge(setup.routes);
    let stop = async {
        if stopped.await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    let cores = Cores::start().unwrap();
    let serving = tokio::spawn(serve(listener, cores, app, setup.limits, None, stop));
    (address, serving)
}
