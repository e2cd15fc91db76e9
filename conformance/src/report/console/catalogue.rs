//! The checks themselves: all in a table, or one in full.

use std::io::{self, Write};

use crate::checks::Check;

/// Writes all checks as a table.
///
/// # Errors
/// It cannot be written.
pub fn list(checks: impl Iterator<Item = &'static Check>, mut to: impl Write) -> io::Result<()> {
    writeln!(
        to,
        "{:<4} {:<8} {:<8} WHAT THE SPECIFICATION SAYS",
        "ID", "CLAUSE", "LEVEL"
    )?;
    for check in checks {
        writeln!(
            to,
            "{:<4} {:<8} {:<8} {}",
            check.id, check.clause, check.level, check.says
        )?;
        writeln!(to, "{:<22} needs {}", "", check.needs)?;
    }
    Ok(())
}

/// Writes what one check is about.
///
/// # Errors
/// It cannot be written.
pub fn explain(check: &Check, mut to: impl Write) -> io::Result<()> {
    writeln!(to, "{}  {}  {}", check.id, check.clause, check.level)?;
    writeln!(to, "  says   {}", check.says)?;
    writeln!(to, "  needs  {}", check.needs)?;
    writeln!(to, "  finds  {}", check.finds)?;
    match check.covers {
        [] => Ok(()),
        covers => writeln!(to, "  covers {}", covers.join(", ")),
    }
}
