//! What the runner shows, from reports that are made by hand: no server is needed.

mod browser;
mod causes;
mod comparison;
mod console;
mod formats;
mod gaps;
mod journal;
mod made;
mod progress;
mod schema;
