//! An import as a whole: a file is read twice in one transaction. The first reading makes a plan, the second one writes it.
//!
//! Invariant: nothing is written unless the file was read to its end and, but for `keep_going`, nothing in it was refused.

use std::collections::BTreeMap;
use std::io::{self, BufRead};

use rollcall::model::{
    DirectoryUser, IntegrationVendor, LifecycleState, LogAction, WorkspaceIntegration, WorkspaceIntegrationId,
};

use super::dictionary::Dictionary;
use super::plan::Plan;
use super::write::Writer;
use super::{Format, Options, PassedOver, Refusal};
use crate::ids::Ids;
use crate::store::change::fields::Fields;
use crate::store::change::log::LogEntry;
use crate::store::change::unit::Unit;
use crate::store::dialect::Connection;
use crate::store::people::name_resolution;
use crate::store::tables::table::Stored;
use crate::store::tables::{self, TableSpec};
use crate::store::{Error, WriteContext};

/// What is to be imported, and how.
#[derive(Clone, Debug)]
pub struct Request<'r> {
    /// The format of the file.
    pub format: Format,
    /// What its reader has to know.
    pub options: Options,
    /// The handle of the integration the people come from; made where there is none.
    pub integration: &'r str,
    /// Whether good records are written although others are refused.
    pub keep_going: bool,
    /// Whether all is undone in the end.
    pub dry_run: bool,
    /// Whom the file may have.
    pub accepts: Accepts,
}

/// Whom a file may have; others are refused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Accepts {
    /// Anybody.
    #[default]
    Anyone,
    /// People whom the store does not have.
    New,
    /// People whom the store has.
    Known,
}

/// What an import has done, or in a dry run would do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// People who are new.
    pub created: u64,
    /// People of whom something has changed, those too who joined or left a group without being in the file.
    pub updated: u64,
    /// People who were already as the file says.
    pub unchanged: u64,
    /// People who are left as they are, because they are soft-deleted in the store, and entries that are neither person nor group.
    pub skipped: u64,
    /// What of the file was not read.
    pub passed_over: PassedOver,
    /// How many people are known by each kind of key.
    pub known_by: BTreeMap<&'static str, u64>,
    /// How many people lost their value in a column, by column: the file has the column, and no value for them.
    pub emptied: BTreeMap<String, u64>,
    /// What was refused, by line.
    pub refused: Vec<Refusal>,
    /// What a person should know although it stops nothing.
    pub notes: Vec<String>,
    /// Whether all parts of the file could be read.
    pub complete: bool,
    /// Whether what is counted above was written, or in a dry run would be.
    pub written: bool,
}

/// Why an import could not be done; nothing is written then.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] Error),
    /// The file could not be opened a second time.
    #[error("the file can't be read: {0}")]
    File(#[from] io::Error),
    /// The second reading found other people than the first.
    #[error("the file changed while it was read; nothing was imported")]
    Changed,
    /// Not a fault: the way out of a transaction that is not to be kept.
    #[error("undone")]
    Undone(Box<Report>),
}

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
