//! The query of a list: `runtime/src/list/parse.rs`, for every list of the contract.

use rollcall::list::{Condition, Form, List, ListQuery, Selector, SortKey, Trashed, Value, pairs};
use rollcall_fuzz::target;

target!(property);

/// The most faults of one answer.
const MAX_FAULTS: usize = 20;

/// What a query asks for, comparable.
#[derive(Debug, PartialEq)]
struct Parts<F, R> {
    conditions: Vec<(&'static str, Value)>,
    trashed: Trashed,
    sort: Vec<SortKey<F>>,
    include: Vec<(R, Form)>,
    page: Selector,
    size: u16,
    total: bool,
}

fn property(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    macro_rules! for_every_list {
        ($($list:ident),*) => {
            $(check::<rollcall::lists::$list>(&text);)*
        };
    }
    for_every_list!(
        DirectoryUsers,
        DirectoryAttributes,
        DirectoryDimensions,
        DirectoryIdentities,
        WorkspaceUsers,
        WorkspaceDevices,
        WorkspaceRoles,
        WorkspaceServices,
        WorkspaceTokens,
        WorkspaceIntegrations,
        WorkspaceLogs,
        PolicyRulesets,
        PolicyRules,
        PolicyConditions,
        PolicyUsers
    );
}

/// A query that is accepted is printed and parsed again without a change. A refusal names a parameter of the query.
fn check<L: List>(text: &str) {
    match ListQuery::<L>::parse(text) {
        Ok(query) => {
            let printed = query.print();
            let again = ListQuery::<L>::parse(&printed).unwrap();
            assert_eq!(parts(&again), parts(&query), "{printed}");
            assert_eq!(again.print(), printed);
        }
        Err(faults) => {
            assert!((1..=MAX_FAULTS).contains(&faults.len()));
            let sent = pairs(text);
            for fault in faults {
                let parameter = fault.parameter.unwrap();
                match &sent {
                    Ok(sent) => assert!(sent.iter().any(|(name, _)| *name == parameter)),
                    // A name that cannot be decoded is shown as it came.
                    Err(_) => assert!(text.contains(&parameter) || text.contains(['%', '+'])),
                }
                assert_eq!(fault.pointer, None);
                assert!((1..1_000).contains(&fault.detail.len()), "{}", fault.detail);
            }
        }
    }
}

fn parts<L: List>(query: &ListQuery<L>) -> Parts<L::Field, L::Relation> {
    let conditions = query.conditions.iter();
    Parts {
        conditions: conditions
            .map(|Condition { filter, value }| (filter.name, value.clone()))
            .collect(),
        trashed: query.trashed,
        sort: query.sort.clone(),
        include: query.include.clone(),
        page: query.page.clone(),
        size: query.size,
        total: query.total,
    }
}
