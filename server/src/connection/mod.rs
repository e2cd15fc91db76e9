//! From a listening socket to answered requests: takes connections, bounds their number and what each may take its time
//! for, and ends in an orderly way.
//!
//! `head.rs` and `chunks.rs` say what may be a request, `guarded.rs` holds a socket to it, `open.rs` knows all connections,
//! `unread.rs` deals with bodies that nobody read, `tls.rs` encrypts. The HTTP library sees sound requests only.

mod chunks;
mod cores;
mod counted;
mod guarded;
mod head;
mod open;
#[cfg(test)]
mod tests;
pub mod tls;
mod unread;

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tower::ServiceExt as _;

pub use chunks::{Chunks, Followed};
pub use cores::Cores;
use counted::CountedStream;
use guarded::GuardedStream;
pub use guarded::Timeouts;
pub use head::{BodyLength, Head, MAX_HEAD, Malformed, inspect};
use open::{Connection, OpenConnections};
use tls::Tls;

/// How many connections there may be, and how long each may take.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// The most connections. One more closes one that waits for its client, of the address that has most of them.
    pub connections: usize,
    /// How long a client may take.
    pub timeouts: Timeouts,
    /// How long requests that run are waited for when the server is told to stop.
    pub grace: Duration,
}

/// The most connections, unless the operator says otherwise.
pub const CONNECTIONS: usize = 1_024;

/// How long requests that run are waited for, unless the operator says otherwise; more is not taken.
pub const GRACE: Duration = Duration::from_secs(30);

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self {
            connections: CONNECTIONS,
            timeouts: Timeouts {
                head: Duration::from_secs(10),
                idle: Duration::from_secs(60),
                body: Duration::from_secs(30),
                read: Duration::from_secs(10),
            },
            grace: GRACE,
        }
    }
}

/// How long we go on reading from a client that has been answered and still sends: it would not read its answer otherwise.
const LINGER: Duration = Duration::from_secs(30);
/// The same, between two pieces.
const LINGER_IDLE: Duration = Duration::from_secs(5);
/// How long to wait before the next attempt when no connection can be taken.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// How often the log says that no connection can be taken.
const ACCEPT_LOG: Duration = Duration::from_secs(10);

/// Serves an app to every connection until `stop` is ready; then lets requests that run end within the grace.
pub async fn serve(
    listener: TcpListener,
    cores: Cores,
    app: Router,
    limits: ConnectionLimits,
    tls: Option<Tls>,
    stop: impl Future<Output = ()>,
) {
    let (stopping, is_stopping) = watch::channel(());
    let server = Server {
        app,
        limits,
        tls,
        open: Arc::new(OpenConnections::new(limits.connections)),
        is_stopping,
    };
    let mut tasks = JoinSet::new();
    let (mut number, mut log) = (0, AcceptLog::default());
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            () = &mut stop => break,
            Some(_) = tasks.join_next() => continue,
            accepted = listener.accept() => accepted,
        };
        // It is registered anew with the runtime that serves it.
        let accepted = accepted.and_then(|(stream, peer)| Ok((stream.into_std()?, peer)));
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                log.failed(&error);
                server.open.close_longest_waiting();
                sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let place = match server.open.place() {
            Some(place) => place,
            None => {
                log.full(limits.connections);
                match server.make_place(peer, stop.as_mut()).await {
                    Some(place) => place,
                    None => break,
                }
            }
        };
        number += 1;
        let server = server.clone();
        // It counts from now on, whenever its task begins.
        let connection = Arc::new(Connection::of(peer.ip()));
        server.open.add(number, Arc::clone(&connection));
        let served = async move {
            server.connection(&connection, stream, peer).await;
            server.open.remove(number, place);
        };
        match cores.least_busy() {
            Some(core) => tasks.spawn_on(served, core),
            None => tasks.spawn(served),
        };
    }
    drop(listener);
    drop(stopping);
    let ended = async { while tasks.join_next().await.is_some() {} };
    if timeout(limits.grace, ended).await.is_err() {
        tracing::warn!(
            connections = tasks.len(),
            "cut off requests that ran longer than the grace"
        );
    }
    tasks.shutdown().await;
}

/// What serving a connection needs.
#[derive(Clone)]
struct Server {
    app: Router,
    limits: ConnectionLimits,
    tls: Option<Tls>,
    open: Arc<OpenConnections>,
    is_stopping: watch::Receiver<()>,
}

impl Server {
    /// A place for one more connection, as soon as one of the others waits for its client or ends; none when the server is
    /// told to stop before.
    async fn make_place(
        &self,
        peer: SocketAddr,
        mut stop: Pin<&mut impl Future<Output = ()>>,
    ) -> Option<OwnedSemaphorePermit> {
        loop {
            let makes_room = self.open.make_room(peer.ip());
            tokio::select! {
                () = &mut stop => return None,
                place = self.open.next_place() => return place,
                () = sleep(ACCEPT_PAUSE), if !makes_room => {}
            }
        }
    }

    async fn connection(&self, connection: &Arc<Connection>, stream: std::net::TcpStream, peer: SocketAddr) {
        let stream = match TcpStream::from_std(stream) {
            Ok(stream) => stream,
            Err(error) => return tracing::error!(%error, "a connection could not be registered"),
        };
        // A small answer is sent at once; where the option is missing, it is only slower.
        _ = stream.set_nodelay(true);
        let stream = CountedStream::new(stream, Arc::clone(connection));
        let handshake = self.limits.timeouts.head;
        match &self.tls {
            None => self.requests(stream, connection).await,
            Some(tls) => {
                let accepted = tokio::select! {
                    () = connection.closed() => None,
                    accepted = timeout(handshake, tls.accept(stream)) => accepted.ok(),
                };
                match accepted {
                    Some(Ok(stream)) => self.requests(stream, connection).await,
                    Some(Err(error)) => tracing::debug!(%peer, %error, "no TLS"),
                    None => tracing::debug!(%peer, "no TLS in time"),
                }
            }
        }
    }

    /// Answers requests until the client, an error or the server ends the connection.
    async fn requests<S>(&self, stream: S, connection: &Arc<Connection>)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let stream = GuardedStream::new(stream, self.limits.timeouts, Arc::clone(connection));
        let (app, served) = (self.app.clone(), Arc::clone(connection));
        let service = service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
            let (head, body) = request.into_parts();
            let (body, rest) = unread::share(&head, body);
            let mut request = hyper::Request::from_parts(head, body);
            if let Some(malformed) = served.refusal() {
                request.extensions_mut().insert(malformed);
            }
            let (app, served) = (app.clone(), Arc::clone(&served));
            Box::pin(async move {
                let mut answered = app.oneshot(request).await;
                if let (Some(rest), Ok(answer)) = (rest, &mut answered) {
                    rest.finish(answer).await;
                }
                served.end_request();
                answered
            })
        });
        let mut http = http1::Builder::new()
            .half_close(true)
            .header_read_timeout(None)
            .serve_connection(TokioIo::new(stream), service);
        let mut is_stopping = self.is_stopping.clone();
        let mut stops = false;
        loop {
            tokio::select! {
                // It flushes what is left of an answer, and shuts down our side.
                ended = &mut http => {
                    if let Err(error) = ended {
                        tracing::debug!(%error, "a connection broke");
                        return;
                    }
                    break;
                }
                () = connection.closed() => return,
                _ = is_stopping.changed(), if !stops => {
                    stops = true;
                    if connection.is_waiting() {
                        return;
                    }
                    Pin::new(&mut http).graceful_shutdown();
                }
            }
        }
        // A connection on which another protocol was asked for ends before the last answer is sent: the library leaves the
        // rest to that protocol. Asked once more, it has forgotten the protocol, and sends the rest. Else nothing is left.
        tokio::select! {
            _ = &mut http => {}
            () = connection.closed() => return,
        }
        let stream = http.into_parts().io.into_inner().into_inner();
        tokio::select! {
            () = linger(stream) => {}
            () = connection.closed() => {}
            _ = is_stopping.changed(), if !stops => {}
        }
    }
}

/// Ends a connection so that the client can read its answer to the end: were the socket closed while something it sent lies
/// unread, the answer would be lost with it.
async fn linger<S: AsyncRead + AsyncWrite + Unpin>(mut stream: S) {
    let rest = async {
        if stream.shutdown().await.is_err() {
            return;
        }
        let mut piece = vec![0; 16 * 1024];
        while let Ok(Ok(1..)) = timeout(LINGER_IDLE, stream.read(&mut piece)).await {}
    };
    _ = timeout(LINGER, rest).await;
}

/// Says now and then that connections cannot be taken, and why.
#[derive(Default)]
struct AcceptLog {
    last: Option<Instant>,
}

impl AcceptLog {
    fn failed(&mut self, error: &io::Error) {
        if self.is_due() {
            tracing::error!(%error, "no connection can be taken; is the limit of open files (ulimit -n) high enough?");
        }
    }

    fn full(&mut self, connections: usize) {
        if self.is_due() {
            tracing::warn!(
                connections,
                "all connections are taken; for each new one, one that waits is closed, of the address that has most"
            );
        }
    }

    fn is_due(&mut self) -> bool {
        let is_due = self.last.is_none_or(|last| last.elapsed() >= ACCEPT_LOG);
        if is_due {
            self.last = Some(Instant::now());
        }
        is_due
    }
}
