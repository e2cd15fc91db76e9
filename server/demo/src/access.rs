//! Workspace users: how people sign in, and what they hold.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rollcall::Timestamp;
use rollcall::model::{
    DirectoryUserState as State, LogAction, Provider, WorkspaceItem, WorkspaceUser, WorkspaceUserId,
};
use rollcall_store::Result;
use rollcall_store::change::fields::Fields;
use rollcall_store::change::log::LogEntry;
use rollcall_store::tables::kind;
use rollcall_store::tables::table::Stored;

use super::DAY;
use super::author::{Author, Life};
use super::person::Person;

const MODES: [&str; 2] = ["light", "dark"];
const COLORS: [&str; 4] = ["slate", "indigo", "teal", "rose"];
/// What people hold, with the prefix of its identifier.
const DEVICES: Kind = (
    "wsdev_",
    kind::DEVICE,
    &["Laptop", "Phone", "Tablet", "Security key"],
);
const ROLES: Kind = (
    "wsrol_",
    kind::ROLE,
    &["Member", "Auditor", "Editor", "Administrator"],
);
const SERVICES: Kind = (
    "wssvc_",
    kind::SERVICE,
    &["Mail", "Calendar", "Wiki", "Source control"],
);
const TOKENS: Kind = ("wstok_", kind::TOKEN, &["ci", "backup", "export"]);

type Kind = (&'static str, &'static str, &'static [&'static str]);

/// Writes how a person signs in; gives the workspace user's id if it can be restored with roles.
pub(super) fn write(
    author: &mut Author<'_, '_>,
    person: &Person,
    provider: Provider,
) -> Result<Option<String>> {
    let created_at = author.soon_after(person.life.created_at, 10);
    let state = match person.life.state {
        // A workspace user is never suspended (§3).
        State::Suspended => State::Deactivated,
        state => state,
    };
    let trashed = person.life.deleted_at.is_some() || person.number > 20 && author.rng.once_in(40);
    let life = author.life(state, created_at, trashed);
    let id = author.id::<WorkspaceUserId>(created_at);
    let handle = match author.rng.once_in(20) {
        true => format!("w{:06}", person.number),
        false => person.email.split('@').next().unwrap_or_default().to_owned(),
    };
    let seen = (state != State::Staged && !author.rng.once_in(6))
        .then(|| author.rng.between(created_at, life.updated_at));
    let authenticated = seen.map(|seen| author.rng.between(created_at, seen));
    let provider_id = (provider != Provider::NativeIdp).then(|| format!("{provider}|{:08x}", person.number));
    let fields = life
        .fields()
        .set("id", id.as_str())
        .set("directory_user_id", person.id.as_str())
        .set("provider", provider.to_string())
        .set("provider_id", provider_id)
        .text("name", &person.full_name)
        .text("handle", &handle)
        .text("email", &person.email)
        .set("ui_mode", author.rng.once_in(2).then(|| author.rng.pick(&MODES)))
        .set(
            "ui_color",
            author.rng.once_in(3).then(|| author.rng.pick(&COLORS)),
        )
        .set("last_authenticated_at", authenticated)
        .set("last_activity_at", seen);
    author.insert(WorkspaceUser::TABLE, &fields)?;
    write_held(author, person.number, &id, life)?;
    if person.number < 10 || author.rng.once_in(10) {
        write_log(author, person, &id, life)?;
    }
    let restorable = matches!(state, State::Expired) && !trashed;
    Ok(restorable.then_some(id))
}

fn write_held(author: &mut Author<'_, '_>, number: u64, user: &str, life: Life) -> Result<()> {
    let all = number < 10;
    // Deprecating detaches the roles and keeps them (O8).
    let attached = life.deleted_at.is_none() && matches!(life.state, State::Active | State::Staged);
    item(author, &ROLES, user, life, attached)?;
    if all || author.rng.once_in(4) {
        item(author, &ROLES, user, life, attached)?;
    }
    if all || author.rng.once_in(3) {
        item(author, &DEVICES, user, life, true)?;
    }
    if all || author.rng.once_in(4) {
        item(author, &SERVICES, user, life, true)?;
    }
    if all || author.rng.once_in(25) {
        let state = if author.rng.once_in(4) {
            State::Expired
        } else {
            State::Expiring
        };
        let ending = author.life(state, life.created_at, false);
        let id = item(author, &TOKENS, user, ending, true)?;
        // Of nothing anybody knows: this token opens nothing.
        let hash = URL_SAFE_NO_PAD.encode(author.unit.ids.secret());
        // One that could restore workspace users would count as a way in, and the operator could lock themselves out.
        let restores = rollcall::operations::RESTORE_WORKSPACE_USER.scope;
        let mut scopes = rollcall_store::access::tokens::scopes();
        scopes.retain(|scope| *scope != restores);
        let fields = Fields::new()
            .set("id", id)
            .set("hash", hash)
            .set("scopes", author.rng.pick(&scopes));
        author.insert("token_secrets", &fields)?;
    }
    Ok(())
}

/// Writes something a workspace user holds, in the state the user is in.
fn item(
    author: &mut Author<'_, '_>,
    (prefix, kind, names): &Kind,
    user: &str,
    life: Life,
    attached: bool,
) -> Result<String> {
    let id = author.unit.ids.with_prefix(prefix, life.created_at);
    let fields = life
        .fields()
        .set("id", id.as_str())
        .set("kind", *kind)
        .set("workspace_user_id", user)
        .text("name", author.rng.pick(names))
        .set("is_attached", attached);
    author.insert(WorkspaceItem::TABLE, &fields)?;
    Ok(id)
}

/// What happened to a workspace user, in every part a record can have in an entry.
fn write_log(author: &mut Author<'_, '_>, person: &Person, id: &str, life: Life) -> Result<()> {
    let operator = author.operator.clone();
    let made = LogEntry {
        action: LogAction::Created,
        record: id,
        parent: Some(&person.id),
        related: None,
        subject: Some(&person.id),
        message: "Workspace user was created.".to_owned(),
    };
    author.log(Some(&operator), life.created_at, &made)?;
    let signed_in = LogEntry {
        action: LogAction::Updated,
        record: &person.id,
        parent: Some(id),
        related: Some(id),
        subject: Some(id),
        message: "Directory user chose another theme.".to_owned(),
    };
    author.log(Some(id), life.updated_at, &signed_in)?;
    let restored_at: Option<Timestamp> =
        (life.state == State::Active && life.deleted_at.is_none()).then(|| {
            life.updated_at
                .plus_seconds(-DAY)
                .unwrap_or(life.updated_at)
                .max(life.created_at)
        });
    if let Some(at) = restored_at {
        let restored = LogEntry {
            action: LogAction::Restored,
            message: "Workspace user was restored.".to_owned(),
            ..made
        };
        author.log(Some(&operator), at, &restored)?;
    }
    Ok(())
}
