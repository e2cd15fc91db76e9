//! In which form the sender of a request reads the body of the answer: as it is, or compressed (RFC 9110 §12.5.3).

use http::header::ACCEPT_ENCODING;
use http::{HeaderMap, HeaderValue};

/// A form in which a body is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    /// As it is.
    Identity,
    /// Compressed by gzip (RFC 9110 §8.4.1.3).
    Gzip,
}

/// How much the sender of a request wants each coding, in thousandths; 0 refuses the coding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Codings {
    identity: u16,
    gzip: u16,
}

/// The weight of a coding that is acceptable and that the sender does not name.
const LEAST: u16 = 1;
const MOST: u16 = 1_000;

impl Codings {
    /// Reads `Accept-Encoding`. An element that cannot be read counts as not sent.
    pub fn of(headers: &HeaderMap) -> Self {
        let mut lines = headers.get_all(ACCEPT_ENCODING).iter().peekable();
        if lines.peek().is_none() {
            // Every coding is acceptable, and the body as it is takes no time.
            return Self {
                identity: MOST,
                gzip: LEAST,
            };
        }
        let (mut identity, mut gzip, mut any) = (None, None, None);
        for (name, weight) in lines.flat_map(elements) {
            let place = match name {
                name if name.eq_ignore_ascii_case("gzip") || name.eq_ignore_ascii_case("x-gzip") => &mut gzip,
                name if name.eq_ignore_ascii_case("identity") => &mut identity,
                "*" => &mut any,
                _ => continue,
            };
            *place = (*place).max(Some(weight));
        }
        Self {
            identity: identity.or(any).unwrap_or(LEAST),
            gzip: gzip.or(any).unwrap_or(0),
        }
    }

    /// Whether the sender reads this coding.
    pub fn accept(self, coding: Coding) -> bool {
        match coding {
            Coding::Identity => self.identity > 0,
            Coding::Gzip => self.gzip > 0,
        }
    }

    /// The coding that the sender wants most, gzip if both are wanted alike; none if both are refused.
    pub fn preferred(self) -> Option<Coding> {
        match (self.gzip, self.identity) {
            (0, 0) => None,
            (gzip, identity) if gzip >= identity => Some(Coding::Gzip),
            _ => Some(Coding::Identity),
        }
    }
}

/// The codings of a line, each with its weight.
fn elements(line: &HeaderValue) -> impl Iterator<Item = (&str, u16)> {
    let line = line.to_str().unwrap_or_default();
    line.split(',').filter_map(|element| {
        let (name, weight) = match element.split_once(';') {
            Some((name, parameter)) => (name, weight(parameter.trim())?),
            None => (element, MOST),
        };
        Some((name.trim(), weight))
    })
}

/// The weight of `q=0.5`: a number from 0 to 1 with at most three digits behind the point (RFC 9110 §12.4.2).
fn weight(parameter: &str) -> Option<u16> {
    let value = parameter
        .strip_prefix("q=")
        .or_else(|| parameter.strip_prefix("Q="))?;
    let (whole, digits) = value.split_once('.').unwrap_or((value, ""));
    if digits.len() > 3 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let thousandths: u16 = format!("{digits:0<3}").parse().ok()?;
    match (whole, thousandths) {
        ("0", thousandths) => Some(thousandths),
        ("1", 0) => Some(MOST),
        _ => None,
    }
}
