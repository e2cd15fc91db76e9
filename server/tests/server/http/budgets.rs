//! What a request may cost, in jobs and statements: budgets that do not depend on the machine.

use rollcall_store::Error;
use serde_json::json;

use crate::database::is_about_files;
use crate::harness::Running;

/// Begins the transaction, asks whether the database has changed, ends the transaction.
const AROUND: u64 = 3;

/// Jobs and statements of one request, when its token is known.
async fn cost(server: &Running, path: &str, query: &[(&str, &str)]) -> (u64, u64) {
    // Each reader has to know the token.
    for _ in 0..16 {
        assert_eq!(server.get(path, query).await.status, 200);
    }
    let before = server.store.work_done();
    assert_eq!(server.get(path, query).await.status, 200);
    let after = server.store.work_done();
    (after.jobs - before.jobs, after.statements - before.statements)
}

#[tokio::test]
async fn a_page_is_one_statement_on_the_thread_of_the_request_and_one_more_for_each_relation_whose_records_it_shows()
 {
    if is_about_files() {
        return;
    }
    let server = Running::start().await;
    let users = "/directory/users";
    let one = server
        .get(users, &[("page[size]", "1")])
        .await
        .ids()
        .swap_remove(0);
    let email = server.raw(&format!("{users}/{one}")).await.json()["email"].clone();
    assert_eq!(
        cost(&server, &format!("{users}/{one}"), &[]).await,
        (0, AROUND + 1)
    );
    for (query, statements) in [
        (vec![], 1),
        (vec![("filter[email]", email.as_str().unwrap())], 1),
        (
            vec![("sort", "-created_at"), ("filter[created_after]", "2020-01-01")],
            1,
        ),
        // A second key: records without a value come last.
        (vec![("sort", "last_name"), ("page[size]", "20")], 1),
        (vec![("page[total]", "true")], 2),
        // The record shows the number itself.
        (vec![("include", "manager-user,direct-report-users-count")], 2),
        // Whether few records pass is asked first.
        (
            vec![
                ("filter[state]", "active"),
                ("sort", "last_name"),
                ("page[size]", "5"),
            ],
            2,
        ),
        (vec![("filter[email_search]", "e"), ("page[size]", "5")], 1),
        // A text that many have: the reader remembers that it need not ask the search index.
        (vec![("filter[email_search]", "example"), ("page[size]", "5")], 1),
    ] {
        assert_eq!(
            cost(&server, users, &query).await,
            (0, AROUND + statements),
            "{query:?}"
        );
    }
}

#[tokio::test]
async fn what_takes_long_is_a_job_of_another_thread() {
    if is_about_files() {
        return;
    }
    let server = Running::start().await;
    // Longer than a few milliseconds, on a directory of 300 people: every relation of 200 of them.
    let relations = rollcall::lists::directory_users::Relation::SPECS.iter();
    let include: Vec<_> = relations.map(|relation| relation.name).collect();
    let include = include.join(",");
    let query = [("include", &*include), ("page[size]", "200")];
    let (jobs, _) = cost(&server, "/directory/users", &query).await;
    assert_eq!(jobs, 1);
}

#[tokio::test]
async fn a_request_without_a_token_is_no_job() {
    let server = Running::start().await;
    // The writer has looked at its queue by then, which it does when it starts.
    server.store.write(None, |_| Ok::<_, Error>(())).await.unwrap();
    let before = server.store.work_done();
    let request = server.bare(reqwest::Method::GET, "/directory/users");
    server.send(request).await.assert_problem(401, "unauthorized");
    assert_eq!(server.store.work_done(), before);
}

#[tokio::test]
async fn the_last_change_by_a_token_costs_what_the_first_one_cost() {
    let server = Running::start().await;
    let users = server
        .get("/workspace/users", &[("filter[state]", "active")])
        .await;
    let id = users.ids().pop().unwrap();
    let mut costs = Vec::new();
    for day in 1..60 {
        let before = server.store.work_done();
        let path = format!("/workspace/users/{id}/deprecate");
        let answer = server.patch(&path, &json!({"expires_after_days": day})).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        let after = server.store.work_done();
        costs.push((after.jobs - before.jobs, after.statements - before.statements));
    }
    // The first one detaches the roles, and the readers learn the token.
    let usual = costs[10];
    assert!(
        costs[10..]
            .iter()
            .all(|cost| cost.0 == usual.0 && cost.1 <= usual.1 + 2),
        "{costs:?}"
    );
}
