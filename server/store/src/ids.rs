//! New identifiers (R13): a prefix, then a timestamp and a random part in 26 letters and digits, so that their order is that of creation.

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use rollcall::{Id, IdKind, Timestamp};
use ulid::Ulid;

/// Makes identifiers, each greater than the last one. The one source of random numbers in the server.
#[derive(Debug)]
pub struct Ids {
    rng: StdRng,
    last: Ulid,
}

impl Ids {
    /// Identifiers nobody can guess.
    pub fn new() -> Self {
        Self {
            rng: rand::make_rng(),
            last: Ulid::nil(),
        }
    }

    /// The same identifiers each time: for the demo and tests.
    pub fn seeded(seed: u64) -> Self {
        Self {
            rng: StdRng::seed_from_u64(seed),
            last: Ulid::nil(),
        }
    }

    /// A new identifier, made at `timestamp`.
    pub fn id<I: Prefixed>(&mut self, timestamp: Timestamp) -> String {
        self.with_prefix(I::PREFIX, timestamp)
    }

    /// A new identifier for a type with several prefixes.
    pub fn with_prefix(&mut self, prefix: &str, timestamp: Timestamp) -> String {
        [prefix, &self.unique(timestamp)].concat()
    }

    /// A new identifier, made at `timestamp`, that is greater than another one, even if the clock has stepped back since.
    pub fn id_after<I: Prefixed>(&mut self, timestamp: Timestamp, last: Option<&str>) -> String {
        let last = last.and_then(|last| Ulid::from_string(last.strip_prefix(I::PREFIX)?).ok());
        let (fresh, after) = (self.ulid(timestamp), last.map_or(Ulid::nil(), next));
        [I::PREFIX, &text(fresh.max(after))].concat()
    }

    /// 26 letters and digits that no other call gives.
    pub fn unique(&mut self, timestamp: Timestamp) -> String {
        text(self.ulid(timestamp))
    }

    fn ulid(&mut self, timestamp: Timestamp) -> Ulid {
        let millis = (timestamp.micros() / 1_000).unsigned_abs();
        let fresh = Ulid::from_parts(millis, self.rng.random::<u128>() >> 48);
        // Within one millisecond random numbers would disturb the order, so there the next number is taken.
        let is_same_millisecond = self.last.timestamp_ms() == fresh.timestamp_ms();
        self.last = if is_same_millisecond {
            next(self.last)
        } else {
            fresh
        };
        self.last
    }

    /// Bytes nobody can guess, for a token.
    pub fn secret(&mut self) -> [u8; 32] {
        self.rng.random()
    }

    /// The generator of random numbers behind the identifiers.
    pub fn rng(&mut self) -> &mut StdRng {
        &mut self.rng
    }
}

impl Default for Ids {
    fn default() -> Self {
        Self::new()
    }
}

fn next(ulid: Ulid) -> Ulid {
    Ulid(ulid.0.saturating_add(1))
}

fn text(ulid: Ulid) -> String {
    let mut text = ulid.to_string();
    text.make_ascii_lowercase();
    text
}

/// An identifier type that begins in one way.
pub trait Prefixed {
    /// How it begins.
    const PREFIX: &'static str;
}

impl<K: IdKind> Prefixed for Id<K> {
    const PREFIX: &'static str = K::PREFIXES[0];
}
