//! The table of docs/benchmarks.md, from what criterion has just measured.

use std::path::Path;

use crate::cases::Case;

/// Prints medians and ratios.
pub(crate) fn print(cases: &[Case], users: u64) {
    println!(
        "\n| {users} people | HTTP | store | bare SQL | static body | HTTP ÷ SQL | store ÷ SQL | HTTP ÷ (SQL + static) |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    for case in cases {
        let median = |what: &str| median(case.name, what);
        let (Some(http), Some(store), Some(sql), Some(fixed)) =
            (median("http"), median("store"), median("sql"), median("static"))
        else {
            continue;
        };
        let micros = |nanos: f64| format!("{:.0} µs", nanos / 1_000.0);
        println!(
            "| {} | {} | {} | {} | {} | {:.1} | {:.1} | {:.1} |",
            case.name,
            micros(http),
            micros(store),
            micros(sql),
            micros(fixed),
            http / sql,
            store / sql,
            http / (sql + fixed)
        );
    }
}

fn median(case: &str, what: &str) -> Option<f64> {
    let folder = std::env::var_os("CARGO_TARGET_DIR").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../target"),
        |folder| Path::new(&folder).to_path_buf(),
    );
    let name = case.replace(['/', '?', '"', '\\', '*', '<', '>', ':', '|', '^'], "_");
    let file = folder
        .join("criterion")
        .join(name)
        .join(what)
        .join("new/estimates.json");
    let estimates: serde_json::Value = serde_json::from_slice(&std::fs::read(file).ok()?).ok()?;
    estimates["median"]["point_estimate"].as_f64()
}
