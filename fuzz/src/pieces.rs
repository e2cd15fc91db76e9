//! Cuts bytes into pieces, always the same way for the same bytes: what a parser makes of a stream must not depend on the
//! sizes in which it arrives.

use std::hash::{DefaultHasher, Hasher};
use std::io::{BufRead, Read, Result};

/// Bytes as pieces of changing length; a source for readers, too.
#[derive(Clone, Debug)]
pub struct Pieces<'b> {
    rest: &'b [u8],
    /// How many bytes are left of the present piece.
    left: usize,
    state: u64,
}

impl<'b> Pieces<'b> {
    /// Cuts these bytes.
    pub fn of(bytes: &'b [u8]) -> Self {
        let mut hasher = DefaultHasher::new();
        hasher.write(bytes);
        Self {
            rest: bytes,
            left: 0,
            state: hasher.finish(),
        }
    }

    /// The length of the next piece: from 1 to 7 bytes, now and then up to 4,096.
    fn next_length(&mut self) -> usize {
        // The generator of Knuth's MMIX; its upper bits are random enough.
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let random = (self.state >> 33) as usize;
        match random % 8 {
            0 => 1 + random / 8 % 4_096,
            short => short,
        }
    }
}

impl<'b> Iterator for Pieces<'b> {
    type Item = &'b [u8];

    fn next(&mut self) -> Option<&'b [u8]> {
        let length = self.next_length().min(self.rest.len());
        let (piece, rest) = self.rest.split_at(length);
        self.rest = rest;
        (!piece.is_empty()).then_some(piece)
    }
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let piece = self.fill_buf()?;
        let length = piece.len().min(buffer.len());
        buffer[..length].copy_from_slice(&piece[..length]);
        self.consume(length);
        Ok(length)
    }
}

impl BufRead for Pieces<'_> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        if self.left == 0 {
            self.left = self.next_length();
        }
        self.left = self.left.min(self.rest.len());
        Ok(&self.rest[..self.left])
    }

    fn consume(&mut self, amount: usize) {
        self.rest = &self.rest[amount..];
        self.left -= amount;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_together_are_the_whole() {
        let bytes: Vec<u8> = (0..10_000_u32).map(|number| (number % 251) as u8).collect();
        let pieces: Vec<&[u8]> = Pieces::of(&bytes).collect();
        assert!(pieces.len() > 10 && pieces.concat() == bytes);
        let mut read = Vec::new();
        Pieces::of(&bytes).read_to_end(&mut read).unwrap();
        assert_eq!(read, bytes);
    }
}
