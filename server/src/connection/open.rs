//! The open connections: what each is doing, and which is closed when there are too many.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::head::Malformed;

/// All open connections.
#[derive(Debug, Default)]
pub(super) struct OpenConnections(Mutex<HashMap<u64, Arc<Connection>>>);

/// One connection, as the parts that serve it know it.
#[derive(Debug)]
pub(super) struct Connection {
    /// Where its client is.
    network: Network,
    began: Instant,
    /// Milliseconds from `began` until it began to wait.
    waiting_since: AtomicU64,
    /// Heads that were let through.
    requests: AtomicU64,
    /// Requests whose answer is made.
    answered: AtomicU64,
    writing: AtomicBool,
    /// Whether more of a body is waited for.
    awaits_body: AtomicBool,
    /// Whether it is waited for that the client reads more of an answer.
    awaits_reader: AtomicBool,
    /// The request that is a refusal, by its number.
    refusal: OnceLock<(u64, Malformed)>,
    close: Notify,
}

/// What one client has: an address, and of IPv6 the 64 bits that a household gets.
type Network = IpAddr;

fn network(peer: IpAddr) -> Network {
    match peer.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address => address,
    }
}

impl Connection {
    pub(super) fn of(peer: IpAddr) -> Self {
        Self {
            network: network(peer),
            began: Instant::now(),
            waiting_since: AtomicU64::new(0),
            requests: AtomicU64::new(0),
            answered: AtomicU64::new(0),
            writing: AtomicBool::new(false),
            awaits_body: AtomicBool::new(false),
            awaits_reader: AtomicBool::new(false),
            refusal: OnceLock::new(),
            close: Notify::new(),
        }
    }

    /// A head was let through.
    pub(super) fn begin_request(&self) -> u64 {
        self.requests.fetch_add(1, Ordering::AcqRel) + 1
    }

    /// A head was refused; one that stands in for it was let through.
    pub(super) fn begin_refusal(&self, malformed: Malformed) {
        let number = self.begin_request();
        // Nothing is let through after a refusal, so there is no second one.
        _ = self.refusal.set((number, malformed));
    }

    /// Why the request that is served now is refused, if it is.
    pub(super) fn refusal(&self) -> Option<Malformed> {
        let number = self.answered.load(Ordering::Acquire) + 1;
        let refusal = self.refusal.get().filter(|(refused, _)| *refused == number);
        refusal.map(|(_, malformed)| *malformed)
    }

    /// The answer to a request is made, and about to be written.
    pub(super) fn end_request(&self) {
        self.writing.store(true, Ordering::Release);
        self.answered.fetch_add(1, Ordering::AcqRel);
    }

    /// Whether bytes of an answer are on their way.
    pub(super) fn set_writing(&self, writing: bool) {
        if self.writing.swap(writing, Ordering::AcqRel) && !writing {
            self.wait_from_now();
        }
    }

    /// Whether nothing more of a body is there yet.
    pub(super) fn set_awaits_body(&self, awaits: bool) {
        self.set_awaits(&self.awaits_body, awaits);
    }

    /// Whether the socket takes no more of an answer until the client reads.
    pub(super) fn set_awaits_reader(&self, awaits: bool) {
        self.set_awaits(&self.awaits_reader, awaits);
    }

    fn set_awaits(&self, flag: &AtomicBool, awaits: bool) {
        if !flag.swap(awaits, Ordering::AcqRel) && awaits {
            self.wait_from_now();
        }
    }

    fn wait_from_now(&self) {
        let waited = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.waiting_since.store(waited, Ordering::Release);
    }

    /// Whether it waits for its client: no request is served and no answer is on its way.
    pub(super) fn is_waiting(&self) -> bool {
        let answered = self.answered.load(Ordering::Acquire);
        self.requests.load(Ordering::Acquire) == answered && !self.writing.load(Ordering::Acquire)
    }

    /// Whether a request was answered on it.
    pub(super) fn has_answered(&self) -> bool {
        self.answered.load(Ordering::Acquire) > 0
    }

    /// How soon it should be closed for another: those between two requests first, then those that stall in the middle of
    /// one, each the longest wait first. None while the server itself is at work on a request.
    fn may_be_closed(&self) -> Option<(bool, Instant)> {
        let is_stalled =
            self.awaits_body.load(Ordering::Acquire) || self.awaits_reader.load(Ordering::Acquire);
        if !is_stalled && !self.is_waiting() {
            return None;
        }
        let waited = Duration::from_millis(self.waiting_since.load(Ordering::Acquire));
        Some((is_stalled, self.began + waited))
    }

    /// Tells the task that serves it to end.
    pub(super) fn close(&self) {
        self.close.notify_one();
    }

    /// Ready when it is to be closed.
    pub(super) async fn closed(&self) {
        self.close.notified().await;
    }
}

impl OpenConnections {
    pub(super) fn add(&self, number: u64, connection: Arc<Connection>) {
        self.lock().insert(number, connection);
    }

    pub(super) fn remove(&self, number: u64) {
        self.lock().remove(&number);
    }

    /// Closes one of the connections that wait for their clients. It takes the network that has most connections, and of this network
    /// the connection that has waited longest. So a client that opens many connections loses its own. Returns whether one was closed.
    pub(super) fn close_longest_waiting(&self) -> bool {
        let mut open = self.lock();
        let mut shares: HashMap<Network, usize> = HashMap::new();
        for connection in open.values() {
            *shares.entry(connection.network).or_default() += 1;
        }
        let waiting = open.iter().filter_map(|(number, connection)| {
            let share = shares.get(&connection.network).copied().unwrap_or_default();
            Some((Reverse(share), connection.may_be_closed()?, *number))
        });
        let longest = waiting.min();
        let Some((.., number)) = longest else {
            return false;
        };
        // What is being closed is not chosen again.
        if let Some(connection) = open.remove(&number) {
            connection.close();
        }
        true
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<u64, Arc<Connection>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_connection_that_has_waited_longest_is_closed_and_busy_ones_are_not() {
        let open = OpenConnections::default();
        let all: Vec<_> = (0..3)
            .map(|_| Arc::new(Connection::of(IpAddr::from([127, 0, 0, 1]))))
            .collect();
        for (number, connection) in (0..).zip(&all) {
            open.add(number, Arc::clone(connection));
        }
        all[0].begin_request();
        all[1].set_writing(true);
        assert!(open.close_longest_waiting());
        assert!(!open.close_longest_waiting(), "the others are busy");
        all[0].end_request();
        assert!(!open.close_longest_waiting(), "the answer is on its way");
        all[1].set_awaits_reader(true);
        all[0].set_writing(false);
        assert_eq!(
            all[0].may_be_closed().map(|(is_stalled, _)| is_stalled),
            Some(false)
        );
        assert!(open.close_longest_waiting());
        assert_eq!(
            open.lock().keys().collect::<Vec<_>>(),
            [&1],
            "between two requests comes first"
        );
        assert!(open.close_longest_waiting(), "then who does not read");
    }

    #[test]
    fn who_has_most_connections_makes_room() {
        let open = OpenConnections::default();
        let peers = [
            "10.0.0.1",
            "2001:db8:0:1::1",
            "2001:db8:0:1::2",
            "2001:db8:0:2::1",
        ];
        for (number, peer) in (0..).zip(peers) {
            open.add(number, Arc::new(Connection::of(peer.parse().unwrap())));
        }
        assert!(open.close_longest_waiting());
        let mut left: Vec<_> = open.lock().keys().copied().collect();
        left.sort_unstable();
        assert!(left == [0, 1, 3] || left == [0, 2, 3], "{left:?}");
        assert_eq!(
            network("::ffff:10.0.0.1".parse().unwrap()),
            network("10.0.0.1".parse().unwrap())
        );
    }

    #[test]
    fn a_refusal_is_the_request_after_those_before_it() {
        let connection = Connection::of(IpAddr::from([127, 0, 0, 1]));
        connection.begin_request();
        connection.begin_refusal(Malformed::Fragment);
        assert_eq!(connection.refusal(), None, "the first request is sound");
        connection.end_request();
        assert_eq!(connection.refusal(), Some(Malformed::Fragment));
        connection.end_request();
        assert_eq!(connection.refusal(), None);
    }
}
