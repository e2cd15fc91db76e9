//! Whether the source still lets a person in: which attributes of directory servers say that an account is locked, disabled or
//! expires, and what that makes of the person here.
//!
//! An account that is locked at its source never comes in as active: a value that cannot be read refuses the record. Where
//! several attributes speak, the strictest counts.

use rollcall::Timestamp;
use rollcall::model::DirectoryUserState as State;

/// What an attribute says of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Says {
    /// It may be used.
    Open,
    /// It ends at this time.
    Expires(Timestamp),
    /// It is locked, be it for a while.
    Suspended,
    /// It is disabled.
    Deactivated,
}

type Reading = fn(&str) -> Option<Says>;

/// What an attribute is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Topic {
    /// Whether the account is locked or disabled.
    Lock,
    /// When it ends.
    End,
}

/// The attributes, as short names in lower case, what they are about, and how their values are read; a value that gives none
/// cannot be read.
const ATTRIBUTES: &[(&str, Topic, Reading)] = &[
    // Active Directory
    ("useraccountcontrol", Topic::Lock, |text| {
        flags(text, &[(0x2, Says::Deactivated), (0x10, Says::Suspended)])
    }),
    ("msds-user-account-control-computed", Topic::Lock, |text| {
        flags(text, &[(0x10, Says::Suspended)])
    }),
    ("msds-useraccountdisabled", Topic::Lock, |text| {
        is_true(text, Says::Deactivated)
    }),
    ("lockouttime", Topic::Lock, |text| {
        Some(if number(text)? == 0 {
            Says::Open
        } else {
            Says::Suspended
        })
    }),
    ("accountexpires", Topic::End, filetime),
    // 389 Directory Server, FreeIPA
    ("nsaccountlock", Topic::Lock, |text| {
        is_true(text, Says::Deactivated)
    }),
    ("accountunlocktime", Topic::Lock, |text| {
        time(text).map(|_| Says::Suspended)
    }),
    ("krbprincipalexpiration", Topic::End, |text| {
        time(text).map(Says::Expires)
    }),
    ("krbticketflags", Topic::Lock, |text| {
        flags(text, &[(0x40, Says::Deactivated)])
    }),
    // OpenLDAP and others with password policies
    ("pwdaccountlockedtime", Topic::Lock, |_| Some(Says::Suspended)),
    ("pwdaccountdisabled", Topic::Lock, |text| {
        is_true(text, Says::Deactivated)
    }),
    ("pwdendtime", Topic::End, |text| time(text).map(Says::Expires)),
    // Accounts of Unix and Samba
    ("shadowexpire", Topic::End, |text| {
        seconds(number(text)?.checked_mul(86_400)?)
    }),
    ("sambakickofftime", Topic::End, |text| seconds(number(text)?)),
    ("sambaacctflags", Topic::Lock, samba_flags),
    // PingDirectory, OpenDJ, eDirectory, Sun Directory Server
    ("ds-pwp-account-disabled", Topic::Lock, |text| {
        is_true(text, Says::Deactivated)
    }),
    ("ds-pwp-account-expiration-time", Topic::End, |text| {
        time(text).map(Says::Expires)
    }),
    ("logindisabled", Topic::Lock, |text| {
        is_true(text, Says::Deactivated)
    }),
    ("loginexpirationtime", Topic::End, |text| {
        time(text).map(Says::Expires)
    }),
    ("lockedbyintruder", Topic::Lock, |text| {
        is_true(text, Says::Suspended)
    }),
    ("inetuserstatus", Topic::Lock, |text| {
        one_of(
            text,
            &[
                ("active", Says::Open),
                ("inactive", Says::Deactivated),
                ("deleted", Says::Deactivated),
            ],
        )
    }),
];

/// Whether the attribute (short name in lower case) says how an account stands.
pub(super) fn reads(name: &str) -> bool {
    ATTRIBUTES.iter().any(|(known, ..)| *known == name)
}

/// Whether the attribute (short name in lower case) says when an account ends, be it that it never does.
pub(super) fn tells_end(name: &str) -> bool {
    let known = ATTRIBUTES.iter().find(|(known, ..)| *known == name);
    known.is_some_and(|(_, topic, _)| *topic == Topic::End)
}

/// The names of the attributes.
pub(super) fn names() -> impl Iterator<Item = &'static str> + Clone {
    ATTRIBUTES.iter().map(|(name, ..)| *name)
}

/// The state and the expiry that an account has at its source; no state where nothing but an expiry is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Standing {
    /// Suspended or deactivated, else none.
    pub(super) state: Option<State>,
    /// When it ends, be it in the past.
    pub(super) expires_at: Option<Timestamp>,
    /// Whether the source says anything of it.
    pub(super) is_stated: bool,
}

impl Standing {
    /// Whether the source says that the account may be used, without an end.
    pub(super) fn is_open(self) -> bool {
        self.is_stated && self.state.is_none() && self.expires_at.is_none()
    }

    /// What these attributes and values say together.
    ///
    /// # Errors
    /// The name of an attribute whose value cannot be read.
    pub(super) fn of<'v>(values: impl Iterator<Item = (&'v str, &'v str)>) -> Result<Self, String> {
        let mut standing = Self::default();
        for (name, text) in values {
            let Some((.., read)) = ATTRIBUTES.iter().find(|(known, ..)| *known == name) else {
                continue;
            };
            let says = read(text.trim()).ok_or_else(|| {
                format!("{name}: cannot be read, so whether the account may be used is not known")
            })?;
            standing.is_stated = true;
            match says {
                Says::Open => {}
                Says::Expires(at) => {
                    standing.expires_at = Some(standing.expires_at.map_or(at, |first| first.min(at)));
                }
                Says::Suspended => standing.state = standing.state.or(Some(State::Suspended)),
                Says::Deactivated => standing.state = Some(State::Deactivated),
            }
        }
        Ok(standing)
    }
}

fn number(text: &str) -> Option<i64> {
    text.parse().ok()
}

fn is_true(text: &str, meaning: Says) -> Option<Says> {
    one_of(
        text,
        &[
            ("true", meaning),
            ("1", meaning),
            ("yes", meaning),
            ("false", Says::Open),
            ("0", Says::Open),
            ("no", Says::Open),
        ],
    )
}

fn one_of(text: &str, words: &[(&str, Says)]) -> Option<Says> {
    let found = words.iter().find(|(word, _)| text.eq_ignore_ascii_case(word));
    found.map(|(_, says)| *says)
}

/// The strictest meaning of the bits that are set.
fn flags(text: &str, meanings: &[(i64, Says)]) -> Option<Says> {
    let bits = number(text)?;
    let set = meanings.iter().filter(|(bit, _)| bits & bit != 0);
    Some(set.map(|(_, says)| *says).max().unwrap_or(Says::Open))
}

/// `[UD         ]`: letters between brackets; D is disabled, L is locked.
fn samba_flags(text: &str) -> Option<Says> {
    let letters = text.strip_prefix('[')?.strip_suffix(']')?;
    Some(match (letters.contains('D'), letters.contains('L')) {
        (true, _) => Says::Deactivated,
        (false, true) => Says::Suspended,
        (false, false) => Says::Open,
    })
}

/// Tenths of microseconds since 1601; 0 and the largest number mean never.
fn filetime(text: &str) -> Option<Says> {
    const SINCE_1601: i64 = 11_644_473_600_000_000;
    match number(text)? {
        0 | i64::MAX => Some(Says::Open),
        ticks @ 1.. => ends(ticks / 10 - SINCE_1601),
        _ => None,
    }
}

/// Seconds since 1970; 0, −1 and the largest numbers mean never.
fn seconds(since_1970: i64) -> Option<Says> {
    const ENDS_OF_TIME: [i64; 2] = [i32::MAX as i64, i64::MAX];
    match since_1970 {
        ..=0 => Some(Says::Open),
        end if ENDS_OF_TIME.contains(&end) => Some(Says::Open),
        since => ends(since.checked_mul(1_000_000)?),
    }
}

/// An end at so many microseconds since 1970; one beyond what a timestamp can say (the year 9999) never comes.
fn ends(micros: i64) -> Option<Says> {
    Some(Timestamp::from_micros(micros).map_or(Says::Open, Says::Expires))
}

/// A generalized time (RFC 4517): `20240131`, at least, to `20240131235959.5+0100`.
fn time(text: &str) -> Option<Timestamp> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at(digits);
    let part = |from: usize| digits.get(from..from + 2);
    if !(digits.len() == 8 || digits.len() == 10 || digits.len() == 12 || digits.len() == 14) {
        return None;
    }
    let (year, month, day) = (digits.get(..4)?, part(4)?, part(6)?);
    let (hour, minute, second) = (
        part(8).unwrap_or("00"),
        part(10).unwrap_or("00"),
        part(12).unwrap_or("00"),
    );
    // A fraction is left out.
    let zone = rest
        .trim_start_matches(['.', ','])
        .trim_start_matches(|c: char| c.is_ascii_digit());
    let zone = match (zone, zone.len()) {
        ("" | "Z", _) => "Z".to_owned(),
        (zone, 3) => format!("{zone}:00"),
        (zone, 5) if zone.is_ascii() => format!("{}:{}", &zone[..3], &zone[3..]),
        _ => return None,
    };
    Timestamp::read_any(&format!("{year}-{month}-{day}T{hour}:{minute}:{second}{zone}")).ok()
}

#[cfg(test)]
mod tests {
    use super::{Standing, State, Timestamp};

    fn standing(name: &str, text: &str) -> Result<(Option<State>, Option<String>), String> {
        let found = Standing::of([(name, text)].into_iter())?;
        Ok((found.state, found.expires_at.map(|at| at.to_string())))
    }

    #[test]
    fn a_locked_disabled_or_expired_account_is_told() {
        let cases = [
            ("useraccountcontrol", "512", None, None),
            ("useraccountcontrol", "514", Some(State::Deactivated), None),
            ("useraccountcontrol", "528", Some(State::Suspended), None),
            ("useraccountcontrol", "530", Some(State::Deactivated), None),
            ("useraccountcontrol", "66048", None, None),
            ("lockouttime", "0", None, None),
            ("lockouttime", "133497504000000000", Some(State::Suspended), None),
            ("accountexpires", "0", None, None),
            ("accountexpires", "9223372036854775807", None, None),
            (
                "accountexpires",
                "133497504000000000",
                None,
                Some("2024-01-15T00:00:00.000000Z"),
            ),
            ("nsaccountlock", "TRUE", Some(State::Deactivated), None),
            ("nsaccountlock", "false", None, None),
            (
                "pwdaccountlockedtime",
                "000001010000Z",
                Some(State::Suspended),
                None,
            ),
            ("shadowexpire", "-1", None, None),
            ("shadowexpire", "1", None, Some("1970-01-02T00:00:00.000000Z")),
            ("shadowexpire", "19737", None, Some("2024-01-15T00:00:00.000000Z")),
            (
                "krbprincipalexpiration",
                "20240115000000Z",
                None,
                Some("2024-01-15T00:00:00.000000Z"),
            ),
            (
                "krbprincipalexpiration",
                "2024011501.5+0100",
                None,
                Some("2024-01-15T00:00:00.000000Z"),
            ),
            ("sambaacctflags", "[UD         ]", Some(State::Deactivated), None),
            ("sambaacctflags", "[UX]", None, None),
            ("sambakickofftime", "2147483647", None, None),
            ("inetuserstatus", "Inactive", Some(State::Deactivated), None),
        ];
        for (name, text, state, expires_at) in cases {
            assert_eq!(
                standing(name, text),
                Ok((state, expires_at.map(str::to_owned))),
                "{name}: {text}"
            );
        }
    }

    #[test]
    fn a_value_that_cannot_be_read_names_its_attribute() {
        for (name, text) in [
            ("useraccountcontrol", "disabled"),
            ("accountexpires", "-5"),
            ("accountexpires", "2024-01-15"),
            ("nsaccountlock", "perhaps"),
            ("krbprincipalexpiration", "20241315000000Z"),
            ("krbprincipalexpiration", "soon"),
            ("sambaacctflags", "UD"),
        ] {
            let fault = standing(name, text).unwrap_err();
            assert!(fault.starts_with(name), "{fault}");
        }
    }

    #[test]
    fn the_strictest_and_the_earliest_count() {
        let values = [
            ("lockouttime", "1"),
            ("useraccountcontrol", "514"),
            ("accountexpires", "133497504000000000"),
            ("shadowexpire", "1"),
        ];
        let found = Standing::of(values.into_iter()).unwrap();
        assert_eq!(found.state, Some(State::Deactivated));
        assert_eq!(found.expires_at, Timestamp::from_micros(86_400_000_000));
        let found = Standing::of([("useraccountcontrol", "514"), ("lockouttime", "1")].into_iter()).unwrap();
        assert_eq!(found.state, Some(State::Deactivated));
    }
}
