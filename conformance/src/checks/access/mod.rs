//! §5: who may ask. Reading is tried on every list; the writes are in [`super::writing`].

mod refusals;

use rollcall_oracle::http::credentials::{Credentials, Wrong};

use super::writing;
use super::{BASE, Check};
use crate::checks::scope::{ACCESS, WRITES};

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "A1",
        topics: &[ACCESS],
        clause: "§5",
        demands: &["bearer-token"],
        says: "A request without a token is refused.",
        needs: "a list that answers with the token",
        finds: "authentication that is switched off",
        advice: "Put authentication before routing, so that a path without a guard cannot exist. Answer 401 or 403.",
        run: |engine, result| refusals::refused(engine, result, &[Credentials::Nothing]),
        ..BASE
    },
    Check {
        id: "A2",
        topics: &[ACCESS],
        clause: "§5",
        demands: &["bearer-token"],
        says: "A request with a wrong token is refused.",
        needs: "a list that answers with the token",
        finds: "a server that accepts any token, or compares a part of the token",
        advice: "Compare a hash of the whole token with the stored one. A prefix, a length or another case is not the \
                 token.",
        run: |engine, result| refusals::refused(engine, result, &Wrong::ALL.map(Credentials::Wrong)),
        ..BASE
    },
    Check {
        id: "A4",
        topics: &[ACCESS, WRITES],
        clause: "§5",
        demands: &["bearer-token"],
        says: "A write without the token, or with an altered one, is refused and changes nothing.",
        needs: "reading is protected; the id of a record to write to, from a list or a relation",
        finds: "unprotected writes; a refused write that was carried out",
        advice: "Put the guard of reading before writing, too, and check the token before the body is read.",
        run: writing::unauthorized::refused,
        ..BASE
    },
    Check {
        id: "A5",
        topics: &[ACCESS],
        clause: "§5",
        demands: &["bearer-token"],
        says: "A refusal contains no records.",
        needs: "a record that the token shows, and a refusal without it",
        finds: "status 401 with the records all the same",
        advice: "Write the refusal in one place that ends the request. A framework may add the answer of the handler \
                 to it.",
        run: refusals::empty,
        ..BASE
    },
];
