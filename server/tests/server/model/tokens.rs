//! Tokens: one lets in while it is neither revoked nor expired and its owner may sign in (A1).

use proptest::prelude::*;
use proptest::sample::Index;
use rollcall::lists::WorkspaceTokens;
use rollcall_store::access::tokens::{NewToken, create, revoke};
use rollcall_store::grant::grant;
use serde_json::{Value, json};

use super::cases;
use super::change::{Change, changes, picked};
use super::compare::{Verdict, all, row, same};
use super::data::directory;
use super::home::{Way, at};
use super::policy::shown_state;
use super::row::{Directory, Row, get, is_live, text, timestamp};
use super::values::DAY;
use super::world::World;

/// The secrets given out, with the ids of their tokens.
type Given = Vec<(String, String)>;

fn give(world: &mut World, owner: &Index, days: i64, restores: bool, given: &mut Given) -> Verdict {
    let Some(owner) = picked(&world.directory, "workspace_users", owner) else {
        return Ok(());
    };
    let expires_at = at(world.now + days * DAY);
    let before = world.actor();
    let secret = world.home.write(before.clone(), move |unit| {
        let scopes = ["directory:read", "workspace:write"].map(str::to_owned);
        let scopes = &scopes[..if restores { 2 } else { 1 }];
        create(
            unit,
            &NewToken {
                name: "a",
                owner: &owner,
                scopes,
                expires_at,
                secret: None,
            },
        )
    });
    let secret = secret.map_err(|why| why.to_string())?;
    let shown = all::<WorkspaceTokens>(&world.home)?;
    let members = [
        "id",
        "workspace_user_id",
        "name",
        "state",
        "created_at",
        "updated_at",
        "expires_at",
    ];
    let rows = shown.iter().map(|record| row(record, members));
    let new = rows.filter(|row| world.directory.row("workspace_items", text(row, "id")).is_none());
    let mut new: Vec<Row> = new.collect();
    same("new tokens", &new.len(), &1)?;
    let mut token = new.remove(0);
    // A token has an end from the beginning; whether that has passed is for the clock to say.
    token.extend([
        ("kind", json!("token")),
        ("is_attached", json!(true)),
        ("state", json!("expiring")),
    ]);
    let id = text(&token, "id").to_owned();
    if restores {
        world.restoring.push(id.clone());
    }
    given.push((secret, id.clone()));
    world
        .directory
        .tables
        .entry("workspace_items")
        .or_default()
        .push(token);
    let owner = get(
        world.directory.row("workspace_items", &id).unwrap(),
        "workspace_user_id",
    );
    let entry = [
        json!("created"),
        json!(id),
        json!(before),
        owner.clone(),
        Value::Null,
    ];
    world.agree(&[entry])
}

fn take(world: &mut World, which: &Index, given: &Given) -> Verdict {
    if given.is_empty() {
        return Ok(());
    }
    let (_, id) = which.get(given).clone();
    let row = world
        .directory
        .row("workspace_items", &id)
        .cloned()
        .unwrap_or_default();
    let (actor, revoked) = (world.actor(), id.clone());
    let done = world
        .home
        .write(actor.clone(), move |unit| revoke(unit, &revoked));
    same("whether a token could be revoked", &done.is_ok(), &is_live(&row))?;
    if !is_live(&row) {
        return world.agree(&[]);
    }
    let members = [
        ("state", json!("deactivated")),
        ("deleted_at", json!(world.now)),
        ("updated_at", json!(world.now)),
    ];
    world.directory.set("workspace_items", &id, members);
    let owner = get(&row, "workspace_user_id").clone();
    world.agree(&[[json!("deleted"), json!(id), json!(actor), owner, Value::Null]])
}

fn lets_in(world: &World, given: &Given) -> Verdict {
    let now = world.now;
    for (secret, id) in given {
        let (asked, at) = (secret.clone(), at(now));
        let found = world
            .home
            .write(None, move |unit| grant(unit.connection(), &asked, at));
        let found = found
            .map_err(|why| why.to_string())?
            .map_or(Value::Null, |grant| json!([grant.token, grant.owner]));
        let token = world
            .directory
            .row("workspace_items", id)
            .cloned()
            .unwrap_or_default();
        let owner = world
            .directory
            .row("workspace_users", text(&token, "workspace_user_id"));
        let may = |owner: &&Row| is_live(owner) && matches!(shown_state(owner, now), "active" | "expiring");
        let in_use = is_live(&token) && timestamp(&token, "expires_at").is_some_and(|end| end > now);
        let owner = owner.filter(may).filter(|_| in_use);
        same(
            &format!("whom {id} lets in"),
            &found,
            &owner.map_or(Value::Null, |owner| json!([id, get(owner, "id")])),
        )?;
    }
    Ok(())
}

fn used(
    directory: &Directory,
    owners: &[(Index, i64, bool)],
    changes: &[Change],
    revoked: &Index,
) -> Verdict {
    let mut world = World::of(directory, Way::Load)?;
    let mut given = Given::new();
    owners
        .iter()
        .try_for_each(|(owner, days, restores)| give(&mut world, owner, *days, *restores, &mut given))?;
    for change in changes {
        world.step(change)?;
        lets_in(&world, &given)?;
    }
    take(&mut world, revoked, &given)?;
    take(&mut world, revoked, &given)?;
    lets_in(&world, &given)
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn a_token_lets_in_while_it_is_in_use_and_its_owner_may_sign_in(
        directory in directory(),
        owners in prop::collection::vec((any::<Index>(), 0_i64..4, any::<bool>()), 1..4),
        changes in changes(),
        revoked in any::<Index>(),
    ) {
        used(&directory, &owners, &changes, &revoked).map_err(TestCaseError::fail)?;
    }
}
