//! Whether the short name of a person follows the email (F6).

use rollcall_contract::Pointer;
use rollcall_oracle::corpus::ListCorpus;
use rollcall_oracle::corpus::members::Members;
use serde_json::Value;

use crate::checks::CheckFuture;
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;

/// The members that are the part of the email before the @ unless set otherwise, §2.1, §2.2.
const HANDLES: [&str; 2] = ["username", "handle"];
const EMAIL: &str = "email";

pub(super) fn observed<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        for list in engine.readable() {
            let list_corpus = engine.list(list);
            let members = Members::of(&engine.contract, &list_corpus.spec.list.record);
            let has = |name: &str| members.has(&Pointer::of([name]));
            for handle in HANDLES.into_iter().filter(|handle| has(handle) && has(EMAIL)) {
                follows(list_corpus, handle, result);
            }
        }
        result.gap_if_unobserved("a record that shows its email and the short name made of it");
        Ok(())
    })
}

/// One record whose handle is that of its email is enough: of any other somebody may have set it.
fn follows(list: &ListCorpus, handle: &str, result: &mut CheckResult) {
    let records = list.live().map(|(_, record)| record);
    let mut pairs = records.filter_map(|record| told(record, handle)).peekable();
    if pairs.peek().is_some() {
        let choice = match pairs.any(|(own, expected)| own == expected) {
            true => "the part before the @, unless set otherwise",
            false => "something else in every record",
        };
        let question = format!("{handle} of {}, beside the email", list.spec.name());
        result.observe("F6", question, choice);
    }
}

/// What a record shows, and what its email would make of it; case is open.
fn told(record: &Value, handle: &str) -> Option<(String, String)> {
    let own = record.get(handle)?.as_str()?;
    let (local, _) = record.get(EMAIL)?.as_str()?.rsplit_once('@')?;
    Some((own.to_lowercase(), local.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_stands_before_the_last_at_sign_is_the_handle() {
        let record = json!({"username": "Zoe.ONeill", "email": "zoe.oneill@example.com"});
        let (own, expected) = told(&record, "username").unwrap();
        assert_eq!(own, expected);
        assert_eq!(told(&json!({"username": "zoe", "email": null}), "username"), None);
        assert_eq!(
            told(&json!({"username": "zoe", "email": "zoe"}), "username"),
            None
        );
    }
}
