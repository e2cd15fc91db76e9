//! How values are read (E12, X8).

use rollcall_contract::{Match, Role};

use super::first_page::{FirstPage, texts};
use crate::checks::CheckFuture;
use crate::corpus::list_spec::NO_NAME;
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;
use crate::http::request::Brackets;

pub(super) fn exact<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        let Some((filter, value, other)) = texts(engine, Match::Exact, |_| true).await? else {
            result.gap("two values of text");
            return Ok(());
        };
        let (list, name) = (filter.list, filter.name.as_str());
        let (capitals, both) = (value.to_uppercase(), format!("{value},{other}"));
        let whole = FirstPage::of(engine, list, &[]).await?;
        let one = FirstPage::of(engine, list, &[(name, &value)]).await?;
        let two = FirstPage::of(engine, list, &[(name, &other)]).await?;
        let first_page = FirstPage::of(engine, list, &[(name, &capitals)]).await?;
        result.observe(
            "L9",
            "an exact value in capitals",
            match first_page.word(&[("folded", &one)]).as_str() {
                "[]" => "exact",
                word => word,
            },
        );
        let first_page = FirstPage::of(engine, list, &[(name, &both)]).await?;
        let either = first_page.ids() == &one.ids() | &two.ids();
        result.observe(
            "L9",
            "two exact values with a comma",
            match first_page.word(&[("the first", &one), ("the last", &two)]) {
                word if word == "[]" => "literal".to_owned(),
                _ if either => "either".to_owned(),
                word => word,
            },
        );
        let first_page = FirstPage::of(engine, list, &[(name, "")]).await?;
        result.observe(
            "L8",
            "an exact filter that is empty",
            first_page.word(&[("ignored", &whole)]),
        );
        let first_page = FirstPage::of(engine, list, &[(name, &value), (name, &other)]).await?;
        let word = first_page.word(&[("the first", &one), ("the last", &two)]);
        result.observe("L7", "an exact filter given twice", word);
        let unknown = name.replace(']', &format!("_{}]", engine.choice("unknown").word(5)));
        let first_page = FirstPage::of(engine, list, &[(&unknown, &value)]).await?;
        result.observe(
            "L6",
            "a filter that does not exist",
            first_page.word(&[("ignored", &whole)]),
        );
        let unknown = engine.choice("unknown").word(7);
        let first_page = FirstPage::of(engine, list, &[(&unknown, "1")]).await?;
        result.observe(
            "L6",
            "a parameter that does not exist",
            first_page.word(&[("ignored", &whole)]),
        );
        let mut plain = engine.query(list, &[(name, &value)]);
        plain.brackets = Brackets::Plain;
        let first_page = FirstPage::to(engine, list, &plain).await?;
        let word = first_page.word(&[("as encoded", &one), ("ignored", &whole)]);
        result.observe("L6", "brackets that are not encoded", word);
        generic(engine, list, &value, &whole, result).await?;
        empty(engine, list, result).await?;
        Ok(())
    })
}

/// L12: the filter without a name.
async fn generic(
    engine: &mut Engine,
    list: usize,
    value: &str,
    whole: &FirstPage,
    result: &mut CheckResult,
) -> Result<(), crate::http::target::TargetError> {
    let operation = engine.list(list).spec.operation.clone();
    let bare = operation.filters().map(|(parameter, _)| &parameter.name);
    let Some(name) = bare.into_iter().find(|name| !name.contains('[')) else {
        return Ok(());
    };
    let part: String = value.chars().take(3).collect();
    for (question, value) in [
        ("the bare filter with a value", value),
        ("the bare filter with a part of a value", &part),
    ] {
        let first_page = FirstPage::of(engine, list, &[(name, value)]).await?;
        let word = first_page
            .word(&[("ignored", whole)])
            .replace("other records", "some records");
        result.observe("L12", question, word);
    }
    Ok(())
}

/// L8: lists of words without any.
async fn empty(
    engine: &mut Engine,
    list: usize,
    result: &mut CheckResult,
) -> Result<(), crate::http::target::TargetError> {
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
        let non_ascii = |value: &str| {
            value
                .chars()
                .any(|letter| !letter.is_ascii() && letter.is_lowercase())
        };
        for (question, is_good) in [
            ("a part of a value in capitals", None),
            ("a letter beyond ASCII in capitals", Some(non_ascii)),
        ] {
            let found = texts(engine, Match::Contains, |value| {
                is_good.is_none_or(|is| is(value))
            })
            .await?;
            let Some((filter, value, _)) = found else { continue };
            let (list, name) = (filter.list, filter.name.as_str());
            let capitals = match is_good {
                None => value.to_uppercase(),
                Some(_) => beyond_ascii(&value),
            };
            let one = FirstPage::of(engine, list, &[(name, &value)]).await?;
            let first_page = FirstPage::of(engine, list, &[(name, &capitals)]).await?;
            result.observe(
                "L10",
                question,
                match first_page.word(&[("folded", &one)]).as_str() {
                    "[]" => "exact",
                    word => word,
                },
            );
            if is_good.is_none() {
                let whole = FirstPage::of(engine, list, &[]).await?;
                let first_page = FirstPage::of(engine, list, &[(name, "")]).await?;
                result.observe(
                    "L8",
                    "a partial filter that is empty",
                    first_page.word(&[("ignored", &whole)]),
                );
            }
        }
        result.gap_if_unobserved("a value of text");
        Ok(())
    })
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
async fn unnamed(
    engine: &mut Engine,
    result: &mut CheckResult,
) -> Result<(), crate::http::target::TargetError> {
    for list in engine.readable() {
        if !engine.list(list).spec.specified {
            continue;
        }
        let operation = &engine.list(list).spec.operation;
        let is_unnamed = |points: &[String]| points.iter().any(|point| point == NO_NAME);
        let names: Vec<_> = operation
            .filters()
            .filter(|(parameter, _)| is_unnamed(&parameter.origin.open_points))
            .map(|(parameter, _)| parameter.name.clone())
            .collect();
        let needle = engine.choice("unnamed").word(12);
        for name in &names {
            let whole = FirstPage::of(engine, list, &[]).await?;
            let first_page = FirstPage::of(engine, list, &[(name, &needle)]).await?;
            let word = first_page.word(&[("ignored", &whole)]).replace("[]", "known");
            result.observe("L11", name.clone(), word);
        }
    }
    Ok(())
}
