//! Bodies of writes that are taken and should be refused, or the other way round.

use serde_json::{Value, json};

use super::{Operator, Scope, When};
use crate::mutation::Draw;
use crate::{Asked, Hooks};

const DEPRECATE: &str = "/deprecate";
const RESTORE: &str = "/restore";

/// What a value of a member is taken for; none leaves it.
type Reading = fn(&Value) -> Option<Value>;

/// Readings of `expires_after_days`.
const DAYS: &[(&str, Reading)] = &[
    ("is taken from a text", |value| {
        Some(json!(value.as_str()?.trim().parse::<i64>().ok()?))
    }),
    ("is taken from a text with a unit", |value| {
        let digits: String = value.as_str()?.chars().take_while(char::is_ascii_digit).collect();
        Some(json!(digits.parse::<i64>().ok()?))
    }),
    ("is cut to a whole number", |value| {
        Some(json!(value.as_f64().filter(|days| days.fract() != 0.0)? as i64))
    }),
    ("is taken from a truth value", |value| {
        Some(json!(i64::from(value.as_bool()?)))
    }),
    ("is taken from a list", |value| value.as_array()?.first().cloned()),
    ("may be -1", |value| (value.as_i64()? == -1).then(|| json!(0))),
    ("may be negative", |value| (value.as_i64()? < 0).then(|| json!(0))),
    ("may be 1096", |value| {
        (value.as_i64()? == 1096).then(|| json!(1095))
    }),
    ("may be too many", |value| {
        (value.as_i64()? > 1095).then(|| json!(1095))
    }),
    ("may be too many for 31 bits", |value| {
        (value.as_f64()? > 2_147_483_647.0).then(|| json!(1095))
    }),
    ("wraps at 8 bits", |value| {
        (value.as_i64()? > 1095).then(|| json!(value.as_i64().unwrap_or(0) & 0xff))
    }),
    ("wraps at 16 bits", |value| wrapped(value, 0xffff)),
    ("wraps at 32 bits", |value| wrapped(value, 0xffff_ffff)),
    ("may not be 0", |value| {
        (value.as_i64()? == 0).then(|| json!("refused"))
    }),
    ("may not be 1095", |value| {
        (value.as_i64()? == 1095).then(|| json!("refused"))
    }),
    ("may not be more than 365", |value| {
        (value.as_i64()? > 365).then(|| json!("refused"))
    }),
    ("may not be null", |value| {
        value.is_null().then(|| json!("refused"))
    }),
    ("may be an empty text", |value| {
        (value.as_str()?.is_empty()).then(|| Value::Null)
    }),
    ("may be an object", |value| value.as_object().map(|_| Value::Null)),
];

/// Readings of `expires_at`.
const TIMES: &[(&str, Reading)] = &[
    ("is ignored where it is no timestamp", |value| {
        value
            .as_str()?
            .parse::<jiff::Timestamp>()
            .is_err()
            .then_some(Value::Null)
    }),
    ("may be a date", |value| {
        let text = value.as_str()?;
        (text.len() == 10).then(|| json!(format!("{text}T00:00:00Z")))
    }),
    ("may have no offset", |value| {
        let text = value.as_str()?;
        (text.contains('T') && text.parse::<jiff::civil::DateTime>().is_ok() && !text.ends_with('Z'))
            .then(|| json!(format!("{text}Z")))
    }),
    ("may be a number", |value| {
        let at = jiff::Timestamp::from_second(value.as_i64()?).ok()?;
        Some(json!(format!("{at:.6}")))
    }),
    ("may be a day that does not exist", |value| {
        let text = value.as_str()?;
        let rolled = format!("{}28{}", text.get(..8)?, text.get(10..)?);
        (text.parse::<jiff::Timestamp>().is_err() && rolled.parse::<jiff::Timestamp>().is_ok())
            .then(|| json!(rolled))
    }),
    ("may be an empty text", |value| {
        value.as_str()?.is_empty().then_some(Value::Null)
    }),
    ("may be a truth value", |value| {
        value.as_bool().map(|_| Value::Null)
    }),
    ("may be a list", |value| {
        value.as_array()?.first().cloned().or(Some(Value::Null))
    }),
    ("may not be null", |value| {
        value.is_null().then(|| json!("refused"))
    }),
    ("may not have an offset", |value| {
        value.as_str()?.contains("+0").then(|| json!("refused"))
    }),
    ("may not have a fraction of a second", |value| {
        value.as_str()?.contains('.').then(|| json!("refused"))
    }),
    ("may be a text that begins with a timestamp", |value| {
        let text = value.as_str()?;
        let start = text.get(..20)?;
        (text.parse::<jiff::Timestamp>().is_err() && start.parse::<jiff::Timestamp>().is_ok())
            .then(|| json!(start))
    }),
];

/// Readings of `roles`.
const ROLES: &[(&str, Reading)] = &[
    ("is taken from a text", |value| {
        Some(json!(value.as_str()?.parse::<bool>().ok()?))
    }),
    ("is taken from any text", |value| {
        Some(json!(!value.as_str()?.is_empty()))
    }),
    ("is taken from a number", |value| {
        Some(json!(value.as_f64()? != 0.0))
    }),
    ("is taken from 0 and 1", |value| {
        Some(json!(
            [false, true][usize::try_from(value.as_u64()?).ok().filter(|one| *one < 2)?]
        ))
    }),
    ("may be null", |value| value.is_null().then(|| json!(false))),
    ("may be a list", |value| {
        value.as_array().map(|all| json!(!all.is_empty()))
    }),
    ("may be an object", |value| value.as_object().map(|_| json!(true))),
    ("may not be false", |value| {
        (value == false).then(|| json!("refused"))
    }),
    ("may not be true", |value| {
        (value == true).then(|| json!("refused"))
    }),
    ("may be an empty text", |value| {
        value.as_str()?.is_empty().then(|| json!(false))
    }),
];

/// What a body as a whole is taken for; none leaves it.
type Whole = fn(&Asked, Option<&Value>) -> Option<Value>;

const WHOLES: &[(&str, Whole)] = &[
    ("is empty where it is none", |_, body| {
        body.is_none().then(|| json!({}))
    }),
    ("is empty where it is a list", |_, body| {
        body?.is_array().then(|| json!({}))
    }),
    ("is empty where it is a text", |_, body| {
        body?.is_string().then(|| json!({}))
    }),
    ("is empty where it is a number", |_, body| {
        body?.is_number().then(|| json!({}))
    }),
    ("is empty where it is null", |_, body| {
        body?.is_null().then(|| json!({}))
    }),
    ("is the first of a list", |_, body| {
        body?.as_array()?.first().cloned()
    }),
    ("is what data holds", |_, body| body?.get("data").cloned()),
    ("is read from JSON in a text", |_, body| {
        serde_json::from_str(body?.as_str()?).ok()
    }),
    (
        "has roles that are false where they are missing",
        |asked, body| {
            let is_it = asked.path.ends_with(RESTORE) && body.is_none_or(|body| body.get("roles").is_none());
            is_it.then(|| json!({"roles": false}))
        },
    ),
];

/// Draws a wrong reading of a body.
pub(super) fn draw(draw: &mut Draw) -> Operator {
    let (verb, member, readings) = draw.pick_copy(&[
        (DEPRECATE, "expires_after_days", DAYS),
        (DEPRECATE, "expires_after_days", DAYS),
        (DEPRECATE, "expires_at", TIMES),
        (DEPRECATE, "expires_at", TIMES),
        (RESTORE, "roles", ROLES),
        (RESTORE, "roles", ROLES),
        ("", "", &[]),
    ]);
    if readings.is_empty() {
        let (says, whole) = draw.pick_copy(WHOLES);
        return Operator::new(
            "body of a write",
            Scope::Write,
            format!("a body {says}"),
            move |hooks: &mut Hooks, when: &When| {
                let when = when.clone();
                hooks.on_body(move |asked, body| {
                    if when.asked(asked)
                        && let Some(taken) = whole(asked, body.as_ref())
                    {
                        *body = Some(taken);
                    }
                });
            },
        );
    }
    let (says, reading) = draw.pick_copy(readings);
    Operator::new(
        "body of a write",
        Scope::Write,
        format!("{member} {says}"),
        move |hooks: &mut Hooks, when: &When| {
            let when = when.clone();
            hooks.on_body(move |asked, body| {
                if asked.path.ends_with(verb)
                    && when.asked(asked)
                    && let Some(value) = body.as_mut().and_then(|body| body.get_mut(member))
                    && let Some(taken) = reading(value)
                {
                    *value = taken;
                }
            });
        },
    )
}

fn wrapped(value: &Value, mask: i64) -> Option<Value> {
    let days = value.as_i64().filter(|days| !(0..=1095).contains(days))?;
    Some(json!(days & mask))
}
