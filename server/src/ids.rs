//! New identifiers (R13): a prefix, then the moment and chance in 26 letters and digits, so that their order is that of creation.

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use rollcall::{Id, IdKind, Timestamp};
use ulid::Ulid;

/// Makes identifiers, each greater than the last of the same moment. The one source of chance in the server.
#[derive(Debug)]
pub struct Ids {
    chance: StdRng,
    last: Ulid,
}

impl Ids {
    /// Identifiers nobody can guess.
    pub fn new() -> Self {
        Self {
            chance: StdRng::from_os_rng(),
            last: Ulid::nil(),
        }
    }

    /// The same identifiers each time: for the demo and tests.
    pub fn seeded(seed: u64) -> Self {
        Self {
            chance: StdRng::seed_from_u64(seed),
            last: Ulid::nil(),
        }
    }

    /// A new identifier, made at `moment`.
    pub fn id<I: Prefixed>(&mut self, moment: Timestamp) -> String {
        self.with_prefix(I::PREFIX, moment)
    }

    /// A new identifier for a type with several prefixes.
    pub fn with_prefix(&mut self, prefix: &str, moment: Timestamp) -> String {
        [prefix, &self.unique(moment)].concat()
    }

    /// A new identifier, made at `moment`, that is greater than another one, even if the clock has stepped back since.
    pub fn id_after<I: Prefixed>(&mut self, moment: Timestamp, last: Option<&str>) -> String {
        let last = last.and_then(|last| Ulid::from_string(last.strip_prefix(I::PREFIX)?).ok());
        let (fresh, after) = (self.ulid(moment), last.map_or(Ulid::nil(), next));
        [I::PREFIX, &text(fresh.max(after))].concat()
    }

    /// 26 letters and digits that no other call gives.
    pub fn unique(&mut self, moment: Timestamp) -> String {
        text(self.ulid(moment))
    }

    fn ulid(&mut self, moment: Timestamp) -> Ulid {
        let millis = (moment.micros() / 1_000).unsigned_abs();
        let fresh = Ulid::from_parts(millis, self.chance.random::<u128>() >> 48);
        // Within one millisecond chance would disturb the order, so there the next number is taken.
        let same_moment = self.last.timestamp_ms() == fresh.timestamp_ms();
        self.last = if same_moment { next(self.last) } else { fresh };
        self.last
    }

    /// Bytes nobody can guess, for a token.
    pub fn secret(&mut self) -> [u8; 32] {
        self.chance.random()
    }

    /// The chance behind the identifiers.
    pub fn chance(&mut self) -> &mut StdRng {
        &mut self.chance
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
    ulid.to_string().to_ascii_lowercase()
}

/// An identifier type that begins in one way.
pub trait Prefixed {
    /// How it begins.
    const PREFIX: &'static str;
}

impl<K: IdKind> Prefixed for Id<K> {
    const PREFIX: &'static str = K::PREFIXES[0];
}
