//! Signals that a server obeys. They are listened to before the server says that it serves: from then on none ends it at once.

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals of a server.
pub(super) struct Signals {
    /// Told to stop: SIGTERM, or Ctrl-C.
    pub(super) stop: Stop,
    /// Told to read its files again: SIGHUP.
    pub(super) reload: Reload,
}

pub(super) struct Stop {
    #[cfg(unix)]
    either: [Option<Signal>; 2],
}

pub(super) struct Reload {
    #[cfg(unix)]
    signal: Option<Signal>,
}

impl Signals {
    /// Listens from now on, within a runtime only. Without files to read again, SIGHUP ends the server as it ends any program
    /// whose terminal is closed.
    #[cfg_attr(not(unix), allow(unused_variables))]
    pub(super) fn listen(has_files: bool) -> Self {
        Self {
            stop: Stop {
                #[cfg(unix)]
                either: [SignalKind::terminate(), SignalKind::interrupt()].map(|kind| signal(kind).ok()),
            },
            reload: Reload {
                #[cfg(unix)]
                signal: has_files.then(|| signal(SignalKind::hangup()).ok()).flatten(),
            },
        }
    }
}

impl Stop {
    /// Ready when it has come.
    #[cfg(unix)]
    pub(super) async fn told(self) {
        let [mut terminate, mut interrupt] = self.either;
        tokio::select! { () = next(&mut terminate) => {}, () = next(&mut interrupt) => {} }
    }

    /// Ready when it has come.
    #[cfg(not(unix))]
    pub(super) async fn told(self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

impl Reload {
    /// Ready each time it has come; on systems without such signals never.
    pub(super) async fn told(&mut self) {
        #[cfg(unix)]
        next(&mut self.signal).await;
        #[cfg(not(unix))]
        std::future::pending().await
    }
}

/// Ready each time the signal has come; never where it cannot be listened to.
#[cfg(unix)]
async fn next(signal: &mut Option<Signal>) {
    if let Some(signal) = signal
        && signal.recv().await.is_some()
    {
        return;
    }
    std::future::pending().await
}
