//! One address, behind which one database takes the place of another, as a balancer does it when a server fails. Nothing that was
//! remembered of the one is believed of the other.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use reqwest::Method;
use rollcall_store::dialect::Connection;
use rollcall_store::sql::Sql;

use crate::database::{TestDatabase, is_server};
use crate::harness::{READER, Running, made_at, now};

/// A balancer: it leads all connections to one database of a server.
struct Balancer {
    port: u16,
    leads: Arc<Mutex<Leads>>,
}

struct Leads {
    /// The name of the database, as long as the one in the address.
    name: String,
    open: Vec<TcpStream>,
}

impl Balancer {
    /// Leads connections for a database to itself, for now.
    fn to(database: &TestDatabase) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let address = database.address();
        let (server, asked) = address.rsplit_once('/').unwrap();
        let (server, asked) = (server.rsplit_once('@').unwrap().1.to_owned(), asked.to_owned());
        let leads = Arc::new(Mutex::new(Leads {
            name: asked.clone(),
            open: Vec::new(),
        }));
        let shared = Arc::clone(&leads);
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let mut leads = shared.lock().unwrap();
                if let Some(pair) = lead(client, &server, &asked, &leads.name) {
                    leads.open.extend(pair);
                }
            }
        });
        Self { port, leads }
    }

    /// Ends all connections, and leads new ones to this database.
    fn turn_to(&self, database: &TestDatabase) {
        let address = database.address();
        let mut leads = self.leads.lock().unwrap();
        leads.name = address.rsplit_once('/').unwrap().1.to_owned();
        for stream in leads.open.drain(..) {
            // The other side may have ended it.
            _ = stream.shutdown(Shutdown::Both);
        }
    }

    fn address(&self, database: &TestDatabase) -> String {
        let address = database.address();
        let (user, place) = address.rsplit_once('@').unwrap();
        let (_, name) = place.rsplit_once('/').unwrap();
        format!("{user}@127.0.0.1:{}/{name}?sslmode=disable", self.port)
    }
}

/// Carries what both sides send. The first message names the database; where it does not, it is a request to cancel.
fn lead(mut client: TcpStream, server: &str, asked: &str, name: &str) -> Option<[TcpStream; 2]> {
    assert_eq!(asked.len(), name.len(), "names of the same length");
    let mut length = [0; 4];
    client.read_exact(&mut length).ok()?;
    let mut first = vec![0; usize::try_from(u32::from_be_bytes(length)).ok()?.checked_sub(4)?];
    client.read_exact(&mut first).ok()?;
    if let Some(place) = first
        .windows(asked.len())
        .position(|part| part == asked.as_bytes())
    {
        first[place..place + name.len()].copy_from_slice(name.as_bytes());
    }
    let mut server = TcpStream::connect(server).ok()?;
    server.write_all(&length).ok()?;
    server.write_all(&first).ok()?;
    for (from, to) in [(&client, &server), (&server, &client)] {
        let (mut from, mut to) = (from.try_clone().ok()?, to.try_clone().ok()?);
        thread::spawn(move || {
            // A connection that ends, for whatever reason, ends for both.
            _ = std::io::copy(&mut from, &mut to);
            _ = to.shutdown(Shutdown::Both);
        });
    }
    Some([client, server])
}

fn without_tokens(database: &TestDatabase) {
    thread::scope(|scope| {
        scope.spawn(|| {
            let connection = Connection::writer(database.database()).unwrap();
            let sql = "UPDATE workspace_items SET deleted_at = 1 WHERE kind = 'token' AND name = 'reader'";
            assert_eq!(connection.execute(&Sql::new(sql)).unwrap(), 1);
        });
    });
}

#[tokio::test]
async fn what_was_remembered_of_one_server_is_not_believed_of_the_next() {
    if !is_server() {
        eprintln!("not for a file: no other one takes its place");
        return;
    }
    let (first, second) = (made_at(now()), made_at(now()));
    without_tokens(&second);
    let balancer = Balancer::to(&first);
    let address = balancer.address(&first);
    let server = Running::on_database(first.at(&address)).await;
    let ask = async || {
        let request = server.bare(Method::GET, "/directory/users").bearer_auth(READER);
        server.send(request).await.status.as_u16()
    };
    // No transaction that changes anything comes in between: both databases show the same numbers of transactions.
    for _ in 0..3 {
        for (wanted, next) in [(200, &second), (401, server.database())] {
            for _ in 0..20 {
                assert_eq!(ask().await, wanted);
            }
            balancer.turn_to(next);
        }
    }
}
