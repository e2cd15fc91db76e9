//! The first people, cast by hand, so that a small directory has one of everything; and how those after them are drawn.

use rollcall::model::{DirectoryUserState as State, Provider};

use super::names::{self, Name, UNUSUAL};
use super::rng::DemoRng;

/// What is not drawn at random.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) name: Name,
    pub(super) state: State,
    pub(super) trashed: bool,
    /// A second account of somebody who came before.
    pub(super) secondary: bool,
    /// The vendor has taken an active person back, and nobody has deactivated the record yet.
    pub(super) pending: bool,
    /// Created at the same time as the one before.
    pub(super) tied: bool,
    /// The username is not that of the email.
    pub(super) renamed: bool,
    /// Who vouches for the sign-in; `None` if the person does not sign in.
    pub(super) provider: Option<Provider>,
    /// Which of the usual attributes, where it is not drawn at random.
    pub(super) attribute: Option<usize>,
}

/// States of the first; each is there in a directory of nine.
const STATES: [State; 20] = {
    use State::*;
    [
        Active,
        Active,
        Active,
        Staged,
        Active,
        Expiring,
        Expired,
        Suspended,
        Deactivated,
        Active, // 0..10
        Active,
        Active,
        Active,
        Active,
        Staged,
        Active,
        Deactivated,
        Active,
        Expiring,
        Active, // 10..20
    ]
};
const SECONDARY: [u64; 2] = [10, 17];
const PENDING: [u64; 1] = [11];
const TIED: [u64; 2] = [12, 13];
const RENAMED: [u64; 2] = [4, 15];
/// Soft-deleted are two of each twenty-five.
const TRASHED: [u64; 2] = [9, 16];
const CYCLE: u64 = 25;

/// Departments the first people are in, in turn: those that rules ask for.
const FIRST_DEPARTMENTS: usize = 4;

const PROVIDERS: [Provider; 3] = [
    Provider::WorkforceIdp,
    Provider::NativeIdp,
    Provider::ConsumerAccountIdp,
];

/// The part of the person with this number, from 0.
pub(super) fn part(rng: &mut DemoRng, number: u64) -> Part {
    let trashed = TRASHED.contains(&(number % CYCLE));
    match usize::try_from(number).ok().filter(|place| *place < STATES.len()) {
        Some(place) => Part {
            name: first_name(rng, place),
            state: STATES[place],
            trashed,
            secondary: SECONDARY.contains(&number),
            pending: PENDING.contains(&number),
            tied: TIED.contains(&number),
            renamed: RENAMED.contains(&number),
            provider: (place % 5 != 4).then(|| PROVIDERS[place % PROVIDERS.len()]),
            attribute: Some(place % FIRST_DEPARTMENTS),
        },
        None => Part {
            name: names::draw(rng),
            state: state(rng),
            trashed,
            secondary: rng.once_in(33),
            pending: rng.once_in(40),
            tied: rng.once_in(20),
            renamed: rng.once_in(12),
            provider: (!rng.once_in(5)).then(|| rng.pick(&PROVIDERS)),
            attribute: None,
        },
    }
}

/// The chief, then in turn an unusual name and one out of the hat; a second account takes its name from the first.
fn first_name(rng: &mut DemoRng, place: usize) -> Name {
    match place {
        0 => names::CHIEF,
        18 => UNUSUAL[8],
        _ if place % 2 == 1 => UNUSUAL[place / 2],
        _ => names::draw(rng),
    }
}

fn state(rng: &mut DemoRng) -> State {
    match rng.below(100) {
        0..5 => State::Staged,
        5..10 => State::Expiring,
        10..15 => State::Expired,
        15..19 => State::Suspended,
        19..26 => State::Deactivated,
        _ => State::Active,
    }
}
