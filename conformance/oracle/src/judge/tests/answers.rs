//! Answers that are wrong only beside others: pages, and relations in two answers.

use std::sync::Arc;

use super::*;
use crate::corpus::Projection;
use crate::judge::{RelationShapes, differs_from_whole, is_suspicious, scattered, unlike_before};
use crate::open_points::related_number::RelationForm;

/// A list on pages of four.
fn paged() -> Bench {
    let mut bench = Bench::new();
    bench.list.paging.at_least = 4;
    bench
}

/// The live people by the given numbers.
fn numbered(bench: &Bench, numbers: &[usize]) -> Vec<Value> {
    numbers
        .iter()
        .map(|number| bench.records[*number].clone())
        .collect()
}

/// An answer of several pages.
fn walk(bench: &Bench, pages: &[&[usize]]) -> ListResponse {
    let ListResponse::Records(mut all) = response(numbered(bench, &pages.concat())) else {
        unreachable!()
    };
    all.page_of = pages
        .iter()
        .enumerate()
        .flat_map(|(at, page)| page.iter().map(move |_| at))
        .collect();
    all.pages = vec![all.pages[0].clone(); pages.len()];
    all.asked = pages.len();
    ListResponse::Records(all)
}

#[test]
fn a_record_on_two_pages_is_found_where_the_order_has_no_ties() {
    let bench = paged();
    let answer = walk(&bench, &[&[0, 1, 2, 4], &[4, 5, 6, 8], &[9]]);
    let wrong = |keys: &[&str]| {
        let query = Query::default().sorted(keys);
        aspects(&judge(&bench.facts(), &bench.list, &query, &answer))
    };
    assert_eq!(wrong(&["created_at"]), [Aspect::Missing]);
    // Those without a badge may stand anywhere among them.
    assert!(!wrong(&["badge_id"]).contains(&Aspect::Missing));
}

#[test]
fn with_equal_records_in_the_order_each_is_on_one_page_all_the_same() {
    let bench = paged();
    let scattered = |keys: &[&str], pages: &[&[usize]]| {
        let query = Query::default().sorted(keys);
        scattered(&bench.list, &query, &walk(&bench, pages)).map(|violation| violation.actual)
    };
    let live = &[&[0, 1, 2, 4], &[5, 6, 8, 9][..]];
    assert_eq!(scattered(&["state"], live), None);
    let once_lost = &[&[0, 1, 2, 4], &[4, 6, 8, 9][..]];
    assert_eq!(
        scattered(&["state"], once_lost).as_deref(),
        Some("8 records on 2 pages: drusr_0005 on none of them, drusr_0004 on two")
    );
    // Without an order, nothing says which records a page has.
    assert_eq!(scattered(&[], once_lost), None);
    // A record that is lost alone is another fault, and one that is repeated alone.
    assert_eq!(scattered(&["state"], &[&[0, 1, 2, 4], &[6, 8, 9]]), None);
    assert_eq!(scattered(&["state"], &[&[0, 1, 2, 4], &[4, 5, 6, 8], &[9]]), None);
}

#[test]
fn a_page_is_suspicious_with_too_few_records_or_those_of_another_page() {
    let bench = paged();
    let is_suspicious = |key: &str, page: usize, numbers: &[usize]| {
        let query = Query::default().sorted(&[key]).on_page(page);
        is_suspicious(
            &bench.facts(),
            &bench.list,
            &query,
            &response(numbered(&bench, numbers)),
        )
    };
    assert!(!is_suspicious("created_at", 2, &[5, 6, 8, 9]));
    assert!(!is_suspicious("-created_at", 2, &[4, 2, 1, 0]));
    assert!(is_suspicious("created_at", 2, &[5, 6, 8]));
    assert!(is_suspicious("created_at", 2, &[0, 1, 2, 4]));
    assert!(is_suspicious("-created_at", 2, &[5, 6, 8, 9]));
    // How texts are ordered is open, and what stands past the end.
    assert!(!is_suspicious("last_name", 2, &[0, 1, 2, 4]));
    assert!(!is_suspicious("created_at", 3, &[]));
}

#[test]
fn a_page_is_the_same_by_its_number_and_among_all() {
    let bench = paged();
    let facts = bench.facts();
    let query = Query::default().sorted(&["created_at"]).on_page(2);
    let differs = |page: &[usize], whole: &[&[usize]]| {
        let page = response(numbered(&bench, page));
        differs_from_whole(&facts, &bench.list, &query, (&page, &walk(&bench, whole))).is_some()
    };
    assert!(!differs(&[5, 6, 8, 9], &[&[0, 1, 2, 4], &[5, 6, 8, 9]]));
    assert!(differs(&[4, 5, 6, 8], &[&[0, 1, 2, 4], &[5, 6, 8, 9]]));
    // Who fills pages otherwise is not accused.
    assert!(!differs(&[4, 5, 6, 8], &[&[0, 1, 2], &[4, 5, 6, 8], &[9]]));
}

#[test]
fn two_answers_agree_about_a_relation() {
    let bench = Bench::new();
    let mut facts = bench.facts();
    let query = Query::default().including(&["direct-report-users-count"]);
    let counted = |count: usize| {
        let mut records = numbered(&bench, &[0, 1]);
        records[1]["included"] = json!({"direct_report_users_count": count});
        response(records)
    };
    facts
        .seen
        .note(&bench.list, &query, counted(3).reading().unwrap());
    let differs = |query: &Query, count: usize| {
        let answer = counted(count);
        unlike_before(
            &facts,
            &bench.list,
            (query, RelationForm::Count),
            answer.reading().unwrap(),
        )
        .is_some()
    };
    assert!(differs(&query, 2) && !differs(&query, 3));
    let violations = judge(&facts, &bench.list, &query, &counted(2));
    assert!(aspects(&violations).contains(&Aspect::Relation(RelationForm::Count)));
    // Beside the word for soft deletion soft-deleted reports may count (R15).
    let scope = filter_by_deletion(&bench.list);
    assert!(!differs(&query.clone().and(&scope, WITH), 2));
}

#[test]
fn a_relation_of_another_shape_is_found_in_any_answer() {
    let bench = Bench::new();
    let facts = Facts {
        shapes: Arc::new(RelationShapes::of(&bench.contract, &bench.list)),
        ..bench.facts()
    };
    let mut records = numbered(&bench, &[0, 1, 2, 4, 5, 6, 8, 9]);
    records[1]["included"] = json!({"manager_user": [bench.records[0].clone()]});
    let query = Query::default().including(&["manager-user"]);
    let violations = judge(&facts, &bench.list, &query, &response(records));
    assert_eq!(aspects(&violations), [Aspect::Shape]);
}

#[test]
fn a_filter_by_a_related_record_proves_that_soft_deleted_records_have_it() {
    let integrated = |record: &Value, id: Option<&str>| {
        let mut record = record.clone();
        record["included"] = json!({"workspace_integration": id.map(|id| json!({"id": id}))});
        record
    };
    let bench = Bench::new();
    let live = numbered(&bench, &[0, 1, 2]);
    let live: Vec<Value> = live.iter().map(|one| integrated(one, Some("wsitg_1"))).collect();
    let view = Projection::Including("workspace-integration".to_owned());
    let list = bench.list.read_as(view, &live);
    let mut filters = list
        .spec
        .filters
        .iter()
        .filter_map(|judged| ObservableFilter::of(0, judged));
    let filter = filters
        .find(|filter| filter.name == "filter[workspace_integration_id]")
        .unwrap();
    let scope = filter_by_deletion(&list);
    let is_wrong = |value: &str, shown: Option<&str>, asked: &[&str]| {
        let query = Query::by(&filter, value).and(&scope, ONLY).including(asked);
        let answer = response(vec![integrated(&bench.records[3], shown)]);
        let facts = Facts::of(&bench.contract, &list);
        let violations = aspects(&judge(&facts, &list, &query, &answer));
        violations.contains(&Aspect::Relation(RelationForm::Records))
    };
    let asked: &[&str] = &["workspace-integration"];
    assert!(!is_wrong("wsitg_1", Some("wsitg_1"), asked));
    assert!(is_wrong("wsitg_1", None, asked));
    assert!(is_wrong("wsitg_1", Some("wsitg_2"), asked));
    // A related record that no record shows may be soft-deleted itself (R15).
    assert!(!is_wrong("wsitg_2", None, asked));
    assert!(!is_wrong("wsitg_1", None, &[]));
}

#[test]
fn a_secondary_user_of_another_person_is_found_in_any_answer() {
    let bench = Bench::new();
    let including = |record: &Value, member: &str, id: Option<&str>| {
        let mut record = record.clone();
        record["included"] = json!({member: id.map(|id| json!({"id": id}))});
        record
    };
    let parent = |record: &Value| including(record, "parent_user", Some("drusr_0000"));
    let people = numbered(&bench, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    let children: Vec<Value> = people[1..3].iter().map(parent).collect();
    let view = Projection::Including("parent-user".to_owned());
    let list = bench.list.read_as(view, &children);
    let facts = Facts {
        inverse: InverseFilters::of(0, &list.spec),
        ..Facts::of(&bench.contract, &list)
    };
    let query = Query::default().including(&["secondary-users"]);
    let is_wrong = |owner: usize, secondary: &str| {
        let mut records = people.clone();
        records.retain(|one| !list.spec.is_deleted(one));
        let owner = records
            .iter_mut()
            .find(|one| one["id"] == format!("drusr_{owner:04}"));
        let owner = owner.unwrap();
        *owner = including(owner, "secondary_users", Some(secondary));
        let violations = judge(&facts, &list, &query, &response(records));
        aspects(&violations).contains(&Aspect::Relation(RelationForm::Records))
    };
    assert!(!is_wrong(0, "drusr_0001") && is_wrong(4, "drusr_0001"));
    // Of a person whose parent was not read nothing is known.
    assert!(!is_wrong(4, "drusr_0005"));
}

#[test]
fn that_the_token_is_wrong_is_no_refusal_of_a_question() {
    let bench = Bench::new();
    let refused = |status| match response(Vec::new()) {
        ListResponse::Records(mut pages) => {
            let mut page = pages.pages.remove(0);
            page.status = status;
            ListResponse::Refused(page)
        }
        answer => answer,
    };
    let mut filters = bench.list.spec.filters.iter();
    let filter = filters
        .find_map(|judged| ObservableFilter::of(0, judged).filter(|_| judged.name == "filter[badge_id]"));
    // A value that no record has may be refused for its form.
    let query = Query::by(&filter.unwrap(), "nobody");
    let is_wrong = |status| !judge(&bench.facts(), &bench.list, &query, &refused(status)).is_empty();
    assert_eq!([400, 404, 401, 500].map(is_wrong), [false, false, true, true]);
}

/// The filter that says which soft-deleted records are listed.
fn filter_by_deletion(list: &ListCorpus) -> ObservableFilter {
    let mut filters = list
        .spec
        .filters
        .iter()
        .filter_map(|judged| ObservableFilter::of(0, judged));
    filters.find(|filter| filter.matching == Match::Trashed).unwrap()
}

#[test]
fn a_page_of_another_media_type_is_found() {
    let bench = Bench::new();
    let mut answer = walk(&bench, &[&[0, 1, 2, 4], &[5, 6, 8, 9]]);
    if let ListResponse::Records(pages) = &mut answer {
        pages.pages[1].content_type = Some("text/html; charset=utf-8".to_owned());
    }
    let violations = judge(&bench.facts(), &bench.list, &Query::default(), &answer);
    assert_eq!(aspects(&violations), [Aspect::MediaType]);
}
