//! Databases for tests: files, or databases of the PostgreSQL server that ROLLCALL_TEST_DATABASE names (a user of it that may
//! create databases, for example postgres://rollcall@127.0.0.1:5433/postgres). Each is gone with its test.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::ffi::OsString;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use postgres::{Client, NoTls};
use rollcall_store::dialect::{Connection, Database};
use rollcall_store::migrate;
use tempfile::TempDir;

/// A database of one test.
pub(crate) struct TestDatabase {
    database: Database,
    place: Place,
}

enum Place {
    /// The file is in this folder, which goes with it.
    Folder(#[expect(dead_code, reason = "kept until the test ends")] TempDir),
    /// It is this one of the server.
    Server { admin: String, name: String },
}

/// The server that tests use, if they are to use one.
fn server() -> Option<String> {
    std::env::var("ROLLCALL_TEST_DATABASE")
        .ok()
        .filter(|address| !address.is_empty())
}

/// Whether a test that is about files has nothing to do, because the tests use a server; then says so.
pub(crate) fn is_about_files() -> bool {
    if is_server() {
        eprintln!("not for a server: this test is about files");
    }
    is_server()
}

/// Whether the tests use a server.
pub(crate) fn is_server() -> bool {
    server().is_some()
}

/// A number of this process that no other call gives.
fn number() -> u32 {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    NUMBER.fetch_add(1, Ordering::Relaxed)
}

impl TestDatabase {
    /// A database with nothing in it.
    pub(crate) fn empty() -> Self {
        apart(|| match server() {
            None => Self::file(),
            Some(admin) => {
                let mut client = connect(&admin);
                Self::create(&mut client, &admin, "")
            }
        })
    }

    /// A file with nothing in it, for a test about files.
    pub(crate) fn file() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self {
            database: Database::File(folder.path().join("rollcall.db")),
            place: Place::Folder(folder),
        }
    }

    /// A database with the schema and no records.
    pub(crate) fn migrated() -> Self {
        Self::made("migrated", |database| {
            migrate(&Connection::writer(database).unwrap()).unwrap();
        })
    }

    /// A copy of the database that `make` fills when the first copy is wanted.
    pub(crate) fn made(name: &str, make: impl FnOnce(&Database) + Send) -> Self {
        apart(|| match server() {
            None => copy_of_file(name, make),
            Some(admin) => copy_of_template(&admin, name, make),
        })
    }

    /// The same as a file, for a test about files.
    pub(crate) fn made_file(name: &str, make: impl FnOnce(&Database) + Send) -> Self {
        copy_of_file(name, make)
    }

    /// Where it is.
    pub(crate) fn database(&self) -> &Database {
        &self.database
    }

    /// The address of this database, of a server.
    pub(crate) fn address(&self) -> String {
        let Place::Server { admin, name } = &self.place else {
            panic!("a file has no address");
        };
        address(admin, name)
    }

    /// The same database asked at another address.
    pub(crate) fn at(mut self, address: &str) -> Self {
        self.database = address.parse().unwrap();
        self
    }

    /// The same database asked as a user who may do only what is granted. The password is `right`.
    pub(crate) fn for_user(self, user: &str) -> Self {
        // Another test may have made the user, or be making it.
        self.administer(&format!(
            "DO $$ BEGIN CREATE ROLE {user} LOGIN PASSWORD 'right';
             EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$"
        ));
        let address = self.address();
        let (_, place) = address.split_once('@').unwrap();
        self.at(&format!("postgres://{user}:right@{place}"))
    }

    /// Runs a statement in this database and keeps what it has locked until the guard is dropped.
    pub(crate) fn hold(&self, statement: &str) -> Held {
        let (address, statement) = (self.address(), statement.to_owned());
        let (begun, wait) = channel();
        let (release, released) = channel::<()>();
        let thread = thread::spawn(move || {
            let mut client = connect(&address);
            client.batch_execute(&format!("BEGIN; {statement}")).unwrap();
            begun.send(()).unwrap();
            // It ends when the guard is dropped.
            _ = released.recv();
        });
        wait.recv().unwrap();
        Held(Some((release, thread)))
    }

    /// What a query says in this database: the first cell of its first row, a number.
    pub(crate) fn number(&self, query: &str) -> i64 {
        apart(|| connect(&self.address()).query_one(query, &[]).unwrap().get(0))
    }

    /// Where the file is.
    pub(crate) fn path(&self) -> &Path {
        match &self.database {
            Database::File(path) => path,
            Database::Postgres(server) => panic!("{server} is no file"),
        }
    }

    /// What names it on a command line.
    pub(crate) fn argument(&self) -> OsString {
        match &self.database {
            Database::File(path) => path.clone().into(),
            Database::Postgres(_) => self.address().into(),
        }
    }

    /// Runs a statement in this database, of a server.
    pub(crate) fn run(&self, statement: &str) {
        let Place::Server { admin, name } = &self.place else {
            panic!("a file is not asked from outside");
        };
        apart(|| connect(&address(admin, name)).batch_execute(statement).unwrap());
    }

    /// Runs a statement as the user who may create databases; `{name}` is the name of this database.
    pub(crate) fn administer(&self, statement: &str) {
        let Place::Server { admin, name } = &self.place else {
            panic!("a file has no administrator");
        };
        apart(|| {
            connect(admin)
                .batch_execute(&statement.replace("{name}", name))
                .unwrap()
        });
    }

    fn create(client: &mut Client, admin: &str, template: &str) -> Self {
        let name = format!("rollcall_test_{}_{}", std::process::id(), number());
        let template = match template {
            "" => String::new(),
            template => format!("TEMPLATE {template}"),
        };
        client
            .batch_execute(&format!("CREATE DATABASE {name} {template}"))
            .unwrap();
        Self {
            database: address(admin, &name).parse().unwrap(),
            place: Place::Server {
                admin: admin.to_owned(),
                name,
            },
        }
    }
}

/// What is kept locked.
pub(crate) struct Held(Option<(Sender<()>, JoinHandle<()>)>);

impl Drop for Held {
    fn drop(&mut self) {
        if let Some((release, thread)) = self.0.take() {
            drop(release);
            thread.join().unwrap();
        }
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        if let Place::Server { admin, name } = &self.place {
            apart(|| {
                let dropped = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
                connect(admin).batch_execute(&dropped).unwrap();
            });
        }
    }
}

/// Does what waits for a server on a thread that may wait.
fn apart<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| scope.spawn(work).join().unwrap())
}

fn connect(admin: &str) -> Client {
    Client::connect(admin, NoTls).unwrap()
}

/// The address of another database of the server.
fn address(admin: &str, name: &str) -> String {
    let (server, _) = admin.rsplit_once('/').unwrap();
    format!("{server}/{name}")
}

fn copy_of_file(name: &str, make: impl FnOnce(&Database)) -> TestDatabase {
    static TEMPLATES: Mutex<Option<HashMap<String, TempDir>>> = Mutex::new(None);
    let mut templates = TEMPLATES.lock().unwrap_or_else(PoisonError::into_inner);
    let templates = templates.get_or_insert_default();
    let folder = templates.entry(name.to_owned()).or_insert_with(|| {
        let folder = tempfile::tempdir().unwrap();
        make(&Database::File(folder.path().join("rollcall.db")));
        folder
    });
    let copy = TestDatabase::file();
    for file in ["rollcall.db", "rollcall.db-wal"] {
        let from = folder.path().join(file);
        if from.exists() {
            let to: PathBuf = copy.path().with_file_name(file);
            std::fs::copy(from, to).unwrap();
        }
    }
    copy
}

/// Other processes of the same tests use the same template.
fn copy_of_template(admin: &str, name: &str, make: impl FnOnce(&Database)) -> TestDatabase {
    let mut hasher = DefaultHasher::new();
    let program = std::env::current_exe().unwrap();
    (&program, program.metadata().unwrap().modified().unwrap(), name).hash(&mut hasher);
    let key = hasher.finish();
    let template = format!("rollcall_template_{key:016x}");
    let mut client = connect(admin);
    let lock = format!("SELECT pg_advisory_lock({})", key.cast_signed());
    client.batch_execute(&lock).unwrap();
    let known = "SELECT 1 FROM pg_database WHERE datname = $1";
    if client.query_opt(known, &[&template]).unwrap().is_none() {
        let partial = format!("{template}_partial");
        let drop = format!("DROP DATABASE IF EXISTS {partial} WITH (FORCE)");
        client.batch_execute(&drop).unwrap();
        client
            .batch_execute(&format!("CREATE DATABASE {partial}"))
            .unwrap();
        make(&address(admin, &partial).parse().unwrap());
        let rename = format!("ALTER DATABASE {partial} RENAME TO {template}");
        // The server notices a little later that the connections are gone.
        while client.batch_execute(&rename).is_err() {
            thread::sleep(Duration::from_millis(50));
        }
    }
    let copy = TestDatabase::create(&mut client, admin, &template);
    client.batch_execute("SELECT pg_advisory_unlock_all()").unwrap();
    copy
}
