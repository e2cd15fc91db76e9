//! How values are read (E12, X8).

use rollcall_contract::{Match, Role};
use rollcall_oracle::corpus::list_spec::NO_NAME;
use rollcall_oracle::corpus::predicate::ObservableFilter;
use rollcall_oracle::http::request::Spelling;
use rollcall_oracle::http::target::TargetError;

use super::first_page::{FirstPage, texts};
use crate::checks::CheckFuture;
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;

pub(super) fn exact<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let Some((filter, value, other)) = texts(engine, Match::Exact, |_| true).await? else {
            result.gap("two values of text");
            return Ok(());
        };
        if let Some(blanks) = engine.blanks {
            result.observe("L21", "blanks around the value of a filter", blanks.describe());
        }
        let (list, name) = (filter.list, filter.name.as_str());
        let whole = FirstPage::of(engine, list, &[]).await?;
        let one = FirstPage::of(engine, list, &[(name, &value)]).await?;
        let two = FirstPage::of(engine, list, &[(name, &other)]).await?;
        let question = ("L9", "an exact value in capitals");
        observe_capitals(engine, &filter, question, (&value, &value.to_uppercase()), result).await?;
        let first_page = FirstPage::of(engine, list, &[(name, &format!("{value},{other}"))]).await?;
        let is_either = first_page.ids() == &one.ids() | &two.ids();
        let first_or_last = [("the first", &one), ("the last", &two)];
        let word = match first_page.word_or("literal", &first_or_last) {
            word if word != "literal" && is_either => "either".to_owned(),
            word => word,
        };
        result.observe("L9", "two exact values with a comma", word);
        let twice = [(name, value.as_str()), (name, &other)];
        let word = FirstPage::word_of(engine, list, &twice, &first_or_last).await?;
        result.observe("L7", "an exact filter given twice", word);
        let mut plain = engine.query(list, &[(name, &value)]);
        plain.spelling = Spelling::PlainBrackets;
        let first_page = FirstPage::to(engine, list, &plain).await?;
        let word = first_page.word(&[("as encoded", &one), ("ignored", &whole)]);
        result.observe("L6", "brackets that are not encoded", word);
        let nameless = engine.choice("unknown").word(7);
        let unknown = name.replace(']', &format!("_{}]", engine.choice("unknown").word(5)));
        for (point, question, name, value) in [
            ("L8", "an exact filter that is empty", name, ""),
            ("L6", "a filter that does not exist", &unknown, value.as_str()),
            ("L6", "a parameter that does not exist", &nameless, "1"),
        ] {
            let word = FirstPage::word_of(engine, list, &[(name, value)], &[("ignored", &whole)]).await?;
            result.observe(point, question, word);
        }
        generic(engine, list, &value, &whole, result).await?;
        empty(engine, list, result).await
    })
}

/// L12: the filter without a name.
async fn generic(
    engine: &mut Engine,
    list: usize,
    value: &str,
    whole: &FirstPage,
    result: &mut CheckResult,
) -> Result<(), TargetError> {
    let operation = engine.list(list).spec.operation.clone();
    let bare = operation
        .filters()
        .find(|(parameter, _)| !parameter.name.contains('['));
    let Some((bare, _)) = bare else { return Ok(()) };
    let part: String = value.chars().take(3).collect();
    for (question, value) in [
        ("the bare filter with a value", value),
        ("the bare filter with a part of a value", &part),
    ] {
        let word = FirstPage::word_of(engine, list, &[(&bare.name, value)], &[("ignored", whole)]).await?;
        result.observe("L12", question, word.replace("other records", "some records"));
    }
    Ok(())
}

/// L8: lists of words without any.
async fn empty(engine: &mut Engine, list: usize, result: &mut CheckResult) -> Result<(), TargetError> {
    for (role, question) in [
        (Role::Sort, "an empty order"),
        (Role::Include, "an empty list of relations"),
    ] {
        let name = engine.list(list).spec.parameter(role).map(str::to_owned);
        if let Some(name) = name {
            let first_page = FirstPage::of(engine, list, &[(&name, "")]).await?;
            result.observe("L8", question, first_page.granted());
        }
    }
    Ok(())
}

pub(super) fn partial<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        unnamed(engine, result).await?;
        if let Some((filter, value, _)) = texts(engine, Match::Contains, |_| true).await? {
            let question = ("L10", "a part of a value in capitals");
            observe_capitals(engine, &filter, question, (&value, &value.to_uppercase()), result).await?;
            let whole = FirstPage::of(engine, filter.list, &[]).await?;
            let empty = [(filter.name.as_str(), "")];
            let word = FirstPage::word_of(engine, filter.list, &empty, &[("ignored", &whole)]).await?;
            result.observe("L8", "a partial filter that is empty", word);
        }
        let is_small = |letter: char| !letter.is_ascii() && letter.is_lowercase();
        let found = texts(engine, Match::Contains, |value| value.chars().any(is_small)).await?;
        if let Some((filter, value, _)) = found {
            let question = ("L10", "a letter beyond ASCII in capitals");
            observe_capitals(engine, &filter, question, (&value, &beyond_ascii(&value)), result).await?;
        }
        result.gap_if_unobserved("a value of text");
        Ok(())
    })
}

/// L9, L10: whether a value in capitals finds what it finds as it is.
async fn observe_capitals(
    engine: &mut Engine,
    filter: &ObservableFilter,
    (point, question): (&'static str, &str),
    (value, capitals): (&str, &str),
    result: &mut CheckResult,
) -> Result<(), TargetError> {
    let one = FirstPage::of(engine, filter.list, &[(&filter.name, value)]).await?;
    let first_page = FirstPage::of(engine, filter.list, &[(&filter.name, capitals)]).await?;
    result.observe(point, question, first_page.word_or("exact", &[("folded", &one)]));
    Ok(())
}

/// The text with the letters beyond ASCII in capitals, as far as a capital is one letter.
fn beyond_ascii(text: &str) -> String {
    let raise = |letter: char| {
        let mut raised = letter.to_uppercase();
        match (letter.is_ascii(), raised.len()) {
            (false, 1) => raised.next().unwrap_or(letter),
            _ => letter,
        }
    };
    text.chars().map(raise).collect()
}

/// L11: whether the filters that have no name of their own answer to ours.
async fn unnamed(engine: &mut Engine, result: &mut CheckResult) -> Result<(), TargetError> {
    let needle = engine.choice("unnamed").word(12);
    for list in engine.readable() {
        let spec = &engine.list(list).spec;
        let unnamed = spec.operation.filters().filter(|(parameter, _)| {
            let mut points = parameter.origin.open_points.iter();
            spec.specified && points.any(|point| point == NO_NAME)
        });
        let names: Vec<_> = unnamed.map(|(parameter, _)| parameter.name.clone()).collect();
        for name in names {
            let whole = FirstPage::of(engine, list, &[]).await?;
            let first_page = FirstPage::of(engine, list, &[(&name, &needle)]).await?;
            result.observe("L11", name, first_page.word_or("known", &[("ignored", &whole)]));
        }
    }
    Ok(())
}
