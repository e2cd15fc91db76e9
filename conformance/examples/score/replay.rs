//! Whether a reproduction shows what it should: the lines of a report, repeated as they are.

use std::error::Error;
use std::process::Command;

use jiff::{SignedDuration, Timestamp};
use reqwest::Url;
use rollcall_oracle::http::exchange::Evidence;
use rollcall_shelf::{Hooks, Model, TOKEN, Variant};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Where repeating a reproduction shows a difference to the model itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Shows {
    /// On a target that was just started.
    Anywhere,
    /// Only on the target that was judged: it needs what happened to that.
    There,
    /// Nowhere.
    Nowhere,
}

/// How often a target that was just started is asked: some faults show only now and then.
const TRIES: usize = 3;

/// Repeats a reproduction on the faulty target and on the model itself; an answer has to differ.
pub(crate) async fn shows(
    evidence: &[Evidence],
    judged: &Url,
    variant: &Variant,
    people: usize,
) -> Result<Shows, Box<dyn Error>> {
    let fresh = Model::new(people, variant.hooks()).serve().await;
    let sound = Model::new(people, Hooks::default()).serve().await;
    for _ in 0..TRIES {
        if answers(evidence, judged, &fresh).await? != answers(evidence, judged, &sound).await? {
            return Ok(Shows::Anywhere);
        }
    }
    let sound = Model::new(people, Hooks::default()).serve().await;
    match answers(evidence, judged, judged).await? == answers(evidence, judged, &sound).await? {
        true => Ok(Shows::Nowhere),
        false => Ok(Shows::There),
    }
}

/// What the lines of a reproduction print, asked at another address than they name.
async fn answers(
    evidence: &[Evidence],
    named: &Url,
    asked: &Url,
) -> Result<Vec<(Vec<String>, Value)>, Box<dyn Error>> {
    let mut answers = Vec::new();
    for one in evidence {
        let line = one.curl.replace(named.as_str(), asked.as_str());
        let mut command = Command::new("sh");
        command.args(["-c", &line]).env("TOKEN", TOKEN);
        let output = tokio::task::spawn_blocking(move || command.output()).await??;
        answers.push(told(&String::from_utf8_lossy(&output.stdout)));
    }
    Ok(answers)
}

/// An answer without what tells the time: its head, and its body with the timestamps that were just now taken out.
fn told(answer: &str) -> (Vec<String>, Value) {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((answer, ""));
    let head = head.lines().map(str::to_ascii_lowercase);
    let head = head.filter(|line| !line.starts_with("date:"));
    let mut body = serde_json::from_str(body).unwrap_or_else(|_| Value::String(body.to_owned()));
    forget_now(&mut body);
    (head.collect(), body)
}

fn forget_now(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(forget_now),
        Value::Object(members) => members.values_mut().for_each(forget_now),
        Value::String(text) => {
            let is_now = |timestamp: Timestamp| {
                Timestamp::now().duration_since(timestamp).abs() < SignedDuration::from_mins(10)
            };
            if text.parse().is_ok_and(is_now) {
                *value = Value::String("now".to_owned());
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_that_differ_in_the_time_alone_are_the_same() {
        let answer = |timestamp: Timestamp| {
            told(&format!(
                "HTTP/1.1 200 OK\r\nDate: {timestamp}\r\nContent-Type: application/json\r\n\r\n{{\"at\":\"{timestamp}\"}}"
            ))
        };
        let now = Timestamp::now();
        assert_eq!(answer(now), answer(now - SignedDuration::from_secs(3)));
        assert_ne!(answer(now), answer(now - SignedDuration::from_hours(24)));
    }
}
