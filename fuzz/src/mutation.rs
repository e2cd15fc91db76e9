//! Makes new inputs from those of a corpus: random bytes alone would hardly ever get past the first sign of a parser.

use std::ops::Range;

use bolero::{Driver, ValueGenerator};

use crate::{Corpus, Input};

/// The most changes to one input.
const MAX_CHANGES: usize = 8;

/// Pieces that parsers treat in a special way.
const SPECIAL: [&[u8]; 44] = [
    b"\0",
    b"\t",
    b"\n",
    b"\r\n",
    b"\r",
    b" ",
    b"\"",
    b"'",
    b"#",
    b"%",
    b"%00",
    b"%C3%A9",
    b"&",
    b"*",
    b"+",
    b",",
    b"-",
    b".",
    b"/",
    b"0",
    b"1e400",
    b"18446744073709551616",
    b"9223372036854775808",
    b":",
    b";",
    b"<",
    b"=",
    b"?",
    b"@",
    b"W/",
    b"[",
    b"\\",
    b"]",
    b"_",
    b"null",
    b"{",
    b"}",
    b"~",
    b"\x7f",
    b"\x80",
    b"\xc2\xa0",
    b"\xe2\x80\xae",
    b"\xef\xbb\xbf",
    b"\xff",
];

/// Generates inputs: one of the corpus with a few changes.
#[derive(Clone, Debug)]
pub struct Mutations {
    inputs: Vec<Input>,
}

impl Mutations {
    /// Mutations of the inputs of a corpus, and of the empty input.
    pub fn of(corpus: &Corpus) -> Self {
        let inputs = corpus.inputs().cloned();
        Self {
            inputs: inputs.chain([Input::new(Vec::new())]).collect(),
        }
    }

    /// Any of the inputs.
    fn pick<D: Driver>(&self, driver: &mut D) -> Option<&[u8]> {
        let place = (0..self.inputs.len()).generate(driver)?;
        Some(self.inputs[place].bytes())
    }

    /// Makes one change.
    fn change<D: Driver>(&self, driver: &mut D, bytes: &mut Vec<u8>) -> Option<()> {
        let range = range(driver, bytes.len())?;
        let replacement: Vec<u8> = match (0..9u8).generate(driver)? {
            0 => Vec::new(),
            1 => vec![driver.produce()?],
            2 => SPECIAL[(0..SPECIAL.len()).generate(driver)?].to_vec(),
            3 => [
                &bytes[range.clone()],
                SPECIAL[(0..SPECIAL.len()).generate(driver)?],
            ]
            .concat(),
            4 => bytes[range.clone()].repeat(repetitions(driver, range.len())?),
            5 => bytes[range.clone()].iter().rev().copied().collect(),
            6 => driver.produce::<char>()?.to_string().into_bytes(),
            7 => {
                let other = self.pick(driver)?;
                other[self::range(driver, other.len())?].to_vec()
            }
            _ => {
                let own = self::range(driver, bytes.len())?;
                [&bytes[range.clone()], &bytes[own]].concat()
            }
        };
        bytes.splice(range, replacement);
        Some(())
    }
}

impl ValueGenerator for Mutations {
    type Output = Input;

    fn generate<D: Driver>(&self, driver: &mut D) -> Option<Input> {
        let mut bytes = self.pick(driver)?.to_vec();
        for _ in 0..(0..=MAX_CHANGES).generate(driver)? {
            self.change(driver, &mut bytes)?;
            bytes.truncate(Input::MAX_LENGTH);
        }
        Some(Input::new(bytes))
    }
}

/// A part of so many bytes, more often short than long.
fn range<D: Driver>(driver: &mut D, length: usize) -> Option<Range<usize>> {
    let start = (0..=length).generate(driver)?;
    let longest = match (0..4u8).generate(driver)? {
        0 => length,
        1 => 16,
        _ => 2,
    };
    let end = start + (0..=longest.min(length - start)).generate(driver)?;
    Some(start..end)
}

/// How often a part of so many bytes is repeated: mostly a few times, now and then until the input is as long as it may be.
fn repetitions<D: Driver>(driver: &mut D, length: usize) -> Option<usize> {
    let most = match (0..16u8).generate(driver)? {
        0 => Input::MAX_LENGTH / length.max(1),
        1 => 1_000 / length.max(1),
        _ => 4,
    };
    (0..=most).generate(driver)
}
