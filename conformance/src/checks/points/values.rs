//! How values are read (E12, X8).

use rollcall_contract::{Match, Role};

use super::came::{Came, texts};
use crate::checks::Looking;
use crate::context::Context;
use crate::outcome::Tally;
use crate::request::Brackets;
use crate::subject::NO_NAME;

pub(super) fn exact<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        let Some((filter, value, other)) = texts(context, Match::Exact, |_| true).await? else {
            tally.gap("two values of text");
            return Ok(());
        };
        let (list, name) = (filter.list, filter.name.as_str());
        let (capitals, both) = (value.to_uppercase(), format!("{value},{other}"));
        let whole = Came::of(context, list, &[]).await?;
        let one = Came::of(context, list, &[(name, &value)]).await?;
        let two = Came::of(context, list, &[(name, &other)]).await?;
        let came = Came::of(context, list, &[(name, &capitals)]).await?;
        tally.observe(
            "L9",
            "an exact value in capitals",
            match came.word(&[("folded", &one)]).as_str() {
                "[]" => "exact",
                word => word,
            },
        );
        let came = Came::of(context, list, &[(name, &both)]).await?;
        let either = came.ids() == &one.ids() | &two.ids();
        tally.observe(
            "L9",
            "two exact values with a comma",
            match came.word(&[("the first", &one), ("the last", &two)]) {
                word if word == "[]" => "literal".to_owned(),
                _ if either => "either".to_owned(),
                word => word,
            },
        );
        let came = Came::of(context, list, &[(name, "")]).await?;
        tally.observe(
            "L8",
            "an exact filter that is empty",
            came.word(&[("ignored", &whole)]),
        );
        let came = Came::of(context, list, &[(name, &value), (name, &other)]).await?;
        let word = came.word(&[("the first", &one), ("the last", &two)]);
        tally.observe("L7", "an exact filter given twice", word);
        let unknown = name.replace(']', &format!("_{}]", context.choice("unknown").word(5)));
        let came = Came::of(context, list, &[(&unknown, &value)]).await?;
        tally.observe(
            "L6",
            "a filter that does not exist",
            came.word(&[("ignored", &whole)]),
        );
        let unknown = context.choice("unknown").word(7);
        let came = Came::of(context, list, &[(&unknown, "1")]).await?;
        tally.observe(
            "L6",
            "a parameter that does not exist",
            came.word(&[("ignored", &whole)]),
        );
        let mut plain = context.query(list, &[(name, &value)]);
        plain.brackets = Brackets::Plain;
        let came = Came::to(context, list, &plain).await?;
        let word = came.word(&[("as encoded", &one), ("ignored", &whole)]);
        tally.observe("L6", "brackets that are not encoded", word);
        generic(context, list, &value, &whole, tally).await?;
        empty(context, list, tally).await?;
        Ok(())
    })
}

/// L12: the filter without a name.
async fn generic(
    context: &mut Context,
    list: usize,
    value: &str,
    whole: &Came,
    tally: &mut Tally,
) -> Result<(), crate::target::Trouble> {
    let operation = context.list(list).subject.operation.clone();
    let bare = operation.filters().map(|(parameter, _)| &parameter.name);
    let Some(name) = bare.into_iter().find(|name| !name.contains('[')) else {
        return Ok(());
    };
    let part: String = value.chars().take(3).collect();
    for (question, value) in [
        ("the bare filter with a value", value),
        ("the bare filter with a part of a value", &part),
    ] {
        let came = Came::of(context, list, &[(name, value)]).await?;
        let word = came
            .word(&[("ignored", whole)])
            .replace("other records", "some records");
        tally.observe("L12", question, word);
    }
    Ok(())
}

/// L8: lists of words without any.
async fn empty(context: &mut Context, list: usize, tally: &mut Tally) -> Result<(), crate::target::Trouble> {
    for (role, question) in [
        (Role::Sort, "an empty order"),
        (Role::Include, "an empty list of relations"),
    ] {
        let name = context.list(list).subject.parameter(role).map(str::to_owned);
        if let Some(name) = name {
            let came = Came::of(context, list, &[(&name, "")]).await?;
            tally.observe("L8", question, came.granted());
        }
    }
    Ok(())
}

pub(super) fn partial<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        unnamed(context, tally).await?;
        let non_ascii = |value: &str| {
            value
                .chars()
                .any(|letter| !letter.is_ascii() && letter.is_lowercase())
        };
        for (question, is_good) in [
            ("a part of a value in capitals", None),
            ("a letter beyond ASCII in capitals", Some(non_ascii)),
        ] {
            let found = texts(context, Match::Contains, |value| {
                is_good.is_none_or(|is| is(value))
            })
            .await?;
            let Some((filter, value, _)) = found else { continue };
            let (list, name) = (filter.list, filter.name.as_str());
            let capitals = match is_good {
                None => value.to_uppercase(),
                Some(_) => beyond_ascii(&value),
            };
            let one = Came::of(context, list, &[(name, &value)]).await?;
            let came = Came::of(context, list, &[(name, &capitals)]).await?;
            tally.observe(
                "L10",
                question,
                match came.word(&[("folded", &one)]).as_str() {
                    "[]" => "exact",
                    word => word,
                },
            );
            if is_good.is_none() {
                let whole = Came::of(context, list, &[]).await?;
                let came = Came::of(context, list, &[(name, "")]).await?;
                tally.observe(
                    "L8",
                    "a partial filter that is empty",
                    came.word(&[("ignored", &whole)]),
                );
            }
        }
        tally.gap_if_unobserved("a value of text");
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
async fn unnamed(context: &mut Context, tally: &mut Tally) -> Result<(), crate::target::Trouble> {
    for list in context.readable() {
        if !context.list(list).subject.specified {
            continue;
        }
        let operation = &context.list(list).subject.operation;
        let is_unnamed = |points: &[String]| points.iter().any(|point| point == NO_NAME);
        let names: Vec<_> = operation
            .filters()
            .filter(|(parameter, _)| is_unnamed(&parameter.origin.open_points))
            .map(|(parameter, _)| parameter.name.clone())
            .collect();
        let needle = context.choice("unnamed").word(12);
        for name in &names {
            let whole = Came::of(context, list, &[]).await?;
            let came = Came::of(context, list, &[(name, &needle)]).await?;
            let word = came.word(&[("ignored", &whole)]).replace("[]", "known");
            tally.observe("L11", name.clone(), word);
        }
    }
    Ok(())
}
