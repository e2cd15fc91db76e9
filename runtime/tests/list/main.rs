//! The list dialect, by the tables of a small list: what a query asks for, what is refused and how, and that a printed query is
//! read as the same query.

mod books;
mod text;

use rollcall_runtime::list::{Form, List as _, ListQuery, Selector, SortKey, Trashed, Value};
use rollcall_runtime::{Fault, FaultCode};

use books::{Books, Field, Relation};

const MOST_FAULTS: usize = 20;

type Query = ListQuery<Books>;

fn read(query: &str) -> Query {
    Query::parse(query).expect(query)
}

fn faults(query: &str) -> Vec<Fault> {
    Query::parse(query).expect_err(query)
}

/// The one fault of a query.
fn fault(query: &str) -> Fault {
    let mut faults = faults(query);
    assert_eq!(faults.len(), 1, "{query}: {faults:?}");
    faults.remove(0)
}

#[test]
fn an_empty_query_asks_for_the_first_page_in_the_order_of_the_list() {
    let query = read("");
    assert!(query.conditions.is_empty() && query.sort.is_empty() && query.include.is_empty() && !query.total);
    assert_eq!(
        (query.trashed, &query.page, query.size),
        (Trashed::Without, &Selector::Number(1), 25)
    );
    assert_eq!(query.order(), Books::DEFAULT_SORT);
    assert_eq!(query.print(), "");
}

#[test]
fn each_parameter_is_read() {
    let by_age = SortKey {
        field: Field::Added,
        descending: true,
    };
    assert_eq!(read("sort=-added_at").order(), [by_age]);
    assert_eq!(read("sort=-added_at,title").sort_words(), "-added_at,title");
    assert_eq!(read("sort=&include=").print(), "");
    let query = read("include=readers-count,author,readers,author-exists");
    let wanted = [
        (Relation::Author, Form::Records),
        (Relation::Author, Form::Exists),
        (Relation::Readers, Form::Records),
        (Relation::Readers, Form::Count),
    ];
    assert_eq!(query.include, wanted);
    assert_eq!(
        query.include_words(),
        "author,author-exists,readers,readers-count"
    );
    assert_eq!(
        read("include=author,author").include,
        [(Relation::Author, Form::Records)]
    );
    for (text, page) in [
        ("page=7", Selector::Number(7)),
        ("page=1000000000000", Selector::Number(1_000_000_000_000)),
        ("page=c_abc", Selector::Cursor("c_abc".to_owned())),
    ] {
        assert_eq!(read(text).page, page);
        assert_eq!(read(text).print(), text);
    }
    assert_eq!([read("page[size]=1").size, read("page[size]=200").size], [1, 200]);
    assert_eq!(
        [read("page[total]=true").total, read("page[total]=false").total],
        [true, false]
    );
    for (word, trashed) in [
        ("with", Trashed::With),
        ("only", Trashed::Only),
        ("all", Trashed::Without),
        ("", Trashed::Without),
    ] {
        assert_eq!(read(&format!("filter[trashed]={word}")).trashed, trashed);
    }
    let values = [
        ("filter[title]=a+b%2Bc", Value::Text("a b+c".to_owned())),
        ("filter[title]=%C3%A9%c3%a9", Value::Text("éé".to_owned())),
        ("filter[title]=%4A%4f", Value::Text("JO".to_owned())),
        ("filter[title]=a=b", Value::Text("a=b".to_owned())),
        ("filter[title]=12345678", Value::Text("12345678".to_owned())),
        ("filter[kind]=poem", Value::Text("poem".to_owned())),
        ("filter[lent]=false", Value::Flag(false)),
        ("filter[late]=true", Value::Flag(true)),
        ("&filter[late]=true&&", Value::Flag(true)),
    ];
    for (text, value) in values {
        let query = read(text);
        assert_eq!(query.conditions.len(), 1);
        assert_eq!(query.conditions[0].value, value, "{text}");
    }
    let after = read("filter[added_after]=2024-02-29");
    assert_eq!(
        after.print(),
        "filter%5Badded_after%5D=2024-02-29T00%3A00%3A00.000000Z"
    );
}

#[test]
fn what_is_wrong_is_told_with_its_parameter_and_its_kind() {
    for (query, parameter, code) in [
        ("sort=title&sort=title", "sort", FaultCode::RepeatedParameter),
        ("sort=title,-title", "sort", FaultCode::RepeatedParameter),
        ("sort=titel", "sort", FaultCode::UnknownWord),
        ("sort=title,,added_at", "sort", FaultCode::EmptyValue),
        (
            "sort=title,added_at,is_lent,title",
            "sort",
            FaultCode::ValueTooLong,
        ),
        ("include=writer", "include", FaultCode::UnknownWord),
        ("include=author,", "include", FaultCode::EmptyValue),
        (
            "include=author,author,author,author,author,author,author",
            "include",
            FaultCode::ValueTooLong,
        ),
        ("filter[titel]=a", "filter[titel]", FaultCode::UnknownParameter),
        ("filter[title]=", "filter[title]", FaultCode::EmptyValue),
        (
            "filter[title]=123456789",
            "filter[title]",
            FaultCode::ValueTooLong,
        ),
        (
            "filter[trashed]=123456789",
            "filter[trashed]",
            FaultCode::ValueTooLong,
        ),
        ("filter[kind]=essay", "filter[kind]", FaultCode::UnknownWord),
        ("filter[lent]=1", "filter[lent]", FaultCode::InvalidValue),
        (
            "filter[added_after]=yesterday",
            "filter[added_after]",
            FaultCode::InvalidValue,
        ),
        ("page[total]=yes", "page[total]", FaultCode::InvalidValue),
        ("page=", "page", FaultCode::InvalidPage),
        ("page=0", "page", FaultCode::InvalidPage),
        ("page=+1", "page", FaultCode::InvalidPage),
        ("page=1.5", "page", FaultCode::InvalidPage),
        ("page=1000000000001", "page", FaultCode::InvalidPage),
        ("page=c_345678901234567", "page", FaultCode::InvalidPage),
        ("page[size]=0", "page[size]", FaultCode::InvalidPage),
        ("page[size]=201", "page[size]", FaultCode::InvalidPage),
        ("page[size]=%2B5", "page[size]", FaultCode::InvalidPage),
        ("filter[title]=%", "filter[title]", FaultCode::InvalidEncoding),
        ("filter[title]=%4", "filter[title]", FaultCode::InvalidEncoding),
        ("filter[title]=%4G", "filter[title]", FaultCode::InvalidEncoding),
        ("filter[title]=%FF", "filter[title]", FaultCode::InvalidEncoding),
        ("%FF=a", "%FF", FaultCode::InvalidEncoding),
        ("%FF=%FF", "%FF", FaultCode::InvalidEncoding),
    ] {
        let told = fault(query);
        assert_eq!(
            (told.parameter.as_deref(), told.code),
            (Some(parameter), code),
            "{query}"
        );
        assert_eq!(told.pointer, None);
    }
    assert_eq!(
        read("page=c_34567890123456").page,
        Selector::Cursor("c_34567890123456".to_owned())
    );
}

#[test]
fn a_fault_names_all_that_is_allowed_and_the_nearest_of_it() {
    let told = fault("sort=titel");
    assert_eq!(
        told.detail,
        "\"titel\" is not a sort field of this list; did you mean title?"
    );
    assert_eq!(told.allowed.unwrap(), ["title", "added_at", "is_lent"]);
    let told = fault("include=xxxxxxxxxxxxxxxxxxxx");
    assert_eq!(
        told.detail,
        "\"xxxxxxxxxxxxxxxxxxxx\" is not a relation of this list"
    );
    let allowed = [
        "author",
        "author-count",
        "author-exists",
        "readers",
        "readers-count",
        "readers-exists",
    ];
    assert_eq!(told.allowed.unwrap(), allowed);
    for (word, meant) in [
        ("limit", "page[size]"),
        ("offset", "page"),
        ("order_by", "sort"),
        ("expand", "include"),
        ("kind", "filter[kind]"),
        ("filter[knid]", "filter[kind]"),
    ] {
        let detail = fault(&format!("{word}=1")).detail;
        assert!(detail.ends_with(&format!("did you mean {meant}?")), "{detail}");
    }
    // No other API calls a parameter of this list so.
    assert!(!fault("q=1").detail.contains("did you mean filter"));
    let long = "x".repeat(81);
    let shown = format!("\"{}…\" is not a parameter here", &long[1..]);
    assert_eq!(fault(&format!("{long}=1")).detail, shown);
}

#[test]
fn all_faults_are_told_at_once_up_to_a_limit() {
    let told = faults("sort=titel&filter[lent]=1&page=0");
    assert_eq!(told.len(), 3);
    let many: Vec<String> = (0..30).map(|number| format!("unknown{number}=1")).collect();
    assert_eq!(faults(&many.join("&")).len(), MOST_FAULTS);
    let undecodable: Vec<String> = (0..30).map(|number| format!("p{number}=%")).collect();
    assert_eq!(faults(&undecodable.join("&")).len(), MOST_FAULTS);
}

#[test]
fn a_question_is_the_same_in_any_order_of_filters_and_on_any_page() {
    let one = read(
        "filter[title]=a&filter[lent]=true&filter[trashed]=only&sort=-title&page=2&include=author&page[total]=true",
    );
    let other = read("filter[lent]=true&sort=-title&filter[trashed]=only&filter[title]=a&page[size]=5");
    assert_eq!(one.question(), other.question());
    for (one, other) in [
        ("filter[title]=a", "filter[title]=b"),
        ("sort=title", "sort=-title"),
        ("filter[trashed]=with", "filter[trashed]=only"),
    ] {
        assert_ne!(read(one).question(), read(other).question());
    }
    for different in [
        "filter[title]=a",
        "filter[lent]=true&filter[title]=a&filter[trashed]=with&sort=-title",
    ] {
        assert_ne!(one.question(), read(different).question());
    }
}
