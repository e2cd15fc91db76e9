//! Writes, step by step: what they answer, what they leave behind, and what they leave alone.

use std::sync::LazyLock;

use axum::http::Method;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::answer::canonical;
use super::compare::changed;
use super::expected::accepted;
use super::question::GRANTED;
use super::shown::Shown;
use crate::model::{Row, Rows, USERS};
use crate::mutation::Sample;
use crate::{Asked, Hooks, Model, benign};

/// How far timestamps of two models may be apart that were written at nearly the same time.
const MEANWHILE: SignedDuration = SignedDuration::from_secs(180);

/// A sequence of requests, of which the writes are fixed by the specification.
struct Sequence {
    steps: Vec<Asked>,
}

/// What a target does otherwise than every conforming model; none if nothing.
pub(super) fn violation(hooks: &dyn Fn() -> Hooks) -> Option<String> {
    let sample = &Sample::get().rows;
    let shown = Shown::by(&Model::of(sample.clone(), hooks()));
    let rows = shown.map_or_else(|_| sample.clone(), |shown| shown.rows);
    sequences().iter().find_map(|sequence| {
        let got = replies(sample, hooks(), sequence);
        let difference = difference(&replies(&rows, Hooks::default(), sequence), &got)?;
        let operations = benign::operations::variants().into_iter();
        let mut allowed = operations
            .map(|variant| variant.hooks())
            .chain(accepted().iter().map(|variant| variant.hooks()));
        let is_allowed =
            allowed.any(|hooks| self::difference(&replies(&rows, hooks, sequence), &got).is_none());
        let (step, what) = difference;
        let step = &sequence.steps[step];
        (!is_allowed).then(|| {
            let body = step.body.as_ref().map(Value::to_string).unwrap_or_default();
            format!("{} {} {body}: {what}", step.method, step.path)
        })
    })
}

fn replies(rows: &Rows, hooks: Hooks, sequence: &Sequence) -> Vec<(u16, Value)> {
    let target = Model::of(rows.clone(), hooks);
    let steps = sequence.steps.iter();
    steps
        .map(|step| {
            let mut reply = target.ask(step.clone());
            (reply.status, reply.body().take())
        })
        .collect()
}

/// The first step at which two targets answer otherwise, and in what.
fn difference(wanted: &[(u16, Value)], got: &[(u16, Value)]) -> Option<(usize, String)> {
    let steps = wanted.iter().zip(got).enumerate();
    steps
        .filter_map(|(step, ((status, wanted), (other, got)))| {
            let what = match (status / 100, other / 100) {
                (one, other) if one != other => Some(format!("status {other}xx in place of {one}xx")),
                (2, _) => unlike(wanted, got),
                _ => None,
            };
            what.map(|what| (step, what))
        })
        .next()
}

fn unlike(wanted: &Value, got: &Value) -> Option<String> {
    match (wanted, got) {
        (Value::Array(wanted), Value::Array(got)) => {
            let counts = (wanted.len() != got.len()).then(|| "another number of records".to_owned());
            counts.or_else(|| {
                wanted
                    .iter()
                    .zip(got)
                    .find_map(|(wanted, got)| unlike(wanted, got))
            })
        }
        _ => (!is_same(&canonical(wanted), &canonical(got)))
            .then(|| format!("{} is another", changed(wanted, got))),
    }
}

/// Whether two values are the same, but for the time that has passed.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(name, value)| other.get(name).is_some_and(|other| is_same(value, other)))
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        (Value::String(one), Value::String(other)) => {
            let times = one.parse::<Timestamp>().ok().zip(other.parse::<Timestamp>().ok());
            one == other || times.is_some_and(|(one, other)| one.duration_since(other).abs() < MEANWHILE)
        }
        _ => one == other,
    }
}

fn sequences() -> &'static [Sequence] {
    static SEQUENCES: LazyLock<Vec<Sequence>> = LazyLock::new(|| {
        let rows = &Sample::get().rows;
        let of = |path: &str, is: fn(&Row) -> bool| {
            let rows = rows.list(path).unwrap().iter().filter(|row| is(row));
            rows.map(|row| row.id().to_owned()).collect::<Vec<_>>()
        };
        let deprecate = Operation {
            list: "/directory/attributes",
            verb: "deprecate",
            ids: of("/directory/attributes", |row| {
                !row.is_trashed() && row.text_of("state") != Some("deactivated")
            }),
            valid: json!({"expires_after_days": 77}),
        };
        let restore = Operation {
            list: "/workspace/users",
            verb: "restore",
            ids: of("/workspace/users", |row| {
                row.is_trashed() || row.text_of("state") == Some("expired")
            }),
            valid: json!({"roles": true}),
        };
        let operations = [(deprecate, deprecations()), (restore, restorations())].into_iter();
        operations
            .flat_map(|(operation, bodies)| operation.sequences(bodies))
            .collect()
    });
    &SEQUENCES
}

/// One of the two operations that are specified.
struct Operation {
    list: &'static str,
    verb: &'static str,
    /// The records that it can be carried out on.
    ids: Vec<String>,
    /// A body that is granted.
    valid: Value,
}

impl Operation {
    fn sequences(&self, bodies: Vec<Value>) -> Vec<Sequence> {
        let valid = || Some(self.valid.clone());
        let mut sequences: Vec<_> = bodies
            .into_iter()
            .enumerate()
            .map(|(nth, body)| self.sequence(nth, |id| vec![self.write(id, Some(body.clone()))]))
            .collect();
        for near in near(&self.ids[0]) {
            sequences.push(self.sequence(0, |_| vec![self.write(&near, valid())]));
        }
        sequences.push(self.sequence(0, |id| vec![self.write(id, None)]));
        sequences.push(self.sequence(1, |id| vec![self.write(id, valid())]));
        for credentials in [None, Some("Bearer wrong".to_owned())] {
            sequences.push(self.sequence(2, |id| {
                vec![Asked {
                    credentials: credentials.clone(),
                    ..self.write(id, valid())
                }]
            }));
        }
        sequences
    }

    /// A write to another record, the writes in question, what can be read then, and once more a write that has to take
    /// effect.
    fn sequence(&self, nth: usize, writes: impl Fn(&str) -> Vec<Asked>) -> Sequence {
        let id = &self.ids[nth % self.ids.len()];
        let other = &self.ids[(nth + 1) % self.ids.len()];
        let reads = [
            Asked::get(&format!("{}/{id}", self.list), &[], GRANTED),
            Asked::get(
                self.list,
                &[("filter[id]", id), ("filter[trashed]", "with")],
                GRANTED,
            ),
            Asked::get(self.list, &[("filter[trashed]", "with"), ("sort", "id")], GRANTED),
            Asked::get(USERS, &[("include", "workspace-user"), ("sort", "id")], GRANTED),
            Asked::get(USERS, &[("sort", "id")], GRANTED),
        ];
        let mut steps = vec![self.write(other, Some(self.valid.clone()))];
        steps.extend(writes(id));
        steps.extend(reads.clone());
        // Restoring once more is open where the record is not deprecated any more (O7).
        if self.verb == "deprecate" {
            steps.push(self.write(id, Some(json!({"expires_after_days": 400}))));
            steps.extend(reads);
        }
        Sequence { steps }
    }

    fn write(&self, id: &str, body: Option<Value>) -> Asked {
        write(&format!("{}/{id}/{}", self.list, self.verb), body)
    }
}

fn write(path: &str, body: Option<Value>) -> Asked {
    Asked {
        method: Method::PATCH,
        content_type: Some("application/json".to_owned()),
        body,
        ..Asked::get(path, &[], GRANTED)
    }
}

/// Bodies whose outcome the specification fixes.
fn deprecations() -> Vec<Value> {
    let soon = Timestamp::now() + SignedDuration::from_hours(24 * 100);
    let whole = soon.strftime("%Y-%m-%dT%H:%M:%S").to_string();
    let days = [
        json!(0),
        json!(1),
        json!(30),
        json!(366),
        json!(1094),
        json!(1095),
        json!(-1),
        json!(-30),
        json!(1096),
        json!(5000),
        json!(256),
        json!(65_536 + 5),
        json!(4_294_967_296_i64 + 5),
        json!(9_007_199_254_740_993_i64),
        json!(1.5),
        json!(0.5),
        json!("30"),
        json!(" 30"),
        json!("30 days"),
        json!("abc"),
        json!(""),
        json!(true),
        json!(false),
        json!([]),
        json!([30]),
        json!({}),
        json!({"days": 3}),
    ];
    let times = [
        json!(format!("{whole}Z")),
        json!(format!("{whole}.123456Z")),
        json!(format!("{whole}+02:00")),
        json!(&whole),
        json!(&whole[..10]),
        json!("2099-02-30T00:00:00Z"),
        json!("soon"),
        json!(""),
        json!(4_102_444_800_i64),
        json!(true),
        json!([format!("{whole}Z")]),
        json!({}),
        json!(format!("{whole}Z and more")),
    ];
    let days = days.into_iter().map(|days| json!({"expires_after_days": days}));
    let times = times.into_iter().map(|at| json!({"expires_at": at}));
    let nulls = [
        json!({"expires_at": null, "expires_after_days": 8}),
        json!({"expires_at": format!("{whole}Z"), "expires_after_days": null}),
    ];
    let wholes = [
        json!([]),
        json!([{"expires_after_days": 8}]),
        json!("text"),
        json!("{\"expires_after_days\": 8}"),
        json!(7),
        Value::Null,
    ];
    days.chain(times).chain(nulls).chain(wholes).collect()
}

fn restorations() -> Vec<Value> {
    let roles = [
        json!(true),
        json!(false),
        json!("true"),
        json!("false"),
        json!("yes"),
        json!(""),
        json!(1),
        json!(0),
        json!(2),
        Value::Null,
        json!([]),
        json!([true]),
        json!({}),
        json!({"a": 1}),
    ];
    let roles = roles.into_iter().map(|roles| json!({"roles": roles}));
    let wholes = [
        json!({}),
        json!([]),
        json!([{"roles": true}]),
        json!("text"),
        json!("{\"roles\": true}"),
        json!(7),
        Value::Null,
        json!({"data": {"roles": true}}),
    ];
    roles.chain(wholes).collect()
}

/// Ids that nobody has and that are nearly that of a record.
fn near(id: &str) -> Vec<String> {
    let (prefix, rest) = id.split_once('_').unwrap_or_default();
    let last = if id.ends_with('0') { '1' } else { '0' };
    let other = if prefix == "wsusr" { "dratr" } else { "wsusr" };
    let near = [
        id.to_uppercase(),
        format!("{id}%20"),
        format!("{id}0"),
        format!("{id}x"),
        rest.to_owned(),
        format!("{prefix}_{id}"),
        format!("{}{last}", &id[..id.len() - 1]),
        format!("{prefix}_nobody"),
        format!("{other}_{rest}"),
        id[..id.len() - 1].to_owned(),
    ];
    let known = Sample::get().writable();
    near.into_iter().filter(|id| !known.contains(id)).collect()
}
