//! Tokens in the store: found while they are good, and by their secret alone.

use rollcall::Timestamp;
use rollcall_store::access::owners;
use rollcall_store::access::tokens::{self, NewToken};
use rollcall_store::change::unit::Unit;
use rollcall_store::grant;
use rollcall_store::{Error, WriteContext};

use super::Desk;

const DAY: i64 = 86_400;

impl Desk {
    fn write<T>(&mut self, work: impl FnOnce(&mut Unit<'_>) -> Result<T, Error>) -> Result<T, Error> {
        let context = WriteContext {
            token: None,
            now: self.now(),
            actor: None,
            base: "",
        };
        Unit::run(&self.connection, &mut self.ids, context, work)
    }

    fn token(&mut self, owner: &str, expires_at: Timestamp) -> String {
        let secret = self.write(|unit| {
            let owner = owners::owner(unit, owner, owners::Inactive::Refuse)?;
            let scopes = ["directory:read".to_owned()];
            tokens::create(
                unit,
                &NewToken {
                    name: "test",
                    owner: &owner,
                    scopes: &scopes,
                    expires_at,
                    secret: None,
                },
            )
        });
        secret.unwrap()
    }
}

#[test]
fn a_token_is_found_until_it_expires_or_is_revoked() {
    let mut desk = Desk::new();
    let ends = desk.now().plus_seconds(DAY).unwrap();
    let (one, other) = (
        desk.token("ann@test.invalid", ends),
        desk.token("ann@test.invalid", ends),
    );
    assert_ne!(one, other);
    let grant = grant::grant(&desk.connection, &one, desk.now()).unwrap().unwrap();
    assert_eq!(grant.scopes, ["directory:read"]);
    let listed = tokens::all(&desk.connection, desk.now()).unwrap();
    assert_eq!(listed.len(), 2);
    assert_eq!(
        (listed[0].owner.as_str(), listed[0].item.id.as_str()),
        ("ann@test.invalid", grant.token.as_str())
    );
    desk.write(|unit| tokens::revoke(unit, &grant.token)).unwrap();
    assert_eq!(grant::grant(&desk.connection, &one, desk.now()).unwrap(), None);
    assert!(matches!(
        desk.write(|unit| tokens::revoke(unit, &grant.token)),
        Err(Error::NotFound)
    ));
    assert!(
        grant::grant(&desk.connection, &other, desk.now())
            .unwrap()
            .is_some()
    );
    desk.pass(DAY);
    assert_eq!(grant::grant(&desk.connection, &other, desk.now()).unwrap(), None);
    desk.assert_counts_right();
}

#[test]
fn nothing_but_the_secret_finds_a_token_and_the_store_does_not_have_it() {
    let mut desk = Desk::new();
    let ends = desk.now().plus_seconds(DAY).unwrap();
    let secret = desk.token("ann@test.invalid", ends);
    let hash = desk.cell("SELECT hash FROM token_secrets");
    let id = desk.cell("SELECT id FROM token_secrets");
    for wrong in [
        "",
        "rollcall_",
        &hash,
        &id,
        &secret[..secret.len() - 1],
        &format!("{secret} "),
        &secret.to_uppercase(),
    ] {
        assert_eq!(
            grant::grant(&desk.connection, wrong, desk.now()).unwrap(),
            None,
            "{wrong}"
        );
    }
    assert!(!desk.dump().iter().any(|row| row.contains(&secret)));
}

#[test]
fn a_token_is_of_no_use_when_its_owner_may_not_sign_in() {
    let mut desk = Desk::new();
    let ends = desk.now().plus_seconds(DAY).unwrap();
    let secret = desk.token("ann@test.invalid", ends);
    for state in ["staged", "expired", "deactivated"] {
        let mut sql = rollcall_store::sql::Sql::new("UPDATE workspace_users SET state = ");
        desk.connection.execute(sql.bind(state)).unwrap();
        assert_eq!(
            grant::grant(&desk.connection, &secret, desk.now()).unwrap(),
            None,
            "{state}"
        );
    }
}

#[test]
fn an_owner_is_found_by_email_or_id_and_made_by_email_alone() {
    let mut desk = Desk::new();
    let id = desk
        .write(|unit| owners::owner(unit, "ann@test.invalid", owners::Inactive::Refuse))
        .unwrap();
    assert_eq!(
        desk.write(|unit| owners::owner(unit, &id, owners::Inactive::Refuse))
            .unwrap(),
        id
    );
    assert_eq!(
        desk.write(|unit| owners::owner(unit, "ann@test.invalid", owners::Inactive::Refuse))
            .unwrap(),
        id
    );
    assert!(matches!(
        desk.write(|unit| owners::owner(unit, "wsusr_nobody", owners::Inactive::Refuse)),
        Err(Error::NotFound)
    ));
    assert_eq!(desk.cell("SELECT count(*) FROM workspace_users"), "1");
}
