//! One seed: connection after connection, and between them the requests of a client that behaves well.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use super::Rights;
use super::draft::Draft;
use super::judge::{Expectation, SentRequest, judge};
use super::pool::Pool;
use crate::client::{PATIENCE, get};
use crate::demo::OPERATOR;
use crate::metrics::{assert_labels_are_known, request_series};
use crate::server::Server;

/// The seeds that are always run.
const SEEDS: [u64; 2] = [1, 2];
/// How many requests each of them sends, unless the environment says otherwise.
const REQUESTS: usize = 1_200;
/// How many connections there are between two checks of the server.
const CONNECTIONS: usize = 40;
/// The most generated requests on one connection.
const PIPELINED: usize = 4;
/// More bytes than this are written by a thread of their own, while the answers are read.
const AT_ONCE: usize = 16 * 1024;
/// How much of the beginning and of the end of what was received a failure shows, in bytes.
const SHOWN: usize = 3_000;

/// Lists whose records the generated requests may change.
const LISTS: [&str; 3] = ["/directory/users", "/directory/attributes", "/workspace/users"];

/// Panics in threads of the server.
static PANICS: AtomicU64 = AtomicU64::new(0);

/// The seeds to run.
pub(super) fn seeds() -> Vec<u64> {
    match std::env::var("ROLLCALL_HOSTILE_SEED") {
        Ok(seed) => vec![seed.parse().unwrap()],
        Err(_) => SEEDS.to_vec(),
    }
}

/// How many requests each seed sends.
pub(super) fn requests() -> usize {
    let requests = std::env::var("ROLLCALL_HOSTILE_REQUESTS");
    requests.map_or(REQUESTS, |requests| requests.parse().unwrap())
}

/// A server under generated requests.
pub(super) struct Run {
    seed: u64,
    rng: StdRng,
    rights: Rights,
    server: Server,
    pool: Pool,
    sent: usize,
    /// Numbers of answers by status.
    statuses: BTreeMap<u16, usize>,
}

impl Run {
    pub(super) fn new(seed: u64, rights: Rights) -> Self {
        count_panics();
        let server = Server::start();
        let pool = Pool::fetch(&server, rights);
        Self {
            seed,
            rng: StdRng::seed_from_u64(seed),
            rights,
            server,
            pool,
            sent: 0,
            statuses: BTreeMap::new(),
        }
    }

    /// Sends so many requests, at least.
    pub(super) fn send(mut self, requests: usize) {
        let mut records = self.records();
        while self.sent < requests {
            let mut is_changed = false;
            for _ in 0..CONNECTIONS {
                is_changed |= self.connection();
            }
            let now = self.records();
            if !is_changed {
                assert_eq!(
                    records,
                    now,
                    "changed without an accepted change: {}",
                    self.place()
                );
            }
            records = now;
            assert_eq!(PANICS.load(Ordering::Acquire), 0, "{}", self.place());
        }
        assert_labels_are_known(&request_series(&self.server));
        eprintln!(
            "seed {}: {} requests, answers by status: {:?}",
            self.seed, self.sent, self.statuses
        );
    }

    fn place(&self) -> String {
        format!("seed {}, after {} requests", self.seed, self.sent)
    }

    /// What a client that behaves well sees. Its owner cannot be locked out: nobody else may restore users.
    fn records(&self) -> Vec<String> {
        let pages = LISTS.map(|list| {
            let path = format!("/api/v1{list}?page[size]=200");
            let answer = self.server.connect().ask(get(&path, OPERATOR));
            assert_eq!(answer.status, 200, "{}", self.place());
            answer.text().to_owned()
        });
        pages.to_vec()
    }

    /// One connection; whether a change was accepted on it.
    fn connection(&mut self) -> bool {
        let requests = self.generate();
        let bytes: Vec<u8> = requests.iter().flat_map(|sent| sent.bytes.clone()).collect();
        let pieces = self.pieces(bytes.len());
        let received = exchange(&self.server, &bytes, &pieces);
        let judged = received.and_then(|received| {
            judge(&requests, &received).map_err(|fault| {
                let (begin, end) = received.split_at(received.len().saturating_sub(SHOWN));
                let begin = &begin[..begin.len().min(SHOWN)];
                format!(
                    "{fault}\nreceived {} bytes: {} … {}",
                    received.len(),
                    begin.escape_ascii(),
                    end.escape_ascii()
                )
            })
        });
        let report = judged.unwrap_or_else(|fault| {
            let sent: Vec<_> = requests.iter().map(SentRequest::to_string).collect();
            let shown = &bytes[..bytes.len().min(2 * SHOWN)];
            panic!(
                "{}: {fault}\nexpected: {sent:#?}\nsent in pieces to {pieces:?}: {}",
                self.place(),
                shown.escape_ascii()
            );
        });
        for status in report.statuses {
            *self.statuses.entry(status).or_default() += 1;
        }
        assert!(!report.is_changed || self.rights == Rights::ReadAndWrite);
        report.is_changed
    }

    /// Generated requests, with requests between and behind them whose answers are known.
    fn generate(&mut self) -> Vec<SentRequest> {
        let mut requests = Vec::new();
        for _ in 0..self.rng.random_range(1..=PIPELINED) {
            self.sent += 1;
            if self.rng.random_bool(0.4) {
                requests.push(SentRequest::marker(self.sent));
            }
            let draft = Draft::generate(&mut self.rng, &self.pool);
            let sent = draft.finish(&mut self.rng);
            let goes_on = matches!(sent.expected, Expectation::Answer | Expectation::AnswerOrRefusal);
            requests.push(sent);
            if !goes_on {
                break;
            }
        }
        if self.rng.random_bool(0.9) {
            requests.push(SentRequest::marker(0));
        }
        requests
    }

    /// Where the bytes are cut: each piece is sent for itself.
    fn pieces(&mut self, length: usize) -> Vec<usize> {
        let cuts = if self.rng.random_bool(0.3) { 3 } else { 0 };
        let mut ends: Vec<_> = (0..cuts).map(|_| self.rng.random_range(0..=length)).collect();
        ends.push(length);
        ends.sort_unstable();
        ends
    }
}

/// Sends everything, ends the requests, and reads until the server closes the connection.
fn exchange(server: &Server, bytes: &[u8], ends: &[usize]) -> Result<Vec<u8>, String> {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream.set_nodelay(true).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_write_timeout(Some(PATIENCE)).unwrap();
    let writer = stream.try_clone().unwrap();
    let mut received = Vec::new();
    let read = if bytes.len() <= AT_ONCE {
        write(writer, bytes, ends);
        stream.read_to_end(&mut received)
    } else {
        std::thread::scope(|scope| {
            scope.spawn(|| write(writer, bytes, ends));
            stream.read_to_end(&mut received)
        })
    };
    match read {
        Ok(_) => Ok(received),
        Err(error) => Err(format!(
            "neither answered nor closed: {error}, after {}",
            received.escape_ascii()
        )),
    }
}

fn write(mut stream: TcpStream, bytes: &[u8], ends: &[usize]) {
    let mut begin = 0;
    for end in ends {
        // The server may close the connection early; the answers say whether it may.
        if stream.write_all(&bytes[begin..*end]).is_err() {
            return;
        }
        begin = *end;
    }
    _ = stream.shutdown(Shutdown::Write);
}

/// Counts panics of other threads than those of tests.
fn count_panics() {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let thread = std::thread::current();
        let name = thread.name().unwrap_or_default();
        if !name.contains("::") && name != "main" {
            PANICS.fetch_add(1, Ordering::AcqRel);
        }
        print(panic);
    }));
}
