//! Identifiers: `runtime/src/id.rs`, for every kind.

use std::sync::LazyLock;

use jsonschema::Validator;
use rollcall::IdKind;
use rollcall::model::*;
use rollcall_contract::{Contract, Form};
use rollcall_fuzz::target;

target!(property);

static CONTRACT: LazyLock<Contract> = LazyLock::new(|| Contract::parse(rollcall::CONTRACT).unwrap());

fn property(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    macro_rules! for_every_kind {
        ($($id:ident),*) => {
            $({
                static SCHEMA: LazyLock<Validator> = LazyLock::new(|| {
                    let schema = CONTRACT.document().json_schema(stringify!($id), Form::Strict).unwrap();
                    jsonschema::validator_for(&schema).unwrap()
                });
                check(&text, text.parse::<$id>().map(|id| (id.to_string(), prefixes(&id))).ok(), &SCHEMA);
            })*
        };
    }
    for_every_kind!(
        DirectoryUserId,
        WorkspaceUserId,
        DirectoryAttributeId,
        WorkspaceIntegrationId,
        DirectoryDimensionId,
        DirectoryIdentityId,
        PolicyRulesetId,
        PolicyRuleId,
        PolicyConditionId,
        PolicyUserId,
        WorkspaceLogId,
        WorkspaceItemId
    );
}

fn prefixes<K: IdKind>(_: &rollcall::Id<K>) -> &'static [&'static str] {
    K::PREFIXES
}

/// An identifier is accepted where its schema accepts it, begins with a prefix of its kind, and is printed as it was.
fn check(text: &str, parsed: Option<(String, &[&str])>, schema: &Validator) {
    assert_eq!(parsed.is_some(), schema.is_valid(&text.into()), "{text}");
    if let Some((printed, prefixes)) = parsed {
        assert_eq!(printed, text);
        assert!(prefixes.iter().any(|prefix| text.starts_with(prefix)));
    }
}
