//! Which filter is suggested for a parameter, by its name, its schema and its description.

use rollcall_contract::suggest::{RULES, suggest};
use serde_json::Value;

use crate::suggesting::{document, object, parameter, reading, suggests};

const DELETED: &str = "{id: string, title: string, deleted_at: date-time}";
const NOTE: &str = "{id: string, title: string, size: integer, state: open|closed}";

#[test]
fn a_filter_by_soft_deletion_needs_a_timestamp_and_words() {
    suggests(
        DELETED,
        "with_deleted: string    => trashed /deleted_at
         deleted: string         => trashed /deleted_at
         archived: string        => trashed /deleted_at
         with_deleted: boolean   => unclear: this one takes no words
         with_deleted: date-time => unclear: this one takes no words
         with_deleted: {}        => unclear: this one takes no words",
    );
    suggests(
        "{id: string, archived_at: date-time, deleted_at: date-time}",
        "archived: string => trashed /archived_at",
    );
    suggests(
        "{id: string}",
        "with_deleted: string => unclear: no such timestamp is shown",
    );
    suggests(
        "{id: string, deleted_at: date}",
        "with_deleted: string => unclear: no member that is called so",
    );
}

#[test]
fn a_member_that_is_called_deleted_decides_by_its_own_schema() {
    suggests(
        "{id: string, deleted: boolean, deleted_at: date-time}",
        "deleted: boolean => flag /deleted",
    );
    suggests(
        "{id: string, deleted: string, deleted_at: date-time}",
        "deleted: string            => exact /deleted
         deleted: with|only|without => trashed /deleted_at",
    );
}

#[test]
fn the_words_of_a_filter_by_soft_deletion_are_told_where_they_are_others() {
    suggests(
        DELETED,
        r#"trashed: with|only|without => trashed /deleted_at
           trashed: without|with|only => trashed /deleted_at
           trashed: with|only|never   => trashed /deleted_at, words {"with":"with","only":"only","without":"never"}
           trashed: no|deleted|with_deleted => trashed /deleted_at, words {"with":"with_deleted","only":"deleted","without":"no"}
           trashed: with|only         => unclear: with the deleted, only them, without them
           trashed: only|without      => unclear: with the deleted, only them, without them
           trashed: with|without      => unclear: with the deleted, only them, without them"#,
    );
}

#[test]
fn a_name_that_only_says_equality_may_be_that_of_a_member() {
    suggests("{id: string, is: string}", "is: string => exact /is");
    suggests(
        NOTE,
        "title_is: string  => exact /title
         title_was: string => unclear: no member that is called so",
    );
}

#[test]
fn a_flag_is_filtered_by_a_truth_value_only() {
    suggests(
        "{is_manager: boolean, has_reports: boolean}",
        "manager: boolean     => flag /is_manager
         has_manager: boolean => flag /is_manager
         reports: boolean     => flag /has_reports
         worker: boolean      => unclear: no member that is called so
         manager: string      => unclear: no member that is called so
         is_manager: string   => unclear: /is_manager is true or false, and it is not",
    );
    suggests(
        "{is_manager: string}",
        "manager: boolean    => unclear: no member that is called so
         is_manager: boolean => unclear: it is true or false, and /is_manager is not",
    );
    // A flag of an object is found by its own name alone.
    suggests(
        "{id: string, role: {properties: {is_manager: {type: boolean}}}}",
        "manager: boolean    => unclear: no member that is called so
         is_manager: boolean => flag /role/is_manager",
    );
}

#[test]
fn a_filter_takes_no_value_that_its_member_never_has() {
    suggests(
        NOTE,
        "state: open|closed => exact /state
         state: open|lost   => unclear: /state never has the value `lost`
         title: long|short  => exact /title
         title: long|any    => unclear: /title never has the value `any`",
    );
}

#[test]
fn a_phrase_of_the_description_counts_for_a_text_without_words() {
    suggests(
        NOTE,
        "title: string      ; As rendered.        => unclear: what an answer shows
         state: open|closed ; As rendered.        => unclear: what an answer shows
         title: string      ; A SCIM expression.  => unclear: language of its own
         state: open|closed ; A SCIM expression.  => exact /state
         title: string      ; A prefix.           => unclear: /title begins with the value
         state: open|closed ; A prefix.           => exact /state
         title: string      ; A substring of it.  => contains /title
         state: open|closed ; A substring of it.  => exact /state
         size: integer      ; A substring of it.  => exact /size
         q: string          ; A SCIM expression.  => unclear: language of its own
         q: string          ; A prefix.           => unclear: a text begins with the value",
    );
}

#[test]
fn a_bound_is_of_a_timestamp_that_its_name_says() {
    suggests(
        "{id: string, created_at: date-time, updated_at: date-time}",
        "created_after: string     => after /created_at
         created_after: {}         => after /created_at
         before_update: string     => before /updated_at
         created_at_gte: date-time => after /created_at
         created_after: integer    => unclear: a bound of a timestamp is a text, and this one is not
         created_after: old|new    => unclear: a bound of a timestamp is a text, and this one is not
         moved_after: date-time    => unclear: no member that is called so
         moved_after: integer      => unclear: no member that is called so",
    );
    suggests(
        "{id: string, created: date-time, created_at: date-time}",
        "created_before: string => before /created",
    );
    suggests(
        "{id: string, created_at: date-time, creation_date: date-time}",
        "created_after: string => unclear: a bound of /created_at or /creation_date",
    );
}

#[test]
fn a_bound_of_another_member_is_none_that_the_runner_knows() {
    for kind in ["integer", "number", "string", "date"] {
        suggests(
            &format!("{{id: string, size: {kind}}}"),
            "min_size: string => unclear: it is a bound of /size, and the runner knows bounds of a `date-time`",
        );
    }
    suggests(
        "{id: string, due_date: date, size: array, done: boolean}",
        "due_before: string => unclear: it is a bound of /due_date, and
         min_size: integer  => unclear: no member that is called so
         min_done: string   => unclear: no member that is called so",
    );
}

#[test]
fn a_bound_without_a_name_is_of_the_only_timestamp() {
    suggests(
        "{id: string, created_at: date-time}",
        "since: date-time          => after /created_at
         since: string ; A date.   => after /created_at
         since: string ; Any time. => after /created_at
         since: string ; A number. => unclear: no member that is called so",
    );
    suggests(
        "{id: string}",
        "since: date-time => unclear: which of 0 timestamps",
    );
}

#[test]
fn a_bound_without_a_name_is_of_the_timestamp_that_is_described() {
    suggests(
        "{id: string, created_at: date-time, updated_at: date-time}",
        "since: date-time ; Notes updated since then.   => after /updated_at
         since: date-time ; Notes created or updated.   => unclear: which of 2 timestamps
         since: date-time ; Since then.                 => unclear: which of 2 timestamps",
    );
    // Words that name a bound or a time do not name a timestamp.
    suggests(
        "{id: string, start_time: date-time, created_at: date-time}",
        "since: date-time ; The start.                  => unclear: which of 2 timestamps
         since: date-time ; The start, when created.    => after /created_at",
    );
    suggests(
        "{id: string, on_date: date-time, date: date-time, created_at: date-time}",
        "since: date-time ; The date.                   => unclear: which of 3 timestamps
         time_after: date-time                          => unclear: which of 3 timestamps",
    );
}

#[test]
fn a_part_is_searched_in_a_text_or_an_object() {
    suggests(
        "{id: string, title: string, size: integer, author: {properties: {name: {type: string}}}}",
        "title_search: string  => contains /title
         title_search: {}      => contains /title
         author_search: string => contains /author
         size_search: string   => unclear: one of them is no text
         title_search: integer => unclear: one of them is no text
         colour_search: string => unclear: no member that is called so",
    );
    suggests(
        "{a: {properties: {name: {type: string}}}, b: {properties: {name: {type: string}}}}",
        "name_search: string => unclear: it searches /a/name or /b/name
         name: string        => unclear: its name is that of /a/name or /b/name",
    );
}

#[test]
fn a_search_looks_at_the_texts_that_are_described() {
    suggests(
        "{id: string, title: string, first_name: string, tags: array, groups: array}",
        "q: string                                 => contains /title /first_name
         q: string ; Looks at the title.           => contains /title
         q: string ; Looks at the titles of them.  => contains /title
         q: string ; By title                      => contains /title
         q: string ; Looks at titles.              => contains /title
         q: string ; Title or first name.          => contains /title /first_name
         q: string ; The first_name.               => contains /first_name
         q: string ; The subtitle, a titled name.  => contains /title /first_name
         q: string ; The first title, and a name.  => contains /title
         q: string ; Title and tags of it.         => unclear: names /tags, which is an array
         q: integer                                => unclear: no member that is called so
         q: title|name                             => unclear: no member that is called so",
    );
}

#[test]
fn a_search_without_a_description_looks_at_all_texts_if_they_are_few() {
    suggests(
        "{id: string, a: string, b: string, c: string, d: string}",
        "q: string => contains /a /b /c /d",
    );
    suggests(
        "{id: string, a: string, b: string, c: string, d: string, e: string}",
        "q: string               => unclear: which of 5 texts
         q: string ; Looks at e. => contains /e",
    );
    suggests("{id: string}", "q: string => unclear: which of 0 texts");
}

#[test]
fn a_match_that_the_runner_does_not_have_is_named_for_a_member_only() {
    suggests(
        NOTE,
        "title_not: string         => unclear: no filter that matches /title in this way
         title[startswith]: string => unclear: no filter that matches /title in this way
         colour_not: string        => unclear: no member that is called so
         not: string               => unclear: no member that is called so",
    );
}

#[test]
fn a_filter_in_a_wrapper_looks_at_a_hidden_member_where_no_member_has_its_name() {
    suggests(
        NOTE,
        "filter[shoe_size]: string   => exact /shoe_size, not shown
         filter[moved_after]: string => after /moved, not shown
         filter[moved][lt]: string   => before /moved, not shown
         filter[shoe_like]: string   => contains /shoe, not shown
         shoe_size: string           => unclear: no member that is called so
         filter[shoe]: boolean       => unclear: no member that is called so",
    );
}

#[test]
fn several_values_and_objects_are_no_filter() {
    suggests(
        NOTE,
        "title: {type: array, items: {type: string}}         => unclear: it takes several values or an object
         title: {type: object}                               => unclear: it takes several values or an object
         title: {oneOf: [{type: string}, {type: integer}]}   => unclear: it takes several values or an object
         title: {anyOf: [{type: string}, {type: integer}]}   => unclear: it takes several values or an object
         title: {anyOf: [{type: string}, {type: 'null'}]}    => exact /title",
    );
}

#[test]
fn a_suggestion_says_what_it_was_read_from() {
    for (written, description, reason) in [
        ("title: string", "", "the name is that of /title"),
        (
            "title[eq]: string",
            "",
            "the name says that /title equals the value",
        ),
        (
            "title: string",
            "Contains it.",
            "the description says a part of it",
        ),
        ("since: date-time", "", "/deleted_at is the only timestamp"),
        (
            "since: date-time",
            "When deleted.",
            "the description names /deleted_at",
        ),
        (
            "deleted_after: string",
            "",
            "the name says at least, and /deleted_at is a timestamp",
        ),
        (
            "deleted_before: string",
            "",
            "the name says at most, and /deleted_at is a timestamp",
        ),
        ("q: string", "Title.", "the description names these members"),
        ("q: string", "", "these are the texts of the record"),
    ] {
        let mut parameter = parameter(written);
        parameter["description"] = description.into();
        let found = suggest(&document(&object(DELETED), &Value::Null, &[parameter]));
        let filter = found
            .made
            .iter()
            .find(|one| one.annotation == "x-filter")
            .unwrap();
        assert!(filter.why.contains(reason), "{written}: {}", filter.why);
        assert!(reading(DELETED, written, description).is_ok());
    }
}

#[test]
fn a_rule_prints_what_it_recognises_and_suggests() {
    for rule in RULES {
        assert_eq!(
            format!("{rule:?}"),
            format!("{}: {}", rule.recognises, rule.suggests)
        );
    }
}
