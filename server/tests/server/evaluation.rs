//! Changes that concern many users: their policy is evaluated in steps, and ends up as if it were evaluated at once.

use rollcall::model::LogAction;
use rollcall_demo::{Demo, fill};
use rollcall_store::change::evaluation_queue;
use rollcall_store::change::fields::Fields;
use rollcall_store::change::log::LogEntry;
use rollcall_store::change::unit::Unit;
use rollcall_store::clock::Clock;
use rollcall_store::dialect::{Connection, Durability};
use rollcall_store::ids::Ids;
use rollcall_store::people::directory_sync;
use rollcall_store::sql::Sql;
use rollcall_store::tables::column::RowScope;
use rollcall_store::{Opening, Store, WriteContext, migrate};

use crate::database::TestDatabase;
use crate::recount::{assert_counts_right, column, dump};

/// A demo directory, the same each time, with the attribute that most users need for something.
fn demo() -> (TestDatabase, Connection, String) {
    let database = TestDatabase::made("demo of now", |database| {
        let connection = Connection::writer(database).unwrap();
        migrate(&connection).unwrap();
        let demo = Demo {
            users: 300,
            seed: 1,
            now: Clock::System.now(),
        };
        fill(&connection, &demo, None, |_| ()).unwrap();
    });
    let connection = Connection::writer(database.database()).unwrap();
    let most = "SELECT c.resource_id FROM policy_users u JOIN policy_conditions c ON c.rule_id = u.rule_id
         GROUP BY 1 ORDER BY count(*) DESC LIMIT 1";
    let attribute = column(&connection, most).swap_remove(0);
    (database, connection, attribute)
}

/// Deprecates an attribute; the policy of so many users is evaluated at once.
fn deprecate(connection: &Connection, attribute: &str, now: rollcall::Timestamp, most_evaluated: usize) {
    let context = WriteContext::of_nobody(now);
    connection
        .transaction(true, |connection| {
            Unit::run_within(connection, &mut Ids::seeded(3), context, most_evaluated, |unit| {
                let fields = Fields::new().set("state", "expired").set("expires_at", now);
                unit.update("directory_attributes", attribute, &fields)?;
                unit.mark_attribute_dirty(attribute)
            })
        })
        .unwrap();
}

fn pending(connection: &Connection) -> usize {
    column(connection, "SELECT rule_id FROM pending_evaluations").len()
}

/// Who is in which manifest, as lists show it.
fn in_manifest(connection: &Connection, now: rollcall::Timestamp) -> Vec<String> {
    let mut sql = Sql::new("SELECT p.directory_user_id || p.rule_id FROM policy_users p WHERE TRUE");
    RowScope::Manifest.push(&mut sql, "p", now);
    sql.push(" ORDER BY 1");
    connection.query(&sql, |cells| cells.string()).unwrap()
}

#[test]
fn users_who_are_evaluated_in_steps_are_as_if_evaluated_at_once() {
    let (_once, at_once, attribute) = demo();
    let (_steps, in_steps, _) = demo();
    let now = Clock::System.now();
    let before = dump(&at_once);
    deprecate(&at_once, &attribute, now, usize::MAX);
    assert_eq!(pending(&at_once), 0);
    deprecate(&in_steps, &attribute, now, 3);
    assert!(pending(&in_steps) > 0);
    assert_eq!(in_manifest(&at_once, now), in_manifest(&in_steps, now));
    let mut steps = 0;
    loop {
        let context = WriteContext::of_nobody(now);
        let step = Unit::run(&in_steps, &mut Ids::seeded(3), context, |unit| {
            evaluation_queue::step(unit, 7)
        });
        if !step.unwrap() {
            break;
        }
        steps += 1;
    }
    assert!(steps > 3, "{steps}");
    assert_counts_right(&in_steps, now);
    assert_eq!(dump(&at_once), dump(&in_steps));
    assert_ne!(before, dump(&at_once));
}

#[test]
fn a_server_goes_on_with_the_evaluations_that_the_last_one_left() {
    let (database, connection, attribute) = demo();
    deprecate(&connection, &attribute, Clock::System.now(), 3);
    assert!(pending(&connection) > 0);
    let store = Store::open(Opening {
        durability: Durability::Crash,
        ids: Ids::seeded(1),
        ..Opening::of(database.database(), "http://x/api/v1")
    })
    .unwrap();
    while pending(&connection) > 0 {
        std::thread::yield_now();
    }
    drop(store);
    assert_counts_right(&connection, Clock::System.now());
}

#[test]
fn ids_of_the_log_never_fall_although_the_clock_steps_back() {
    let (_database, connection, user) = demo();
    let last = || {
        column(
            &connection,
            "SELECT id FROM workspace_logs ORDER BY id DESC LIMIT 1",
        )
        .swap_remove(0)
    };
    let now = Clock::System.now();
    for back in [0, 1, 3_600, 86_400 * 400, 0] {
        // Another program each time, which knows nothing of the ids of the last one.
        let context = WriteContext::of_nobody(now.plus_seconds(-back).unwrap());
        let before = last();
        let mut made = Unit::run(&connection, &mut Ids::new(), context, |unit| {
            for _ in 0..3 {
                unit.log(&LogEntry {
                    action: LogAction::Updated,
                    record: &user,
                    parent: None,
                    related: None,
                    subject: None,
                    message: String::new(),
                })?;
            }
            Ok::<_, rollcall_store::Error>(column(
                unit.connection(),
                "SELECT id FROM workspace_logs ORDER BY id DESC LIMIT 3",
            ))
        })
        .unwrap();
        made.push(before);
        assert!(made.is_sorted_by(|later, earlier| later > earlier), "{made:?}");
    }
}

#[test]
fn people_who_are_removed_count_nowhere_and_come_back_as_they_were() {
    let (_database, connection, _) = demo();
    let now = Clock::System.now();
    let set_deleted = |users: &[String], is_deleted: bool| {
        let context = WriteContext::of_nobody(now);
        let set = Unit::run(&connection, &mut Ids::seeded(3), context, |unit| {
            users
                .iter()
                .try_for_each(|user| directory_sync::set_deleted(unit, user, is_deleted))
        });
        set.unwrap();
        assert_counts_right(&connection, now);
    };
    let live = "SELECT id FROM directory_users WHERE deleted_at IS NULL ORDER BY id";
    let identities = "SELECT id FROM directory_identities WHERE deleted_at IS NULL ORDER BY id";
    let before = [live, identities].map(|sql| column(&connection, sql));
    let manifest = in_manifest(&connection, now);
    let some: Vec<String> = before[0].iter().step_by(3).cloned().collect();
    set_deleted(&some, true);
    assert_eq!(column(&connection, live).len(), before[0].len() - some.len());
    let left = in_manifest(&connection, now);
    assert!(left.len() < manifest.len());
    assert!(
        !left
            .iter()
            .any(|row| some.iter().any(|user| row.starts_with(user)))
    );
    set_deleted(&some, false);
    assert_eq!([live, identities].map(|sql| column(&connection, sql)), before);
    assert_eq!(in_manifest(&connection, now), manifest);
}
