//! Everything can be read back through the lists, with every relation.

use rollcall::list::{Form, List, ListQuery};
use rollcall::lists;
use rollcall_store::query::list::{get, list};
use rollcall_store::tables::resource::Resource;
use rollcall_store::tables::table::{ReadContext, Stored as _};

use super::{Made, made};

const BASE: &str = "http://127.0.0.1:8080/api/v1";

impl Made {
    fn reading(&self, lapsed: bool) -> ReadContext<'static> {
        ReadContext {
            now: self.now,
            base: BASE,
            lapsed,
            overdue: true,
            memory: None,
        }
    }

    /// All records a query finds, page by page.
    fn all<R: Resource>(&self, query: &str, lapsed: bool) -> Vec<R::Record> {
        let mut all = Vec::new();
        for page in 1.. {
            let query = format!("{query}&page={page}&page%5Bsize%5D=97");
            let query = ListQuery::<R>::parse(&query).unwrap_or_else(|faults| panic!("{query}: {faults:?}"));
            let found = list(&self.connection, &self.reading(lapsed), &query)
                .unwrap()
                .records
                .read()
                .unwrap();
            if found.is_empty() {
                break;
            }
            all.extend(found);
        }
        all
    }

    fn read_all<R: Resource>(&self) {
        let mut query = "page%5Btotal%5D=true".to_owned();
        if <R as List>::FILTERS
            .iter()
            .any(|filter| filter.name == "filter[trashed]")
            || R::ROLES.iter().any(|(name, _)| *name == "filter[trashed]")
        {
            query += "&filter%5Btrashed%5D=with";
        }
        let plain = self.all::<R>(&query, false);
        let rows = self.number(&format!("SELECT count(*) FROM {}", R::Record::TABLE));
        assert!(
            !plain.is_empty() && plain.len() <= usize::try_from(rows).unwrap(),
            "{}",
            R::OPERATION
        );
        // What is kept and what is counted anew are the same.
        for (record, counted) in plain.iter().zip(self.all::<R>(&query, true)) {
            let (record, counted) = (
                serde_json::to_value(record).unwrap(),
                serde_json::to_value(counted).unwrap(),
            );
            assert_eq!(
                record["count"],
                counted["count"],
                "{} {}",
                R::OPERATION,
                record["id"]
            );
        }
        for record in plain.iter().take(50) {
            let record = serde_json::to_value(record).unwrap();
            let id = record["id"].as_str().unwrap();
            let one = get::<R>(&self.connection, &self.reading(false), id).unwrap();
            let one = one.unwrap().read().unwrap();
            assert_eq!(serde_json::to_value(&one).unwrap(), record);
        }
        for relation in R::RELATIONS {
            for form in Form::ALL {
                let include = [relation.name, form.suffix()].concat();
                let found = self.all::<R>(&format!("{query}&include={include}"), false);
                assert_eq!(found.len(), plain.len(), "{} {include}", R::OPERATION);
            }
        }
        for (word, _) in R::SORT {
            for sort in [(*word).to_owned(), format!("-{word}")] {
                let found = self.all::<R>(&format!("{query}&sort={sort}"), false);
                assert_eq!(found.len(), plain.len(), "{} sort={sort}", R::OPERATION);
            }
        }
    }
}

#[test]
fn every_list_gives_all_there_is() {
    let made = made(200, 1);
    made.read_all::<lists::DirectoryUsers>();
    made.read_all::<lists::DirectoryAttributes>();
    made.read_all::<lists::DirectoryDimensions>();
    made.read_all::<lists::DirectoryIdentities>();
    made.read_all::<lists::WorkspaceUsers>();
    made.read_all::<lists::WorkspaceDevices>();
    made.read_all::<lists::WorkspaceRoles>();
    made.read_all::<lists::WorkspaceServices>();
    made.read_all::<lists::WorkspaceTokens>();
    made.read_all::<lists::WorkspaceIntegrations>();
    made.read_all::<lists::WorkspaceLogs>();
    made.read_all::<lists::PolicyRulesets>();
    made.read_all::<lists::PolicyRules>();
    made.read_all::<lists::PolicyConditions>();
    made.read_all::<lists::PolicyUsers>();
}

#[test]
fn the_search_index_knows_everybody() {
    let made = made(200, 1);
    let found =
        made.all::<lists::DirectoryUsers>(&format!("filter%5Bemail_search%5D={}", made.filled.rare), false);
    assert_eq!(found.len(), 1);
    let found = made.all::<lists::DirectoryUsers>("filter%5Bemail_search%5D=%40example.org", false);
    let wanted = made.number(
        "SELECT count(*) FROM directory_users WHERE deleted_at IS NULL AND email LIKE '%@example.org'",
    );
    assert_eq!(i64::try_from(found.len()).unwrap(), wanted);
    let found = made.all::<lists::DirectoryUsers>("filter%5Borg_search%5D=engineering", false);
    let wanted = made
        .number("SELECT count(*) FROM directory_users WHERE deleted_at IS NULL AND org LIKE '%Engineering%'");
    assert_eq!(i64::try_from(found.len()).unwrap(), wanted);
}
