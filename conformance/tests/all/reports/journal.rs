//! The journal of a real run, as the HAR form shows it.

use rollcall_conformance::Report;
use rollcall_conformance::report::Format;
use rollcall_shelf::{Model, TOKEN, all_faults, benign};
use serde_json::Value;

use super::made::written;
use crate::{judge, judge_model, judge_reading};

fn entries(report: &Report) -> Vec<Value> {
    let log: Value = serde_json::from_str(&written(report, Format::Har)).unwrap();
    log["log"]["entries"].as_array().unwrap().clone()
}

#[tokio::test]
async fn every_request_is_in_the_journal_and_the_token_in_none() {
    for name in [
        "a refusal repeats the token",
        "any token will do",
        "busy now and then",
    ] {
        let mut variants = all_faults().into_iter().chain(benign::variants());
        let hooks = variants.find(|variant| variant.name == name).unwrap().hooks();
        let report = judge_model(Model::new(30, hooks), |_| {}).await;
        assert_eq!(entries(&report).len(), report.requests, "{name}");
        assert_eq!(report.methods.values().sum::<usize>(), report.requests);
        for format in Format::ALL {
            let text = written(&report, format);
            assert!(!text.contains(&TOKEN[..TOKEN.len() - 6]), "{name} {format}");
        }
    }
}

#[tokio::test]
async fn methods_show_that_a_run_only_reads() {
    let report = judge_reading(60).await;
    let writes = entries(&report)
        .into_iter()
        .filter(|entry| entry["request"]["method"] != "GET");
    for entry in writes {
        let header = entry["request"]["headers"][0]["value"]
            .as_str()
            .unwrap_or_default();
        assert!(!header.starts_with("Bearer $TOKEN"), "{entry:#}");
        assert_eq!(entry["response"]["status"], 401, "{entry:#}");
    }
    assert!(report.methods["GET"] > report.requests / 2);
    assert!(
        report
            .methods
            .keys()
            .all(|method| ["GET", "HEAD", "PATCH"].contains(&method.as_str()))
    );
}

#[tokio::test]
async fn long_bodies_are_shortened() {
    let report = judge(60).await;
    let shortened = entries(&report).into_iter().filter(|entry| {
        let content = &entry["response"]["content"];
        let text = content["text"].as_str().unwrap();
        assert!(text.chars().count() <= 2001);
        content["size"].as_u64().unwrap() > 4000 && text.ends_with('…')
    });
    assert!(shortened.count() > 0);
}
