//! `routes`: every path that the server answers at, in one place.

use std::fmt::Write as _;

use crate::app::VERSION_PATH;
use crate::health;

/// The routes as a table: method, path, scope, and a few words.
pub fn table() -> String {
    let contract = rollcall::operations::ALL.iter().map(|operation| {
        let path = [VERSION_PATH, operation.path].concat();
        (operation.method, path, operation.scope, operation.summary)
    });
    let contract_itself = [VERSION_PATH, "/openapi.yaml"].concat();
    let own = health::PATHS
        .iter()
        .map(|path| (*path).to_owned())
        .chain([contract_itself]);
    let rows: Vec<_> = contract
        .chain(own.map(|path| ("GET", path, "-", "Needs no token")))
        .collect();
    let width = rows
        .iter()
        .map(|(_, path, ..)| path.len())
        .max()
        .unwrap_or_default();
    let mut table = String::new();
    for (method, path, scope, summary) in rows {
        // Writing to a string does not fail.
        let _ = writeln!(table, "{method:<5}  {path:<width$}  {scope:<16}  {summary}");
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_of_the_contract_has_a_line() {
        let table = table();
        for operation in rollcall::operations::ALL {
            let line = table.lines().find(|line| {
                line.ends_with(&format!("  {}", operation.summary)) && line.contains(operation.path)
            });
            let line = line.unwrap_or_else(|| panic!("{} is not in\n{table}", operation.id));
            assert!(
                line.starts_with(operation.method) && line.contains(operation.scope),
                "{line}"
            );
        }
        assert!(health::PATHS.iter().all(|path| table.contains(path)));
    }
}
