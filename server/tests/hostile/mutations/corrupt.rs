//! Changes of any bytes.

use rand::RngExt as _;
use rand::rngs::StdRng;

/// Changes, inserts, removes or repeats some bytes, or cuts the rest off.
pub(super) fn mutate(rng: &mut StdRng, bytes: &mut Vec<u8>) {
    for _ in 0..rng.random_range(1..=4) {
        if bytes.is_empty() {
            return;
        }
        let at = rng.random_range(0..bytes.len());
        match rng.random_range(0..6) {
            0 => bytes[at] = rng.random(),
            1 => bytes[at] ^= 1 << rng.random_range(0..8),
            2 => bytes.insert(at, rng.random()),
            3 => {
                bytes.remove(at);
            }
            4 => {
                let end = (at + rng.random_range(1..40)).min(bytes.len());
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part);
            }
            _ => bytes.truncate(at),
        }
    }
}
