//! What the model finds, in which order, and what it refuses.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Asker;

#[tokio::test]
async fn dates_in_every_form_bound_the_same_and_strictly() {
    let model = Asker::of(60).await;
    let all = model.users("sort=created_at").await;
    let timestamp = all[30]["timestamp"]["created_at"].as_str().unwrap().to_owned();
    assert_eq!(
        model.count(&format!("filter[created_before]={timestamp}")).await,
        30
    );
    assert_eq!(
        model.count(&format!("filter[created_after]={timestamp}")).await,
        all.len() - 31
    );
    let day = &timestamp[..10];
    let forms = [
        day.to_owned(),
        format!("{day} 00:00:00"),
        format!("{day}T00:00:00"),
        format!("{day}T00:00:00Z"),
    ];
    let mut counts = BTreeSet::new();
    for form in forms {
        counts.insert(model.count(&format!("filter[created_before]={form}")).await);
    }
    assert_eq!(counts.len(), 1);
    assert_eq!(model.count("filter[created_before]=0001-01-01").await, 0);
    assert_eq!(
        model
            .get("/directory/users", "filter[created_before]=soon")
            .await
            .0,
        400
    );
}

#[tokio::test]
async fn several_keys_order_with_nulls_last_and_ids_between_equals() {
    let model = Asker::of(60).await;
    let records = model.users("sort=last_name,-first_name,badge_id").await;
    let key = |record: &Value, member: &str| record[member].as_str().map(str::to_lowercase);
    for pair in records.windows(2) {
        let [one, other] = pair else { unreachable!() };
        let order = key(one, "last_name")
            .cmp(&key(other, "last_name"))
            .then(key(other, "first_name").cmp(&key(one, "first_name")))
            .then(one["badge_id"].is_null().cmp(&other["badge_id"].is_null()))
            .then(key(one, "badge_id").cmp(&key(other, "badge_id")))
            .then(key(one, "id").cmp(&key(other, "id")));
        assert!(order.is_lt(), "{one}\n{other}");
    }
    for descending in ["badge_id", "-badge_id"] {
        let records = model.users(&format!("sort={descending}")).await;
        let first = records
            .iter()
            .position(|record| record["badge_id"].is_null())
            .unwrap();
        assert!(records[first..].iter().all(|record| record["badge_id"].is_null()));
    }
}

#[tokio::test]
async fn what_is_not_understood_is_refused() {
    let model = Asker::of(20).await;
    for query in [
        "filter[emial]=x",
        "filter[state]=retired",
        "filter[email]=",
        "filter[manager]=1",
        "sort=shoe",
        "include=pets",
        "sort=id,-id",
        "page=0",
        "page=-1",
        "page=abc",
        "page[size]=0",
        "page[size]=201",
        "filter[id]=a&filter[id]=b",
    ] {
        assert_eq!(model.get("/directory/users", query).await.0, 400, "{query}");
    }
    for query in ["filter[trashed]=", "filter[trashed]=perhaps", "sort=", "include="] {
        assert_eq!(model.users(query).await, model.users("").await, "{query}");
    }
    assert_eq!(model.get("/directory/users", "page=99").await, (200, json!([])));
    let first = model.users("").await[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(model.get(&format!("/directory/users/{first}"), "").await.0, 200);
    assert_eq!(
        model
            .get(&format!("/directory/users/{first}"), "include=manager-user")
            .await
            .0,
        400
    );
    assert_eq!(model.get("/directory/users/drusr_nobody", "").await.0, 404);
    assert_eq!(model.get("/directory/planets", "").await.0, 404);
}

#[tokio::test]
async fn two_thousand_people_are_served_fast_enough() {
    let model = Asker::of(2000).await;
    let queries = [
        "filter[email_search]=smith&sort=last_name,-created_at&page=3",
        "filter[state]=active&include=manager-user,direct-report-users&page=2",
        "filter[created_after]=2016-01-01&filter[trashed]=with",
        "sort=-updated_at&page=20",
    ];
    let began = std::time::Instant::now();
    for number in 0..100 {
        assert_eq!(
            model
                .get("/directory/users", queries[number % queries.len()])
                .await
                .0,
            200
        );
    }
    eprintln!("100 requests: {:?}", began.elapsed());
    // A machine at rest takes two seconds; this one may be busy.
    assert!(began.elapsed().as_secs() < 60);
}
