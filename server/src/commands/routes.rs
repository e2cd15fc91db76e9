//! `routes`: every path that the server answers at, as a table.

use std::fmt::Write as _;

use crate::routes;

/// The routes as a table: method, path, scope, and a few words.
pub fn table() -> String {
    let routes = routes::all();
    let width = routes
        .iter()
        .map(|route| route.path.len())
        .max()
        .unwrap_or_default();
    let mut table = String::new();
    for route in routes {
        let scope = route.scope.unwrap_or("no token");
        // Writing to a string does not fail.
        let _ = writeln!(
            table,
            "{:<5}  {:<width$}  {scope:<16}  {}",
            route.method, route.path, route.summary
        );
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
    }
}
