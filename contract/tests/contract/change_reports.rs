//! What a report of changes says of each: the reason, the operations that it touches, the line; and its four forms.

use rollcall_contract::Document;
use rollcall_contract::diff::{Change, Reason, Report};
use serde_json::{Value, json};

use crate::SMALL;

const FILE: &str = "new.yaml";

/// The small contract after a change: what stands at `at` is `to`; null takes it away.
fn changed(at: &str, to: &Value) -> Document {
    let mut raw = Document::parse(SMALL).unwrap().raw().clone();
    let (parent, name) = at.rsplit_once('/').unwrap();
    let name = name.replace("~1", "/");
    match raw.pointer_mut(parent).unwrap() {
        Value::Object(members) if to.is_null() => drop(members.shift_remove(&name).unwrap()),
        Value::Object(members) => drop(members.insert(name, to.clone())),
        Value::Array(items) if to.is_null() => drop(items.remove(name.parse().unwrap())),
        Value::Array(items) => items.push(to.clone()),
        _ => panic!("{at} is in no mapping and no list"),
    }
    Document::of(raw).unwrap()
}

fn changes(new: &Document) -> Vec<Change> {
    Document::parse(SMALL).unwrap().changes(new)
}

#[test]
fn each_change_says_why_it_breaks_which_operations_and_its_line() {
    const LIST: &str = "GET /people";
    const SHOW: &str = "GET /people/{person}";
    const RETIRE: &str = "PATCH /people/{person}";
    let required = json!({"name": "lang", "in": "query", "required": true, "schema": {"type": "string"}, "x-extension": true});
    let null = json!({"anyOf": [{"type": "string", "example": "text"}, {"type": "string", "nullable": true, "enum": [null]}]});
    // A change, its reason, the operations that it touches, and text in its line of the new contract.
    let cases: &[(&str, Value, Reason, &[&str], &str)] = &[
        (
            "/paths/~1people~1{person}/patch",
            Value::Null,
            Reason::OperationGone,
            &[RETIRE],
            "/people/{person}:",
        ),
        (
            "/paths/~1people/get/parameters/2",
            Value::Null,
            Reason::ParameterGone,
            &[LIST],
            "parameters:",
        ),
        (
            "/paths/~1people/get/parameters/99",
            required,
            Reason::ParameterRequired,
            &[LIST],
            "- name: lang",
        ),
        (
            "/paths/~1people/get/x-list/sort/fields/name",
            Value::Null,
            Reason::ChoiceGone,
            &[LIST],
            "fields:",
        ),
        (
            "/components/schemas/Needle/maxLength",
            json!(9),
            Reason::RequestRefused,
            &[LIST],
            "maxLength: 9",
        ),
        (
            "/components/schemas/Mood/enum",
            json!(["calm", "glad", "sad"]),
            Reason::ValueUnknown,
            &[LIST, SHOW, RETIRE],
            "enum:",
        ),
        (
            "/components/schemas/PersonSummary/properties/name",
            null,
            Reason::NullPossible,
            &[LIST, SHOW, RETIRE],
            "name:",
        ),
        (
            "/components/schemas/PersonTimestamps/required",
            json!(["created_at"]),
            Reason::MemberOptional,
            &[LIST, SHOW, RETIRE],
            "required:",
        ),
        (
            "/components/schemas/Person/properties/name",
            Value::Null,
            Reason::MemberGone,
            &[LIST, SHOW, RETIRE],
            "properties:",
        ),
        (
            "/components/schemas/Retirement/properties/days/type",
            json!("string"),
            Reason::FormChanged,
            &[RETIRE],
            "type: string",
        ),
        (
            "/components/parameters/trashed/x-filter/match",
            json!("flag"),
            Reason::MeaningChanged,
            &[LIST],
            "match: flag",
        ),
        (
            "/paths/~1people/get/x-scope",
            json!("all:read"),
            Reason::ScopeChanged,
            &[LIST],
            "x-scope: all:read",
        ),
        // What is sent and received breaks those who send it.
        (
            "/components/schemas/PersonState/enum",
            json!(["active", "ending"]),
            Reason::RequestRefused,
            &[LIST],
            "enum:",
        ),
        (
            "/components/schemas/PersonSort/x-enum-varnames",
            json!(["Id"]),
            Reason::NamesChanged,
            &[LIST],
            "x-enum-varnames:",
        ),
        (
            "/x-open-points/L10/accepts/exact-case",
            Value::Null,
            Reason::ConformanceNarrower,
            &[],
            "accepts:",
        ),
        (
            "/paths/~1people/get/x-unheard-of",
            json!(1),
            Reason::Unknown,
            &[LIST],
            "x-unheard-of: 1",
        ),
        (
            "/components/schemas/Needle/maxLength",
            json!(2048),
            Reason::AcceptsMore,
            &[LIST],
            "maxLength: 2048",
        ),
        (
            "/components/schemas/Mood/enum",
            json!(["calm"]),
            Reason::AnswersLess,
            &[LIST, SHOW, RETIRE],
            "enum:",
        ),
        (
            "/components/schemas/Person/properties/age",
            json!({"type": "integer"}),
            Reason::Added,
            &[LIST, SHOW, RETIRE],
            "age:",
        ),
        (
            "/components/schemas/Alone",
            json!({"type": "integer"}),
            Reason::Component,
            &[],
            "Alone:",
        ),
        (
            "/x-open-points/L10/accepts/none",
            json!("None."),
            Reason::ConformanceWider,
            &[],
            "none: None.",
        ),
        (
            "/paths/~1people/get/summary",
            json!("Lists"),
            Reason::ReadersOnly,
            &[LIST],
            "summary: Lists",
        ),
        (
            "/x-clauses/§4.4.4/parameters",
            json!(["page"]),
            Reason::ReadersOnly,
            &[],
            "parameters:",
        ),
    ];
    for (at, to, reason, operations, line) in cases {
        let new = changed(at, to);
        let text = new.to_yaml().unwrap();
        let changes = changes(&new);
        let report = Report::new(&changes, FILE, &text).json();
        let found = changes.iter().position(|change| change.reason == *reason);
        let found = found.unwrap_or_else(|| panic!("{at}: no change for {reason:?} in {changes:#?}"));
        assert_eq!(changes[found].operations, *operations, "{at}");
        let number = usize::try_from(report[found]["line"].as_u64().unwrap()).unwrap();
        let shown = text.lines().nth(number - 1).unwrap();
        assert!(shown.contains(line), "{at}: line {number} is {shown}");
        assert_eq!(changes.len(), 1, "{at}: {changes:#?}");
    }
}

#[test]
fn every_form_says_the_line_the_operations_and_the_reason() {
    let new = changed("/paths/~1people/get/parameters/2/x-filter/match", &json!("exact"));
    let (changes, text) = (changes(&new), new.to_yaml().unwrap());
    let report = Report::new(&changes, FILE, &text);
    let line = report.json()[0]["line"].as_u64().unwrap();
    assert_eq!(
        report.text(),
        format!(
            "breaking: GET /people, filter[name_search]: x-filter/match: contains → exact\n    new.yaml:{line}\n    \
             The same request or answer means something else.\n"
        )
    );
    assert_eq!(
        report.github(),
        format!(
            "::error file=new.yaml,line={line},title=breaking%3A GET /people%2C filter[name_search]::\
             x-filter/match: contains → exact. The same request or answer means something else.\n"
        )
    );
    assert_eq!(
        report.markdown(),
        format!(
            "### Breaking\n\n- `GET /people, filter[name_search]`: x-filter/match: contains → exact. \
             The same request or answer means something else. (line {line})\n\n"
        )
    );
    assert_eq!(
        report.json()[0]["pointer"],
        "/paths/~1people/get/parameters/2/x-filter/match"
    );
    let none = Report::new(&[], FILE, &text);
    assert_eq!(
        (none.text(), none.markdown()),
        ("Nothing changed.\n".to_owned(), "Nothing changed.\n".to_owned())
    );
    assert_eq!((none.json(), none.github()), (json!([]), String::new()));
}

#[test]
fn forms_quote_what_contracts_contain() {
    let change = Change {
        element: "GET /people, filter[`x`]".to_owned(),
        difference: "pattern: ^[a_b]*$ → 50%<b>\nnew line".to_owned(),
        reason: Reason::FormChanged,
        operations: (1..=5).map(|number| format!("GET /{number}")).collect(),
        at: "/x".parse().unwrap(),
    };
    let changes = [change];
    let report = Report::new(&changes, "a,b:c.yaml", "x: 1");
    assert_eq!(
        report.markdown(),
        "### Breaking\n\n- `GET /people, filter[ x ]`: pattern: ^\\[a\\_b\\]\\*$ → 50%\\<b\\> new line. \
         Clients send or expect another form of the value. (line 1; touches GET /1, GET /2, GET /3 and 2 more)\n\n"
    );
    assert_eq!(
        report.github(),
        "::error file=a%2Cb%3Ac.yaml,line=1,title=breaking%3A GET /people%2C filter[`x`]::pattern: ^[a_b]*$ → 50%25<b>%0A\
         new line. Clients send or expect another form of the value. Touches GET /1, GET /2, GET /3 and 2 more.\n"
    );
}

#[test]
fn a_report_names_three_operations_and_none_that_the_element_names() {
    for (element, operations, touches) in [
        ("GET /a, filter[x]", &["GET /a"] as &[&str], None),
        ("Needle", &["GET /a"], Some("Touches GET /a.")),
        (
            "Needle",
            &["GET /a", "GET /b", "GET /c"],
            Some("Touches GET /a, GET /b, GET /c."),
        ),
        (
            "Needle",
            &["GET /a", "GET /b", "GET /c", "GET /d"],
            Some("Touches GET /a, GET /b, GET /c and 1 more."),
        ),
        ("info", &[], None),
    ] {
        let changes = [Change {
            element: element.to_owned(),
            difference: "is new".to_owned(),
            reason: Reason::Added,
            operations: operations.iter().map(|one| (*one).to_owned()).collect(),
            at: "/x".parse().unwrap(),
        }];
        let text = Report::new(&changes, FILE, "x: 1").text();
        assert_eq!(text.lines().nth(3).map(str::trim), touches, "{text}");
    }
}
