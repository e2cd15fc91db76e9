//! The HTML report in a real browser, where there is one: `CHROMIUM`, or `chromium` on the path.

use std::path::{Path, PathBuf};
use std::process::Command;

use rollcall_conformance::Report;
use rollcall_conformance::report::Format;

use super::made::{HOSTILE, everything, hostile, written};

fn browser() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("CHROMIUM") {
        return Some(named.into());
    }
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    std::env::split_paths(&path)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|file| file.is_file())
}

/// The page after its script has run, as the browser writes it; none without a browser.
fn shown(report: &Report, name: &str, fragment: &str) -> Option<String> {
    let Some(browser) = browser() else {
        eprintln!("NOT TESTED: there is no browser. Install chromium, or name one by CHROMIUM.");
        return None;
    };
    let folder = std::env::temp_dir().join(format!("rollcall-report-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let page = folder.join("report.html");
    std::fs::write(&page, written(report, Format::Html)).unwrap();
    let address = format!("file://{}{fragment}", page.display());
    let output = dump(&browser, &folder, &address);
    std::fs::remove_dir_all(&folder).unwrap();
    Some(output)
}

fn dump(browser: &Path, folder: &Path, address: &str) -> String {
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
        ])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .args(["--virtual-time-budget=2000", "--dump-dom", address])
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        dom.contains("</html>"),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    dom
}

/// The numbers of the checks that are not hidden.
fn visible(dom: &str) -> Vec<&str> {
    let tags = dom.split("<details class=\"check ").skip(1);
    tags.filter_map(|tag| {
        let tag = tag.split('>').next()?;
        let id = tag.split("id=\"check-").nth(1)?.split('"').next()?;
        (!tag.contains(" hidden")).then_some(id)
    })
    .collect()
}

#[test]
fn the_filter_in_the_address_hides_other_checks() {
    let report = everything();
    let Some(dom) = shown(&report, "filter", "#outcome=failed&text=E1") else {
        return;
    };
    assert_eq!(visible(&dom), ["E1"]);
    assert!(dom.contains(">1 of 16 checks</p>"), "{dom}");
    let dom = shown(&report, "filter", "#outcome=not-exercised").unwrap();
    assert_eq!(visible(&dom), ["S9"]);
    let dom = shown(&report, "filter", "#text=BADGE%20ids").unwrap();
    assert_eq!(visible(&dom), ["E10"]);
    let dom = shown(&report, "filter", "").unwrap();
    assert_eq!(visible(&dom).len(), 16);
}

#[test]
fn a_link_to_a_check_unfolds_it() {
    let Some(dom) = shown(&everything(), "link", "#check-S1") else {
        return;
    };
    let tag = dom.split("id=\"check-S1\"").nth(1).unwrap();
    assert!(tag.split('>').next().unwrap().contains("open"), "{tag:.99}");
}

#[test]
fn a_target_cannot_run_a_script() {
    let Some(dom) = shown(&hostile(), "hostile", "") else {
        return;
    };
    assert!(!dom.contains("<title>owned"), "{dom}");
    assert_eq!(dom.matches("<script").count(), 1);
    assert!(!dom.contains("<img"), "{dom}");
    assert!(
        dom.contains("document.title='owned'"),
        "{HOSTILE} is shown as text"
    );
    assert!(
        dom.contains("class=\"js\"") || dom.contains("6 checks"),
        "our own script runs"
    );
}
