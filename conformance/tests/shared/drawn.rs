//! Which part of many targets is judged: a part that the day draws, so that `cargo test` stays short, or all of them with
//! `SHELF=all`, as `.ci/run` has it.

use std::env;
use std::time::SystemTime;

/// One target of so many is judged in a day, so that after so many days all were.
const DAYS: usize = 15;

/// Those of a section that are judged today.
pub(crate) fn drawn<T>(section: &str, mut targets: Vec<T>) -> Vec<T> {
    if env::var("SHELF").is_ok_and(|which| which == "all") {
        return targets;
    }
    let all = targets.len();
    let since_1970 = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_secs();
    let today = usize::try_from(since_1970 / 86_400).unwrap_or_default();
    let mut place = today;
    targets.retain(|_| {
        place += 1;
        place.is_multiple_of(DAYS)
    });
    println!(
        "{section}: {} of {all}, drawn by the day {today}; SHELF=all judges all",
        targets.len()
    );
    targets
}
