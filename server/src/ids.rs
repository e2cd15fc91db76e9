//! New identifiers (R13): a prefix, then the moment and chance in 26 letters and digits, so that their order is that of creation.

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use rollcall::{Id, IdKind, Timestamp};

/// Digits whose order is their value's; letters that look like digits are left out.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Makes identifiers, each greater than the last of the same moment. The one source of chance in the server.
#[derive(Debug)]
pub struct Ids {
    chance: StdRng,
    last: u128,
}

impl Ids {
    /// Identifiers nobody can guess.
    pub fn new() -> Self {
        Self {
            chance: StdRng::from_os_rng(),
            last: 0,
        }
    }

    /// The same identifiers each time: for the demo and tests.
    pub fn seeded(seed: u64) -> Self {
        Self {
            chance: StdRng::seed_from_u64(seed),
            last: 0,
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

    /// 26 letters and digits that no other call gives.
    pub fn unique(&mut self, moment: Timestamp) -> String {
        let millis = u128::from((moment.micros() / 1_000).unsigned_abs()) & 0xffff_ffff_ffff;
        let random = self.chance.random::<u128>() >> 48;
        let fresh = millis << 80 | random;
        // Within one millisecond chance would disturb the order, so there the next number is taken.
        let same_moment = self.last >> 80 == millis;
        self.last = if same_moment { self.last + 1 } else { fresh };
        let digit = |place: u32| DIGITS[usize::try_from(self.last >> (5 * place) & 31).unwrap_or_default()];
        (0..26).rev().map(|place| char::from(digit(place))).collect()
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

/// An identifier type that begins in one way.
pub trait Prefixed {
    /// How it begins.
    const PREFIX: &'static str;
}

impl<K: IdKind> Prefixed for Id<K> {
    const PREFIX: &'static str = K::PREFIXES[0];
}
