//! What generated requests are made of: the operations of the contract, and identifiers and cursors of the server.

use rand::RngExt as _;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rollcall_contract::{Operation, Position};

use super::Rights;
use crate::client::get;
use crate::demo::{OPERATOR, READER};
use crate::problem::contract;
use crate::server::Server;

/// What requests are made of.
pub(super) struct Pool {
    /// The token that most requests carry.
    pub(super) token: &'static str,
    /// Identifiers of records, by the path of their list.
    ids: Vec<(String, Vec<String>)>,
    /// Cursors that the server has handed out.
    cursors: Vec<String>,
}

impl Pool {
    /// Asks the server.
    pub(super) fn fetch(server: &Server, rights: Rights) -> Self {
        let mut client = server.connect();
        let (mut ids, mut cursors) = (Vec::new(), Vec::new());
        for operation in contract().operations.iter().filter(|one| one.list.is_some()) {
            let path = format!("/api/v1{}?page[size]=8&sort=-id", operation.path);
            let answer = client.ask(get(&path, OPERATOR));
            assert_eq!(answer.status, 200, "{path}");
            let records = answer.json();
            let of_list = records.as_array().unwrap().iter();
            let of_list = of_list.map(|record| record["id"].as_str().unwrap().to_owned());
            ids.push((operation.path.clone(), of_list.collect()));
            let link = answer.header("link").unwrap_or_default();
            let cursor = link
                .split("page=")
                .nth(1)
                .and_then(|rest| rest.split(['&', '>']).next());
            cursors.extend(cursor.map(str::to_owned));
        }
        assert!(!cursors.is_empty());
        Self {
            token: match rights {
                Rights::Read => READER,
                Rights::ReadAndWrite => OPERATOR,
            },
            ids,
            cursors,
        }
    }

    /// Any operation; half of the time one that changes something.
    pub(super) fn operation(&self, rng: &mut StdRng) -> &'static Operation {
        let is_change = rng.random_bool(0.5);
        let all = contract().operations.iter();
        let own: Vec<_> = all
            .filter(|one| (one.method == rollcall_contract::Method::Patch) == is_change)
            .collect();
        own.choose(rng).unwrap()
    }

    /// The path of an operation below the address of the server, mostly with the identifier of a record.
    pub(super) fn path(&self, rng: &mut StdRng, operation: &Operation) -> String {
        let Some((before, rest)) = operation.path.split_once("/{") else {
            return format!("/api/v1{}", operation.path);
        };
        let behind = rest.split_once('}').unwrap().1;
        let own = self.ids.iter().find(|(list, _)| list == before);
        let id = match own {
            Some((_, ids)) if rng.random_bool(0.8) => ids.choose(rng).cloned(),
            _ => None,
        };
        let id = id.unwrap_or_else(|| self.any_id(rng));
        format!("/api/v1{before}/{id}{behind}")
    }

    /// Any identifier, also one that does not exist.
    pub(super) fn any_id(&self, rng: &mut StdRng) -> String {
        let (_, ids) = self.ids.choose(rng).unwrap();
        match ids.choose(rng) {
            Some(id) if rng.random_bool(0.7) => id.clone(),
            Some(id) => id.replace(|letter: char| letter.is_ascii_digit(), "z"),
            None => "drusr_".to_owned(),
        }
    }

    pub(super) fn cursor(&self, rng: &mut StdRng) -> &str {
        self.cursors.choose(rng).unwrap()
    }

    /// The name of a query parameter: of this operation mostly, else of any.
    pub(super) fn parameter(&self, rng: &mut StdRng, operation: &Operation) -> String {
        let other = contract().operations.choose(rng).unwrap();
        let operation = if rng.random_bool(0.9) { operation } else { other };
        let names: Vec<_> = operation.parameters_in(Position::Query).collect();
        names
            .choose(rng)
            .map_or("page".to_owned(), |parameter| parameter.name.clone())
    }
}
