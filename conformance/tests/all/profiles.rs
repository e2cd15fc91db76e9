//! Profiles: what a target chose is written, compared, and held against a target that claims it.

use rollcall_shelf::Hooks;

use crate::command_line::{judged, runner, text};
use crate::folder::Folder;

#[tokio::test(flavor = "multi_thread")]
async fn a_target_keeps_to_the_profile_that_was_made_of_it() {
    let folder = Folder::new("profile");
    let profile = folder.path("profile.toml");
    let written = judged(Hooks::default(), &["--write-profile", &profile]).await;
    assert_eq!(written.status.code(), Some(0), "{}", text(&written));
    assert!(folder.read("profile.toml").contains("\n[L") || folder.read("profile.toml").starts_with('['));
    let same = runner(&["diff", &profile, &profile]).output().unwrap();
    assert_eq!(same.status.code(), Some(0), "{}", text(&same));
    let report = folder.path("report.json");
    let kept = judged(Hooks::default(), &["--profile", &profile, "--report", &report]).await;
    assert_eq!(kept.status.code(), Some(0), "{}", text(&kept));
    let report: serde_json::Value = serde_json::from_str(&folder.read("report.json")).unwrap();
    let ruling = report["checks"]
        .as_array()
        .unwrap()
        .iter()
        .find(|check| check["id"] == "P1");
    assert_eq!(ruling.unwrap()["outcome"], "passed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_target_that_does_otherwise_is_told_where() {
    let folder = Folder::new("otherwise");
    judged(Hooks::default(), &["--write-profile", &folder.path("seen.toml")]).await;
    let seen = folder.read("seen.toml");
    let mut claimed: toml::Table = toml::from_str(&seen).unwrap();
    let (point, questions) = claimed.iter_mut().next().unwrap();
    let point = point.clone();
    let (_, choice) = questions.as_table_mut().unwrap().iter_mut().next().unwrap();
    *choice = "the opposite".into();
    let claimed = folder.write("claimed.toml", &toml::to_string(&claimed).unwrap());
    let differ = runner(&["diff", &folder.path("seen.toml"), &claimed])
        .output()
        .unwrap();
    assert_eq!(differ.status.code(), Some(1), "{}", text(&differ));
    assert!(
        text(&differ).starts_with(&format!("{point}\n")),
        "{}",
        text(&differ)
    );
    let judged = judged(Hooks::default(), &["--profile", &claimed]).await;
    assert_eq!(judged.status.code(), Some(1), "{}", text(&judged));
    assert!(
        text(&judged).contains("P1") && text(&judged).contains("the opposite"),
        "{}",
        text(&judged)
    );
}

/// With one check alone most choices are not observed: that is one line.
#[tokio::test(flavor = "multi_thread")]
async fn choices_that_were_not_observed_are_one_line() {
    let folder = Folder::new("profile-of-one-check");
    let profile = folder.path("profile.toml");
    judged(Hooks::default(), &["--write-profile", &profile]).await;
    let only = ["--profile", &profile, "--only", "E7,P1", "--report", "tap=-"];
    let told = text(&judged(Hooks::default(), &only).await);
    let lines = told.lines().filter(|line| line.contains("were not observed"));
    assert_eq!(lines.filter(|line| line.starts_with("ok ")).count(), 1, "{told}");
    assert!(!told.contains("it was not observed"), "{told}");
}

#[test]
fn a_profile_that_is_not_there_is_a_mistake_in_the_configuration() {
    let run = ["run", "--dry-run", "--profile", "/nowhere.toml"];
    let output = runner(&run).output().unwrap();
    assert!(
        output.status.code() == Some(2) && text(&output).contains("/nowhere.toml"),
        "{}",
        text(&output)
    );
    let output = runner(&["diff", "reference", "/nowhere.toml"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
}
