//! What comes of requests that the specification does not know (H2). An error of the server's is told as well.

use super::came::Came;
use crate::checks::Looking;
use crate::context::Context;
use crate::outcome::Tally;

/// So many characters are more than any value has.
const OVERLONG: usize = 3_000;

pub(super) fn observed<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        for list in context.readable() {
            let subject = &context.list(list).subject;
            let text = subject
                .filters
                .iter()
                .find(|judged| is_text(&judged.filter.value));
            let (true, Some(name)) = (subject.specified, text.map(|judged| judged.name.clone())) else {
                continue;
            };
            let path = subject.name().to_owned();
            let family = name.split('[').next().unwrap_or(&name).to_owned();
            let whole = Came::of(context, list, &[]).await?;
            let overlong = context.choice("garbage").word(OVERLONG);
            let (nameless, deep) = (format!("{family}[]"), format!("{name}[x]"));
            for (point, question, name, value) in [
                ("L20", "an over-long value", &name, overlong.as_str()),
                ("L6", "a value with a zero byte", &name, "a\0b"),
                ("L6", "a value with a line break", &name, "a\r\nb"),
                (
                    "L6",
                    "a value with a letter that is none",
                    &name,
                    "\u{fffe}\u{202e}",
                ),
                ("L6", "brackets without a name", &nameless, "x"),
                ("L6", "brackets after brackets", &deep, "x"),
            ] {
                let came = Came::of(context, list, &[(name, value)]).await?;
                tally.observe(
                    point,
                    format!("{question}, {path}"),
                    came.word(&[("ignored", &whole)]),
                );
            }
        }
        tally.gap_if_unobserved("a list with a filter by a text");
        Ok(())
    })
}

fn is_text(kind: &rollcall_contract::ValueKind) -> bool {
    matches!(kind, rollcall_contract::ValueKind::Text { .. })
}
