//! The open connections: what each is doing, and which is closed when there are too many.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use super::head::Malformed;

/// All open connections, and the places for them. A connection counts for its network as long as it has its place, also while it
/// is being closed.
#[derive(Debug)]
pub(super) struct OpenConnections {
    open: Mutex<HashMap<u64, Arc<Connection>>>,
    places: Arc<Semaphore>,
}

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
    /// Bytes that the network took.
    sent: AtomicU64,
    /// Whether more of a body is waited for.
    awaits_body: AtomicBool,
    /// Whether it is waited for that the client reads more of an answer.
    awaits_reader: AtomicBool,
    /// The request that is a refusal, by its number.
    refusal: OnceLock<(u64, Malformed)>,
    is_closing: AtomicBool,
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
            sent: AtomicU64::new(0),
            awaits_body: AtomicBool::new(false),
            awaits_reader: AtomicBool::new(false),
            refusal: OnceLock::new(),
            is_closing: AtomicBool::new(false),
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

    /// The network took so many bytes more.
    pub(super) fn add_sent(&self, bytes: usize) {
        self.sent.fetch_add(bytes as u64, Ordering::AcqRel);
    }

    /// How many bytes the network took.
    pub(super) fn sent(&self) -> u64 {
        self.sent.load(Ordering::Acquire)
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
        if self.is_closing.load(Ordering::Acquire) {
            return None;
        }
        let is_stalled =
            self.awaits_body.load(Ordering::Acquire) || self.awaits_reader.load(Ordering::Acquire);
        if !is_stalled && !self.is_waiting() {
            return None;
        }
        let waited = Duration::from_millis(self.waiting_since.load(Ordering::Acquire));
        Some((is_stalled, self.began + waited))
    }

    /// Tells the task that serves it to end.
    fn close(&self) {
        self.is_closing.store(true, Ordering::Release);
        self.close.notify_one();
    }

    /// Ready when it is to be closed.
    pub(super) async fn closed(&self) {
        self.close.notified().await;
    }
}

impl OpenConnections {
    /// Places for so many connections.
    pub(super) fn new(most: usize) -> Self {
        Self {
            open: Mutex::default(),
            places: Arc::new(Semaphore::new(most)),
        }
    }

    /// A place, if one is free.
    pub(super) fn place(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.places).try_acquire_owned().ok()
    }

    /// A place, as soon as one is free.
    pub(super) async fn next_place(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.places).acquire_owned().await.ok()
    }

    pub(super) fn add(&self, number: u64, connection: Arc<Connection>) {
        self.lock().insert(number, connection);
    }

    /// A connection has ended, and gives its place back.
    pub(super) fn remove(&self, number: u64, place: OwnedSemaphorePermit) {
        let mut open = self.lock();
        open.remove(&number);
        // At no time is a place taken that no open connection has.
        drop(place);
    }

    /// Sees to it that a place becomes free for a client at this address. Returns whether one will, because one is free, or because
    /// a connection is being closed, whose task ends at once.
    pub(super) fn make_room(&self, peer: IpAddr) -> bool {
        let open = self.lock();
        let is_closing = |connection: &Arc<Connection>| connection.is_closing.load(Ordering::Acquire);
        self.places.available_permits() > 0 || open.values().any(is_closing) || close_one(&open, Some(peer))
    }

    /// Closes a connection, if one waits for its client.
    pub(super) fn close_longest_waiting(&self) {
        close_one(&self.lock(), None);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<u64, Arc<Connection>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Closes one of the connections that wait for their clients. It takes the network that has most connections, the one of `newcomer`
/// counted too, and of this network the connection that has waited longest. So a client that opens many connections loses its own.
/// Returns whether one was closed.
fn close_one(open: &HashMap<u64, Arc<Connection>>, newcomer: Option<IpAddr>) -> bool {
    let mut shares: HashMap<Network, usize> = newcomer.map(|peer| (network(peer), 1)).into_iter().collect();
    for connection in open.values() {
        *shares.entry(connection.network).or_default() += 1;
    }
    let waiting = open.iter().filter_map(|(number, connection)| {
        let share = shares.get(&connection.network).copied().unwrap_or_default();
        Some((Reverse(share), connection.may_be_closed()?, *number))
    });
    let longest = waiting.min().and_then(|(.., number)| open.get(&number));
    longest.into_iter().for_each(|connection| connection.close());
    longest.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_connection_that_has_waited_longest_is_closed_and_busy_ones_are_not() {
        let all: Vec<_> = (0..3)
            .map(|_| Arc::new(Connection::of(IpAddr::from([127, 0, 0, 1]))))
            .collect();
        let open: HashMap<u64, _> = (0..).zip(all.iter().cloned()).collect();
        let closes = || close_one(&open, None);
        let closing = |number: usize| all[number].is_closing.load(Ordering::Acquire);
        all[0].begin_request();
        all[1].set_writing(true);
        assert!(closes() && closing(2));
        assert!(!closes(), "the others are busy");
        all[0].end_request();
        assert!(!closes(), "the answer is on its way");
        all[1].set_awaits_reader(true);
        all[0].set_writing(false);
        assert_eq!(
            all[0].may_be_closed().map(|(is_stalled, _)| is_stalled),
            Some(false)
        );
        assert!(closes() && closing(0), "between two requests comes first");
        assert!(closes() && closing(1), "then who does not read");
    }

    #[test]
    fn who_has_most_connections_makes_room() {
        let peers = [
            "10.0.0.1",
            "2001:db8:0:1::1",
            "2001:db8:0:1::2",
            "2001:db8:0:2::1",
        ];
        let peers = peers.map(|peer| peer.parse::<IpAddr>().unwrap());
        let open: HashMap<u64, _> = (0..)
            .zip(peers.map(|peer| Arc::new(Connection::of(peer))))
            .collect();
        let closed = || {
            let closing = open
                .values()
                .filter(|connection| connection.is_closing.swap(false, Ordering::AcqRel));
            closing.map(|connection| connection.network).collect::<Vec<_>>()
        };
        assert!(close_one(&open, None));
        assert_eq!(closed(), [network(peers[1])]);
        // With its newcomers a network has as many as the first, and one more.
        assert!(close_one(&open, Some(peers[0])));
        let even = closed();
        assert!(
            even == [network(peers[0])] || even == [network(peers[1])],
            "{even:?}"
        );
        let alone: HashMap<u64, _> = open.into_iter().filter(|(number, _)| *number != 2).collect();
        assert!(close_one(&alone, Some(peers[3])));
        assert!(
            alone[&3].is_closing.load(Ordering::Acquire),
            "its own newcomer counts"
        );
    }

    #[tokio::test]
    async fn room_is_made_once_and_a_place_counts_until_its_connection_has_ended() {
        let open = OpenConnections::new(1);
        let peer = IpAddr::from([127, 0, 0, 1]);
        assert!(open.make_room(peer), "a place is free");
        let place = open.place().unwrap();
        let connection = Arc::new(Connection::of(peer));
        open.add(1, Arc::clone(&connection));
        connection.begin_request();
        assert!(!open.make_room(peer), "it is busy");
        connection.end_request();
        connection.set_writing(false);
        assert!(
            open.make_room(peer) && open.make_room(peer),
            "it is closed, and is waited for then"
        );
        connection.closed().await;
        assert!(open.place().is_none());
        open.remove(1, place);
        assert!(open.next_place().await.is_some());
    }

    #[test]
    fn networks_are_addresses_and_halves_of_them() {
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
