//! How often the runner asks again before anything follows, in one place for all layers.

use std::time::Duration;

/// How long to wait before each time that a violation is looked at again: long enough for a cache to notice.
pub const PAUSES: [Duration; TIMES] = [
    Duration::from_millis(10),
    Duration::from_millis(40),
    Duration::from_millis(120),
];

/// So often is a request sent in a row, and a question asked whose answer may move.
pub const TIMES: usize = 3;

/// So often is a request sent whose answer is wrong now and then.
pub const TIMES_OF_NOW_AND_THEN: usize = 120;

/// How long to wait each time until a record shows what was written.
pub const UNTIL_WRITTEN: [Duration; 5] = [
    Duration::from_millis(20),
    Duration::from_millis(100),
    Duration::from_millis(400),
    Duration::from_millis(800),
    Duration::from_millis(1_600),
];
