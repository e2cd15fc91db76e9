//! What the lists show at one moment, so that it can be compared with another.

use std::collections::BTreeMap;

use rollcall_oracle::http::target::TargetError;
use serde_json::Value;

use crate::engine::Engine;

/// What the records of one list show, by their identifiers.
pub(super) type ShownById = BTreeMap<String, Value>;

/// What lists show, by their places in the corpus.
pub(crate) type Lists = BTreeMap<usize, ShownById>;

/// What every list showed before the writes.
#[derive(Debug, Default)]
pub(crate) struct Before {
    pub(super) lists: Lists,
    /// Whether something changed while the run only read.
    pub(super) moves: bool,
}

/// Reads every list once more before anything is written.
pub(super) async fn before(engine: &mut Engine) -> Result<Before, TargetError> {
    let mut before = Before::default();
    for list in engine.readable() {
        let at_first = shown_by_id(engine, list);
        renew(engine, list).await?;
        let now = shown_by_id(engine, list);
        before.moves |= at_first != now;
        before.lists.insert(list, now);
    }
    Ok(before)
}

/// Reads every list as it is now, but for those that are too long to be read whole.
pub(super) async fn look(engine: &mut Engine) -> Result<Lists, TargetError> {
    let mut lists = Lists::new();
    for list in engine.readable() {
        if !engine.list(list).paging.is_long {
            renew(engine, list).await?;
            lists.insert(list, shown_by_id(engine, list));
        }
    }
    Ok(lists)
}

/// Reads a list once more.
pub(super) async fn renew(engine: &mut Engine, list: usize) -> Result<(), TargetError> {
    match engine.list(list).widest_projection() {
        Some(projection) => engine.corpus.lists[list].renew(&engine.target, &projection).await,
        None => Ok(()),
    }
}

/// What a list showed when it was last read.
pub(super) fn shown_by_id(engine: &Engine, list: usize) -> ShownById {
    let snapshot = engine.list(list).widest_snapshot();
    let records = snapshot.into_iter().flat_map(|snapshot| snapshot.records());
    let shown = records.map(|(id, record)| (id.to_owned(), Value::clone(record)));
    shown.collect()
}
