//! What has to be refused: unknown records, wrong bodies, requests without the right to write.
//!
//! Each of these requests differs in one thing alone from one that the same record grants. Invariant: an
//! identifier that some record may have is not taken for an unknown one: what could be the next one of a
//! sequence is left out unless every record of the list was read.

use jiff::Timestamp;
use rollcall_oracle::corpus::ListCorpus;
use rollcall_oracle::http::credentials::{Credentials, Wrong};
use rollcall_oracle::http::target::TargetError;

use super::attempt::{IdForm, Write, WriteIntent};
use super::sequence::Sequence;
use super::views;
use super::write_target::{list, prefix};
use crate::engine::Engine;

/// So many wrong values of a member are sent beside another member that is null: both ends of a range.
const BESIDE_NULL: usize = 2;

/// So many unknown ids are tried once more after writes that were granted.
const ONCE_MORE: usize = 1;

impl Sequence {
    /// Sends everything that has to be refused.
    pub(super) async fn refused(&mut self, engine: &mut Engine) -> Result<(), TargetError> {
        let mut writes = self.to_unknown_ids(engine);
        for member in &self.body.members {
            let mut wrong = member.near_misses(Timestamp::now());
            wrong.retain(|one| one.intent.is_to_be_refused());
            let others = self.body.members.iter().filter(|other| other.name != member.name);
            // Code that judges a member where the other one is absent need not judge it where that one is null.
            for other in others.filter(|other| other.nullable && !other.required) {
                let first = wrong.iter().take(BESIDE_NULL);
                let beside: Vec<_> = first.filter_map(|one| one.beside_null(&other.name)).collect();
                wrong.extend(beside);
            }
            writes.extend(
                wrong
                    .into_iter()
                    .map(|one| self.write(one.intent, one.what, one.body)),
            );
        }
        let mut broken = self.body.minimal_body().to_string();
        broken.pop();
        writes.push(self.write(WriteIntent::Malformed, "a body that breaks off", broken));
        if self.body.members.iter().any(|member| member.required) {
            writes.push(self.write(WriteIntent::Malformed, "an empty body", ""));
        }
        let altered = Wrong::ALL.map(Credentials::Wrong).into_iter();
        let without_right = altered.chain([Credentials::Nothing]);
        writes.extend(without_right.map(|credentials| self.unauthorized(credentials)));
        self.refuse_all(engine, writes).await
    }

    /// Sends what has to be refused also after the record was written to.
    pub(super) async fn closed(&mut self, engine: &mut Engine) -> Result<(), TargetError> {
        let mut writes = self.to_unknown_ids(engine);
        writes.truncate(ONCE_MORE);
        // What was brought back may be refused for being so.
        if self.body.ends() {
            writes.push(self.unauthorized(Credentials::Nothing));
        }
        // The server must not fill a missing member from an earlier body.
        let required = self.body.members.iter().filter(|member| member.required);
        let without = required.flat_map(|member| member.elsewhere().take(1));
        writes.extend(without.map(|one| self.write(one.intent, one.what + ", once more", one.body)));
        self.refuse_all(engine, writes).await
    }

    async fn refuse_all(&mut self, engine: &mut Engine, writes: Vec<Write>) -> Result<(), TargetError> {
        if engine.is_slow() {
            return self.refuse_side_by_side(engine, writes).await;
        }
        for write in writes {
            if self.deadline.is_over() {
                break;
            }
            self.refuse(engine, write).await?;
        }
        self.look(engine).await
    }

    /// A write that would be granted with the token.
    fn unauthorized(&self, credentials: Credentials) -> Write {
        Write {
            intent: WriteIntent::Unauthorized(credentials),
            what: credentials.describe().to_owned(),
            request: self.minimal_request(&self.target.id).showing(credentials),
        }
    }

    /// Writes to records that there are not: one with a made-up id, and some whose ids are near misses of a
    /// known one.
    fn to_unknown_ids(&self, engine: &Engine) -> Vec<Write> {
        let Some(parameter) = self.operation.path_parameters().next() else {
            return Vec::new();
        };
        let known = self.target.id.as_str();
        let prefix = prefix(&engine.contract, parameter);
        let word = engine.choice("unknown ids").word(16);
        let own = known.strip_prefix(prefix.as_str()).unwrap_or(known);
        let mut shorter = known.to_owned();
        let last = shorter.pop().unwrap_or_default();
        let mut near = vec![
            ("an unknown id", format!("{prefix}{word}")),
            ("an id that is cut by a character", shorter.clone()),
            ("an id with a character more", format!("{known}0")),
            ("an id with its prefix twice", format!("{prefix}{known}")),
            ("an id without its prefix", own.to_owned()),
            ("an id with a percent sign at its end", format!("{shorter}%")),
            ("an id with an underscore at its end", format!("{shorter}_")),
            ("an id with a quotation mark", format!("{known}'")),
        ];
        let list = list(engine, &self.operation);
        let snapshot = list.and_then(ListCorpus::widest_snapshot);
        let is_known = |id: &str| snapshot.is_some_and(|snapshot| snapshot.record(id).is_some());
        let mut formed = None;
        if list.is_some_and(ListCorpus::is_read_whole) {
            let others = ('0'..='9').filter(|other| *other != last);
            let mut others = others.map(|other| format!("{shorter}{other}"));
            formed = others.find(|id| !is_known(id));
            near.extend(formed.clone().map(|id| ("an id with another last character", id)));
        }
        let schema = self.operation.answer.schema.as_ref();
        let mut lists = engine.corpus.lists.iter();
        if let Some(other) = lists.find(|list| schema != Some(&list.spec.list.record)) {
            let their = engine.contract.id_prefix(&other.spec.list.record);
            let disguised = their.map(|their| format!("{their}{own}"));
            near.extend(disguised.map(|id| ("an id with the prefix of another kind", id)));
            let id = other.live().next().map(|(id, _)| id.to_owned());
            near.extend(id.map(|id| ("the id of a record of another kind", id)));
        }
        let mut lists = 0..engine.corpus.lists.len();
        let owner = lists.find_map(|list| Some(views::owner(engine, list, known)?.0.to_owned()));
        near.extend(owner.map(|id| ("the id of the record that includes it", id)));
        near.retain(|(_, id)| !id.is_empty() && id != known && !is_known(id));
        let writes = near.into_iter().map(|(what, id)| Write {
            intent: WriteIntent::UnknownId(match formed.as_ref() == Some(&id) {
                true => IdForm::Known,
                false => IdForm::Any,
            }),
            what: what.to_owned(),
            request: self.minimal_request(&id),
        });
        writes.collect()
    }
}
