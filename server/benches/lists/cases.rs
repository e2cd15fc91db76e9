//! What is measured: a query of the API, and the SQL somebody would write by hand for just that.

use rollcall::Timestamp;
use rollcall::list::ListQuery;
use rollcall::lists::DirectoryUsers;
use rollcall::model::DirectoryUser;
use rollcall_server::demo::Filled;
use rollcall_server::store::Store;
use rollcall_server::store::fold::fold;
use rollcall_server::store::resource::Readable;
use serde_json::Value;

/// A case of the benchmark.
pub(crate) struct Case {
    /// Its name in the table.
    pub(crate) name: &'static str,
    query: String,
    /// Statements by hand; the first gives the rows of the page.
    pub(crate) sql: Vec<String>,
    /// Walk this share of the list by cursor before measuring.
    depth: Option<u64>,
    single: Option<String>,
}

const PATH: &str = rollcall::operations::LIST_DIRECTORY_USERS.path;

/// The columns of a full record.
fn columns() -> String {
    let counts = DirectoryUser::COUNTS
        .iter()
        .map(|spec| format!("count_{}", spec.member));
    let own = DirectoryUser::SUMMARY
        .iter()
        .chain(DirectoryUser::COLUMNS)
        .map(|column| (*column).to_owned());
    own.chain(counts).collect::<Vec<_>>().join(", ")
}

/// All cases over a filled directory.
pub(crate) fn all(filled: &Filled, now: Timestamp) -> Vec<Case> {
    let from = format!("SELECT {} FROM directory_users", columns());
    let case = |name, query: &str, sql: String| Case {
        name,
        query: query.to_owned(),
        sql: vec![sql],
        depth: None,
        single: None,
    };
    let manager = filled.manager.as_ref();
    let (email, domain, rare) = (
        manager.map_or("", |one| one.email.as_str()),
        filled.domain,
        filled.rare,
    );
    let since = now.plus_seconds(-200 * 86_400).unwrap_or(now);
    let until = now.plus_seconds(-100 * 86_400).unwrap_or(now);
    let window = format!(
        "state = 'active' AND created_at > {} AND created_at < {}",
        since.micros(),
        until.micros()
    );
    let mut included = case(
        "page with manager, identities, counts",
        "page[size]=100&include=manager-user,directory-identities,direct-report-users-count",
        format!("{from} WHERE +deleted_at IS NULL ORDER BY id LIMIT 100"),
    );
    let page = "(SELECT id FROM directory_users WHERE +deleted_at IS NULL ORDER BY id LIMIT 100)";
    included.sql.push(format!(
        "SELECT u.id, m.id, m.state, m.expires_at, m.manager_id, m.is_manager, m.full_name, m.email, m.username, m.org, m.metadata
         FROM directory_users u JOIN directory_users m ON m.id = u.manager_id WHERE u.id IN {page}"
    ));
    included.sql.push(format!(
        "SELECT directory_user_id, id, workspace_integration_id, integration_vendor, integration_handle, vendor_id, full_name,
         email, org, state, expires_at FROM directory_identities WHERE directory_user_id IN {page} AND +deleted_at IS NULL"
    ));
    included.sql.push(format!(
        "SELECT manager_id, count(*) FROM directory_users WHERE manager_id IN {page} AND +deleted_at IS NULL GROUP BY manager_id"
    ));
    vec![
        case("first page of 100", "page[size]=100", format!("{from} WHERE +deleted_at IS NULL ORDER BY id LIMIT 100")),
        case(
            "exact email",
            &format!("filter[email]={email}"),
            format!("{from} WHERE email_folded = '{}' AND email = '{email}' AND +deleted_at IS NULL", fold(email)),
        ),
        case(
            "email contains a domain, by last name",
            &format!("filter[email_search]=@{domain}&sort=last_name&page[size]=100"),
            format!(
                "{from} WHERE instr(email_folded, '@{domain}') > 0 AND +deleted_at IS NULL
                 ORDER BY last_name_folded, last_name, id LIMIT 100"
            ),
        ),
        case(
            "email contains a rare handle",
            &format!("filter[email_search]={rare}"),
            format!(
                "{from} WHERE seq IN (SELECT rowid FROM directory_users_search WHERE directory_users_search MATCH
                 'email_folded : \"{}\"') AND +deleted_at IS NULL ORDER BY id LIMIT 50",
                fold(rare)
            ),
        ),
        case(
            "state and window, newest first",
            &format!("filter[state]=active&filter[created_after]={since}&filter[created_before]={until}&sort=-created_at&page[size]=100"),
            format!("{from} WHERE {window} AND +deleted_at IS NULL ORDER BY created_at DESC, id DESC LIMIT 100"),
        ),
        included,
        Case { depth: Some(0), ..case("page at 90 % depth by cursor", "page[size]=100", String::new()) },
        Case { depth: Some(1), ..case("page at 90 % depth by number", "page[size]=100", String::new()) },
        Case {
            single: manager.map(|one| one.id.clone()),
            ..case(
                "single record",
                "",
                format!("{from} WHERE id = '{}'", manager.map_or("", |one| one.id.as_str())),
            )
        },
    ]
}

impl Case {
    /// Finds the deep pages, which depend on how many people there are.
    pub(crate) async fn settle(
        &mut self,
        store: &Store,
        base: &str,
        token: &str,
    ) -> Result<(), Box<dyn std::error::Error>> {
        let Some(kind) = self.depth else { return Ok(()) };
        let query =
            ListQuery::<DirectoryUsers>::parse("page[total]=true&page[size]=1").map_err(|_| "a query")?;
        let total = store.list(PATH, query).await?.total.unwrap_or_default();
        let page = (total * 9 / 10) / 100;
        let from = format!(
            "SELECT {} FROM directory_users WHERE +deleted_at IS NULL",
            columns()
        );
        let numbered = format!("{from} ORDER BY id LIMIT 100 OFFSET {}", (page - 1) * 100);
        self.query = format!("page[size]=100&page={page}");
        self.sql = vec![numbered];
        if kind == 0 {
            self.query = format!("page[size]=100&page={}", page - 1);
            let url = format!("{base}{}", self.path());
            let answer = reqwest::Client::new().get(url).bearer_auth(token).send().await?;
            let links = answer
                .headers()
                .get("link")
                .and_then(|links| links.to_str().ok())
                .unwrap_or_default()
                .to_owned();
            let records: Value = answer.json().await?;
            let last = records
                .as_array()
                .and_then(|all| all.last())
                .and_then(|one| one["id"].as_str())
                .unwrap_or_default();
            let next = links
                .split(", ")
                .find(|link| link.ends_with("rel=\"next\""))
                .ok_or("a next page")?;
            let next = next.trim_start_matches('<').split('>').next().unwrap_or_default();
            self.query = next
                .split_once('?')
                .map(|(_, query)| query.to_owned())
                .unwrap_or_default();
            self.sql = vec![format!("{from} AND id > '{last}' ORDER BY id LIMIT 100")];
        }
        Ok(())
    }

    /// Path and query below the base address.
    pub(crate) fn path(&self) -> String {
        match &self.single {
            Some(id) => format!("{PATH}/{id}"),
            None => format!("{PATH}?{}", self.query),
        }
    }

    /// How many records an answer has.
    pub(crate) fn records(&self, body: &[u8]) -> usize {
        let value: Value = serde_json::from_slice(body).unwrap_or_default();
        value.as_array().map_or(1, Vec::len)
    }

    /// The same answer from the store, without HTTP and JSON.
    pub(crate) async fn by_store(&self, store: &Store) -> rollcall_server::store::Result<usize> {
        if let Some(id) = &self.single {
            return store.get::<DirectoryUsers>(id.clone()).await.map(|_| 1);
        }
        let query = ListQuery::parse(&self.query).unwrap_or_default();
        Ok(store.list::<DirectoryUsers>(PATH, query).await?.records.len())
    }
}
