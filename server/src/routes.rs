//! Every path that the server answers at, in one place.

use std::sync::OnceLock;

use rollcall::model::ProblemCode;
use rollcall::operations;
use rollcall_pages::{Served, VERSION_PATH};

use crate::health;
use crate::problem::Problem;

/// A path that the server answers at.
#[derive(Clone, Debug)]
pub struct Route {
    /// The method; GET answers to HEAD too.
    pub method: &'static str,
    /// The path, with `{…}` for a part that is a value.
    pub path: String,
    /// The scope that a token needs; none where no token is needed.
    pub scope: Option<&'static str>,
    /// A few words.
    pub summary: &'static str,
    /// Its name in the log and in the metrics: the id of the operation, or the path.
    pub label: &'static str,
}

/// The routes: those of the contract first, in its order.
pub fn all() -> &'static [Route] {
    static ALL: OnceLock<Vec<Route>> = OnceLock::new();
    ALL.get_or_init(|| {
        let contract = operations::ALL.iter().map(|operation| Route {
            method: operation.method,
            path: [VERSION_PATH, operation.path].concat(),
            scope: Some(operation.scope),
            summary: operation.summary,
            label: operation.id,
        });
        let own = |path: String, summary, label| Route {
            method: "GET",
            path,
            scope: None,
            summary,
            label,
        };
        let documents = Served::ALL.into_iter().map(|served| {
            let path = [VERSION_PATH, served.path()].concat();
            own(path, served.summary(), served.path())
        });
        let others = rollcall_pages::PATHS.into_iter().chain(health::PATHS);
        let others = others.map(|(path, summary)| own(path.to_owned(), summary, path));
        contract.chain(documents).chain(others).collect()
    })
}

/// 404: no route has this path; the nearest is named.
pub fn nothing_at(path: &str) -> Problem {
    let detail = match nearest(path) {
        Some(near) => format!("There is nothing at {path}. Did you mean {near}?"),
        None if path.trim_end_matches('/') == VERSION_PATH => {
            format!("{VERSION_PATH} is the base address. The operations are below it; /docs describes them.")
        }
        None if path.len() > LONGEST => "There is nothing at this path.".to_owned(),
        None => format!("There is nothing at {path}."),
    };
    Problem::new(ProblemCode::NotFound, detail)
}

/// The path that a request for `path` may have meant, if nothing answers at `path`.
fn nearest(path: &str) -> Option<String> {
    if path.len() > LONGEST {
        return None;
    }
    let plain = path.trim_end_matches('/');
    let meant = [plain.to_owned(), [VERSION_PATH, plain].concat()];
    let scored = meant
        .iter()
        .flat_map(|meant| all().iter().filter_map(move |route| distance(meant, &route.path)));
    let (distance, near) = scored.min_by_key(|(distance, _)| *distance)?;
    (distance <= MOST_EDITS && near != path).then_some(near)
}

/// The longest path that is compared with others, and repeated in an answer.
const LONGEST: usize = 200;

/// The most letters that a path may differ in from the one that is meant.
const MOST_EDITS: usize = 3;

/// How many letters a path is away from a route, and the route with the values of the path in it.
fn distance(path: &str, route: &str) -> Option<(usize, String)> {
    let (segments, parts) = (path.split('/'), route.split('/'));
    if segments.clone().count() != parts.clone().count() {
        return None;
    }
    let mut distance = 0;
    let filled: Vec<_> = segments
        .zip(parts)
        .map(|(segment, part)| {
            if part.starts_with('{') {
                return segment;
            }
            distance += strsim::damerau_levenshtein(segment, part);
            part
        })
        .collect();
    Some((distance, filled.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_path_is_named() {
        for (sent, meant) in [
            ("/api/v1/directory/users/", "/api/v1/directory/users"),
            ("/directory/users", "/api/v1/directory/users"),
            ("/directory/users/", "/api/v1/directory/users"),
            ("/api/v1/directory/user", "/api/v1/directory/users"),
            (
                "/api/v1/directory/user/drusr_1",
                "/api/v1/directory/users/drusr_1",
            ),
            (
                "/api/v1/directory/atributes/dratr_1/deprecat",
                "/api/v1/directory/attributes/dratr_1/deprecate",
            ),
            ("/readz", "/readyz"),
            ("/docs/", "/docs"),
        ] {
            assert_eq!(nearest(sent).as_deref(), Some(meant), "{sent}");
        }
        let far = [
            "/favicon.ico",
            "/api/v1/directory/people",
            "/api/v1/directory/users/a/b/c",
            "/wp-admin/setup.php",
        ];
        for sent in far {
            assert_eq!(nearest(sent), None, "{sent}");
        }
        assert_eq!(nearest(&"/directory".repeat(10_000)), None);
    }

    #[test]
    fn no_path_is_near_itself() {
        for route in all() {
            assert_eq!(nearest(&route.path).filter(|near| *near == route.path), None);
        }
    }
}
