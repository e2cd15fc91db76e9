//! `run --dry-run`: tells what a run would do, and sends nothing.

use std::io::{self, Write};

use reqwest::Url;
use rollcall_oracle::corpus::Corpus;
use rollcall_oracle::http::request::Request;

use crate::RunConfig;
use crate::cases::writes::writes;
use crate::engine::fixture;
use crate::run::not_applicable;

/// Writes which checks a run would make and which requests it would begin with.
pub(super) fn write(config: &RunConfig, base: Option<&Url>, out: &mut impl Write) -> io::Result<()> {
    let checks = config.checks();
    writeln!(out, "Nothing is sent. Checks that would run: {}", checks.len())?;
    for check in checks {
        let (id, clause, level, says) = (check.id, check.clause, check.level, check.says);
        writeln!(out, "  {id:<4} {clause:<8} {level:<8} {says}")?;
    }
    for (what, checks) in config.inapplicable() {
        writeln!(out, "  {}", not_applicable(what, &checks))?;
    }
    writeln!(out, "\nThe run would begin by reading:")?;
    for list in Corpus::new(&config.contract, &config.searches).lists {
        let request = Request::get(&list.spec.operation.path);
        match base {
            Some(base) => writeln!(out, "  {} {}", request.method, request.url(base))?,
            None => writeln!(out, "  {}", request.line())?,
        }
    }
    writeln!(out)?;
    if !config.allow_writes {
        let refused = "The only writes carry no token or a wrong one, and must be refused.";
        return writeln!(out, "No record would be changed. {refused}");
    }
    writeln!(out, "The run would change records by these operations:")?;
    for operation in writes(&config.contract) {
        let kind = fixture::kind(&operation).unwrap_or_default();
        let target = match config.fixtures.get(&kind) {
            Some(id) => format!("the fixture {kind} {id}"),
            None => format!("a {kind} that it finds by reading (name another with --fixture {kind}=ID)"),
        };
        writeln!(out, "  {} {}: {target}", operation.method, operation.path)?;
    }
    writeln!(
        out,
        "The contract's other writes to the same records may prepare or undo a change. The report names every record \
         that was changed."
    )
}
