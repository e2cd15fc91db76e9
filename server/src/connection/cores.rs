//! A runtime for each core, on a thread of its own. A connection stays on the thread that it begins on, so a request wakes
//! no other thread: for a small answer that would cost as much as the answer.

use std::io;
use std::thread;

use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

/// The runtimes. They end when this is dropped.
pub struct Cores(Vec<Core>);

struct Core {
    runtime: Handle,
    /// Closed when the runtime is to end.
    _end: oneshot::Sender<()>,
}

impl Cores {
    /// Starts a runtime for each core of the machine.
    ///
    /// # Errors
    /// When the system has no more threads or files.
    pub fn start() -> io::Result<Self> {
        let count = thread::available_parallelism().map_or(2, usize::from);
        let cores = (0..count).map(Core::start).collect::<io::Result<_>>();
        cores.map(Self)
    }

    /// The runtime with the fewest connections.
    pub(super) fn least_busy(&self) -> Option<&Handle> {
        let runtimes = self.0.iter().map(|core| &core.runtime);
        runtimes.min_by_key(|runtime| runtime.metrics().num_alive_tasks())
    }
}

impl Core {
    fn start(number: usize) -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (end, ended) = oneshot::channel();
        thread::Builder::new()
            .name(format!("core-{number}"))
            .spawn(move || runtime.block_on(ended))?;
        Ok(Self {
            runtime: handle,
            _end: end,
        })
    }
}
