//! Every fault on the shelf is found, and found first by the check that is there for it; [`sample`] says which are tried.

use futures_util::stream::{self, StreamExt as _};
use rollcall_conformance::Report;
use rollcall_conformance::checks::{self, Level};
use rollcall_conformance::report::Causes;
use rollcall_shelf::{Model, TOKEN, Variant, all_faults, faults};

use crate::sample::{page_size, people, sample};
use crate::{AT_ONCE, failed, judge_model, printed};

/// A fault is told as one cause, or as two where nothing shows that they are one.
const MOST_CAUSES: usize = 2;

/// Judges the faults of a section; tells everything that is not as it has to be.
async fn found(section: &str) {
    let faults = sample(section, faults::of(section));
    let judged = stream::iter(&faults).map(complaint).buffer_unordered(AT_ONCE);
    let complaints: Vec<_> = judged.filter_map(std::future::ready).collect().await;
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

async fn complaint(variant: &Variant) -> Option<String> {
    let mut hooks = variant.hooks();
    hooks.settings.page_size = hooks.settings.page_size.or(page_size());
    let model = Model::new(people(), hooks);
    let report = judge_model(model, |_| {}).await;
    let (name, text) = (&variant.name, printed(&report));
    assert!(!text.contains(TOKEN), "{name}: the token is in the output");
    if let Some(finding) = of_another_clause(&report) {
        return Some(format!("{name}: {finding}"));
    }
    let causes = Causes::of(&report);
    let titles: Vec<_> = causes.failed().map(|cause| cause.title(3)).collect();
    if titles.len() > MOST_CAUSES {
        return Some(format!("{name}: told as {} causes: {titles:?}", titles.len()));
    }
    if titles.len() > 1 {
        println!("{name}: two causes: {titles:?}");
    }
    let failed = failed(&report);
    if failed.first().copied() == variant.finds {
        return None;
    }
    let shown = match std::env::var_os("SHOW") {
        Some(_) => format!("\n{text}"),
        None => String::new(),
    };
    let wanted = variant.finds.unwrap_or("none");
    Some(format!(
        "{name}: found by {failed:?}, first should be {wanted}{shown}"
    ))
}

/// A violation of a relation, a count, a sort or a page that cites another clause than its check does. What is told of a
/// filter, a record or an operation cites the clause that has it.
fn of_another_clause(report: &Report) -> Option<String> {
    let own = |id: &str| {
        ["I", "C", "O", "G", "K", "F"]
            .iter()
            .any(|section| id.starts_with(section))
    };
    report.failed().filter(|check| own(check.id)).find_map(|check| {
        let mut findings = check.outcome.findings().iter();
        let other =
            findings.find(|one| one.clause.as_str() != check.clause && !one.about.contains("filter["))?;
        Some(format!(
            "{} is from {}, {} cites {}",
            check.id, check.clause, other.about, other.clause
        ))
    })
}

macro_rules! sections {
    ($($section:ident)*) => {
        $(
            #[tokio::test]
            async fn $section() {
                found(stringify!($section)).await;
            }
        )*

        #[test]
        fn every_section_is_judged() {
            let judged = [$(stringify!($section)),*];
            assert_eq!(faults::SECTIONS.map(|(name, _)| name), judged);
        }
    };
}

sections! {
    access records fields exact partial flags states dates trashed sort include counts paging together writes dimensions
    robustness
}

#[test]
fn every_fault_has_a_name_of_its_own_and_a_check() {
    let mut names: Vec<_> = all_faults().into_iter().map(|fault| fault.name).collect();
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count, "a name stands twice");
    assert!(all_faults().iter().all(|fault| fault.finds.is_some()));
}

#[test]
fn no_fault_waits_for_its_check() {
    let waiting = all_faults()
        .into_iter()
        .filter(|fault| fault.finds.and_then(checks::find).is_none());
    assert_eq!(waiting.map(|fault| fault.name).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn every_check_that_judges_is_the_first_to_catch_some_fault() {
    let faults = all_faults();
    let judges = checks::all().filter(|check| matches!(check.level, Level::Must | Level::Guarded));
    let idle = judges.filter(|check| faults.iter().all(|fault| fault.finds != Some(check.id)));
    assert_eq!(idle.map(|check| check.id).collect::<Vec<_>>(), [""; 0]);
}
