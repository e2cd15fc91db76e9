//! `run --dry-run`: tells what a run would do, and sends nothing.

use std::io::{self, Write};

use reqwest::Url;

use crate::corpus::Corpus;
use crate::request::Request;
use crate::{RunConfig, fixture};

/// Writes which checks a run would make and which requests it would begin with.
pub(super) fn write(config: &RunConfig, base: Option<&Url>, out: &mut impl Write) -> io::Result<()> {
    let checks = config.checks();
    writeln!(out, "Nothing is sent. {} checks would be made:", checks.len())?;
    for check in checks {
        writeln!(
            out,
            "  {:<4} {:<8} {:<8} {}",
            check.id, check.clause, check.level, check.says
        )?;
    }
    writeln!(out, "\nThe run would begin by reading:")?;
    for list in Corpus::new(&config.contract, &config.searches).lists {
        let request = Request::get(&list.subject.operation.path);
        match base {
            Some(base) => writeln!(out, "  {} {}", request.method, request.url(base))?,
            None => writeln!(out, "  {}", request.line())?,
        }
    }
    writeln!(out)?;
    if !config.allow_writes {
        return writeln!(out, "No record would be changed.");
    }
    if config.fixtures.is_empty() {
        return writeln!(
            out,
            "No record would be changed: writes are allowed, but no fixture is given."
        );
    }
    for (kind, id) in &config.fixtures {
        let changing = config.contract.operations.iter().filter(|operation| {
            operation.method != rollcall_contract::Method::Get
                && fixture::kind(operation).as_ref() == Some(kind)
        });
        let changing: Vec<_> = changing.map(|operation| operation.path.as_str()).collect();
        writeln!(out, "The {kind} {id} may be changed: {}", changing.join(", "))?;
    }
    Ok(())
}
