//! A database with a small demo directory and two tokens: one may do everything, the other may only read.

use std::path::Path;

use rollcall::{Timestamp, operations};
use rollcall_demo::{Demo, fill};
use rollcall_store::access::owners::{self, Inactive};
use rollcall_store::access::tokens;
use rollcall_store::change::unit::Unit;
use rollcall_store::dialect::Connection;
use rollcall_store::ids::Ids;
use rollcall_store::{WriteContext, migrate};

/// The token of the demo's operator, who may do everything.
pub(crate) const OPERATOR: &str = "rollcall_test-operator-of-hostile-tests";
/// A token that may read everything and change nothing.
pub(crate) const READER: &str = "rollcall_test-reader-of-hostile-tests";

/// How many directory users there are: enough for several pages and for an answer that fills small socket buffers.
const USERS: u64 = 60;

/// Makes the database in a file that does not exist yet.
pub(crate) fn create(file: &Path, now: Timestamp) {
    let connection = Connection::writer(&file.into()).unwrap();
    migrate(&connection).unwrap();
    let demo = Demo {
        users: USERS,
        seed: 7,
        now,
    };
    fill(&connection, &demo, Some(OPERATOR), |_| ()).unwrap();
    let context = WriteContext {
        token: None,
        now,
        actor: None,
        base: "",
    };
    let mut scopes: Vec<_> = operations::ALL
        .iter()
        .map(|operation| operation.scope.to_owned())
        .filter(|scope| !scope.ends_with(":write"))
        .collect();
    scopes.sort();
    scopes.dedup();
    Unit::run(&connection, &mut Ids::seeded(8), context, |unit| {
        let owner = owners::owner(unit, "reader@example.net", Inactive::Refuse)?;
        let token = tokens::NewToken {
            name: "reader",
            owner: &owner,
            scopes: &scopes,
            expires_at: now.plus_seconds(86_400).unwrap(),
            secret: Some(READER),
        };
        tokens::create(unit, &token)
    })
    .unwrap();
}
