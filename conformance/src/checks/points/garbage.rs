//! What comes of requests that the specification does not know (H2). An error of the server's is told as well.

use rollcall_contract::ValueKind;

use super::first_page::FirstPage;
use crate::checks::CheckFuture;
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;

/// So many characters are more than any value has.
const OVERLONG: usize = 3_000;

pub(super) fn observed<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        for list in engine.readable() {
            let spec = &engine.list(list).spec;
            let mut filters = spec.filters.iter();
            let text = filters.find(|judged| matches!(judged.filter.value, ValueKind::Text { .. }));
            let (true, Some(name)) = (spec.specified, text.map(|judged| judged.name.clone())) else {
                continue;
            };
            let path = spec.name().to_owned();
            let family = name.split('[').next().unwrap_or(&name).to_owned();
            let whole = FirstPage::of(engine, list, &[]).await?;
            let overlong = engine.choice("garbage").word(OVERLONG);
            let (nameless, deep) = (format!("{family}[]"), format!("{name}[x]"));
            for (point, question, name, value) in [
                ("L20", "an over-long value", &name, overlong.as_str()),
                ("L6", "a value with a zero byte", &name, "a\0b"),
                ("L6", "a value with a line break", &name, "a\r\nb"),
                (
                    "L6",
                    "a value with a code point that is no character",
                    &name,
                    "\u{fffe}\u{202e}",
                ),
                ("L6", "brackets without a name", &nameless, "x"),
                ("L6", "brackets after brackets", &deep, "x"),
            ] {
                let word = FirstPage::word_of(engine, list, &[(name, value)], &[("ignored", &whole)]).await?;
                result.observe(point, format!("{question}, {path}"), word);
            }
        }
        result.gap_if_unobserved("a list with a filter by a text");
        Ok(())
    })
}
