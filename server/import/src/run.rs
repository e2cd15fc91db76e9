//! An import as a whole: a file is read twice in one transaction. The first reading makes a plan, the second one writes it.
//!
//! Invariant: nothing is written unless the file was read to its end and, but for `keep_going`, nothing in it was refused.

use std::io::{self, BufRead};

use rollcall::model::{
    DirectoryUser, IntegrationVendor, LifecycleState, LogAction, WorkspaceIntegration, WorkspaceIntegrationId,
};
use rollcall_store::change::fields::Fields;
use rollcall_store::change::log::LogEntry;
use rollcall_store::change::unit::Unit;
use rollcall_store::dialect::Connection;
use rollcall_store::ids::Ids;
use rollcall_store::people::name_resolution;
use rollcall_store::tables::table::Stored;
use rollcall_store::tables::{self, TableSpec};
use rollcall_store::{Error, WriteContext};

use super::Format;
use super::dictionary::Dictionary;
use super::plan::Plan;
use super::request::{Fault, Report, Request};
use super::write::Writer;

/// Imports a file, which `open` opens twice.
///
/// # Errors
/// When the store or the file fail. Refused records are no error but part of the report.
pub fn import<R: BufRead>(
    connection: &Connection,
    ids: &mut Ids,
    context: WriteContext<'_>,
    open: impl FnMut() -> io::Result<R>,
    request: &Request<'_>,
) -> Result<Report, Fault> {
    match Unit::run(connection, ids, context, |unit| run(unit, open, request)) {
        Err(Fault::Undone(report)) => Ok(*report),
        outcome => outcome,
    }
}

fn run<R: BufRead>(
    unit: &mut Unit<'_>,
    mut open: impl FnMut() -> io::Result<R>,
    request: &Request<'_>,
) -> Result<Report, Fault> {
    let found = name_resolution::integration(unit.connection(), request.integration)?;
    let mut plan = Plan::read(unit, open()?, request, found.as_ref().map(|(id, _)| id.as_str()))?;
    let mut report = Report {
        skipped: plan.trashed + plan.passed_over.entries.count(),
        passed_over: std::mem::take(&mut plan.passed_over),
        known_by: std::mem::take(&mut plan.known_by),
        refused: std::mem::take(&mut plan.refused),
        notes: std::mem::take(&mut plan.notes),
        ..Report::default()
    };
    report.complete = !report.refused.iter().any(|refusal| refusal.fatal);
    if !report.complete || (!request.keep_going && !report.refused.is_empty()) {
        return Err(Fault::Undone(Box::new(report)));
    }
    report.written = true;
    if plan.is_empty() {
        return Ok(report);
    }
    let is_large = is_large(unit.connection(), plan.new_people())?;
    if is_large {
        unit.connection().expect_large_write()?;
        unit.recompute_all_at_end();
        each_search(|table| unit.connection().drop_search(table.name, table.searched))?;
    }
    let (integration, vendor) = match found {
        Some(found) => found,
        None => create_integration(unit, request.integration, plan.domain.as_deref())?,
    };
    let dictionary = Dictionary::new(&integration, request.format == Format::Ldif);
    let (groups, listed) = Default::default();
    let has_names = name_resolution::has_names(unit.connection(), &integration)?;
    let writer = Writer {
        unit,
        plan: &plan,
        dictionary,
        groups,
        listed,
        has_names,
        integration,
        vendor,
        request,
        report,
    };
    let report = writer.write(open()?)?;
    if is_large {
        each_search(|table| unit.connection().create_search(table.name, table.searched))?;
    }
    if request.dry_run {
        return Err(Fault::Undone(Box::new(report)));
    }
    Ok(report)
}

/// Whether so many people are new that working everything out anew costs less than doing it person by person.
fn is_large(connection: &Connection, people: usize) -> Result<bool, Error> {
    let there = usize::try_from(name_resolution::users(connection)?).unwrap_or(usize::MAX);
    Ok(people >= LARGE && people >= there / 4)
}

/// The least people for whom it is worth while.
const LARGE: usize = 1_000;

fn each_search(work: impl FnMut(&TableSpec) -> Result<(), Error>) -> Result<(), Error> {
    let mut users = tables::searched().filter(|table| table.name == DirectoryUser::TABLE);
    users.try_for_each(work)
}

fn create_integration(
    unit: &mut Unit<'_>,
    handle: &str,
    domain: Option<&str>,
) -> Result<(String, String), Error> {
    let now = unit.now();
    let id = unit.ids.id::<WorkspaceIntegrationId>(now);
    let vendor = IntegrationVendor::Import.to_string();
    let fields = Fields::new()
        .set("id", id.as_str())
        .set("state", LifecycleState::Active.to_string())
        .set(
            "is_primary",
            !name_resolution::has_integration(unit.connection())?,
        )
        .set("vendor", vendor.as_str())
        .text("handle", handle)
        .text("domain", domain.unwrap_or_default())
        .set("created_at", now)
        .set("updated_at", now);
    unit.insert(WorkspaceIntegration::TABLE, &fields)?;
    let message = "Integration was created by an import.".to_owned();
    unit.log(&LogEntry {
        action: LogAction::Created,
        record: &id,
        parent: None,
        related: None,
        subject: None,
        message,
    })?;
    Ok((id, vendor))
}
