//! Which part of many targets is judged: those that a name is meant for, else a part that the day draws, so that `cargo test`
//! stays short. `SHELF=8`, as `.ci/run` has it, judges one of eight; `SHELF=all` judges all of them.

use std::env;
use std::num::NonZeroUsize;
use std::time::SystemTime;

/// One target of so many is judged in a day unless `SHELF` says otherwise, so that after so many days all were.
const DAYS: usize = 15;

/// Those targets of a section whose names have a part; without it, those that are judged today.
pub(crate) fn chosen<T>(
    section: &str,
    part: Option<&str>,
    mut targets: Vec<T>,
    name: impl Fn(&T) -> String,
) -> Vec<T> {
    match part {
        Some(part) => {
            targets.retain(|target| name(target).contains(part));
            targets
        }
        None => drawn(section, targets),
    }
}

fn drawn<T>(section: &str, mut targets: Vec<T>) -> Vec<T> {
    let days = match env::var("SHELF").as_deref() {
        Ok("all") => return targets,
        Ok(days) => days
            .parse::<NonZeroUsize>()
            .expect("SHELF is a number from 1 on, or `all`")
            .get(),
        Err(_) => DAYS,
    };
    let all = targets.len();
    let since_1970 = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_secs();
    let today = usize::try_from(since_1970 / 86_400).unwrap_or_default();
    let mut place = today;
    targets.retain(|_| {
        place += 1;
        place.is_multiple_of(days)
    });
    println!(
        "{section}: {} of {all}, drawn by the day {today}; SHELF=all judges all",
        targets.len()
    );
    targets
}
