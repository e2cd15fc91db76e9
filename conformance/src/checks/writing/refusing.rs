//! What has to be refused: unknown records, wrong bodies, requests without the right to write.
//!
//! Each of these requests differs in one thing alone from one that the same record grants.

use super::attempt::WriteIntent;
use super::sequence::Sequence;
use super::unknown_ids::{UnknownId, unknown_ids};
use super::write_target::path;
use crate::engine::Engine;
use crate::http::request::{Credentials, Request, Wrong};
use crate::http::target::TargetError;

/// So many unknown ids are tried once more after writes that were granted.
const ONCE_MORE: usize = 1;

/// What is no right to write: the token alone, and under the scheme Bearer, is one.
const NO_RIGHT: [Credentials; 4] = [
    Credentials::Nothing,
    Credentials::Scheme("Basic"),
    Credentials::Scheme("Token"),
    Credentials::Bare,
];

impl Sequence {
    /// Everything that has to be refused.
    pub(super) async fn refused(&mut self, engine: &mut Engine) -> Result<(), TargetError> {
        for unknown in unknown_ids(engine, &self.operation, &self.target.id) {
            self.unknown(engine, &unknown).await?;
        }
        self.wrong(engine).await?;
        self.malformed(engine).await?;
        let altered = Wrong::ALL.map(Credentials::Wrong);
        for credentials in NO_RIGHT.into_iter().chain(altered) {
            self.unauthorized(engine, credentials).await?;
        }
        self.look(engine).await
    }

    /// What has to be refused also after the record was written to.
    pub(super) async fn closed(&mut self, engine: &mut Engine) -> Result<(), TargetError> {
        let unknown = unknown_ids(engine, &self.operation, &self.target.id);
        for unknown in unknown.into_iter().take(ONCE_MORE) {
            self.unknown(engine, &unknown).await?;
        }
        // What was brought back may be refused for being so.
        if self.body.ends() {
            self.unauthorized(engine, Credentials::Nothing).await?;
        }
        self.look(engine).await
    }

    /// A write to a record that there is not.
    async fn unknown(&mut self, engine: &mut Engine, unknown: &UnknownId) -> Result<(), TargetError> {
        let body = self.body.minimal_body();
        let request = Request::patch(path(&self.operation, &unknown.id), body, Credentials::Token);
        self.refuse(engine, WriteIntent::UnknownId, unknown.what, request)
            .await
    }

    /// Values that members do not take.
    async fn wrong(&mut self, engine: &mut Engine) -> Result<(), TargetError> {
        for member in self.body.members.clone() {
            for (what, body) in member.wrong() {
                let request = Request::patch_text(path(&self.operation, &self.target.id), body);
                self.refuse(engine, WriteIntent::Wrong(member.takes), &what, request)
                    .await?;
            }
        }
        Ok(())
    }

    /// Bodies that are no JSON.
    async fn malformed(&mut self, engine: &mut Engine) -> Result<(), TargetError> {
        let mut text = self.body.minimal_body().to_string();
        text.pop();
        let mut broken = vec![("a body that breaks off", text)];
        if self.body.members.iter().any(|member| member.required) {
            broken.push(("an empty body", String::new()));
        }
        for (what, text) in broken {
            let request = Request::patch_text(path(&self.operation, &self.target.id), text);
            self.refuse(engine, WriteIntent::Malformed, what, request).await?;
        }
        Ok(())
    }

    /// A write that would be granted with the token.
    async fn unauthorized(
        &mut self,
        engine: &mut Engine,
        credentials: Credentials,
    ) -> Result<(), TargetError> {
        let body = self.body.minimal_body();
        let request = Request::patch(path(&self.operation, &self.target.id), body, credentials);
        let intent = WriteIntent::Unauthorized(credentials);
        self.refuse(engine, intent, credentials.describe(), request).await
    }
}
