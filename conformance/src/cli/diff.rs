//! `diff`: what two targets choose differently.

use std::io::{self, Write};

use clap::Args;

use crate::cli::exit::Exit;
use crate::engine::profile::{Difference, Profile};

/// Two profiles.
#[derive(Args, Debug)]
pub(super) struct DiffArgs {
    /// A file that --write-profile wrote, or `reference`.
    one: String,
    /// Another.
    other: String,
}

impl DiffArgs {
    pub(super) fn act(&self, mut out: impl Write) -> Result<Exit, String> {
        let read = |name| Profile::read(name).map_err(|error| error.to_string());
        let (one, other) = (read(&self.one)?, read(&self.other)?);
        let differences = one.differences(&other);
        self.write(&differences, &mut out)
            .map_err(|error| error.to_string())?;
        // As of `diff` and `cmp`: to differ is 1.
        Ok(match differences.is_empty() {
            true => Exit::Conforms,
            false => Exit::Violates,
        })
    }

    fn write(&self, differences: &[Difference<'_>], out: &mut impl Write) -> io::Result<()> {
        let mut point = "";
        for difference in differences {
            if point != difference.point {
                point = difference.point;
                writeln!(out, "{point}")?;
            }
            writeln!(out, "  {}", difference.question)?;
            for (name, choice) in [(&self.one, difference.one), (&self.other, difference.other)] {
                writeln!(out, "    {name}: {}", choice.unwrap_or("not observed"))?;
            }
        }
        if differences.is_empty() {
            writeln!(out, "{} and {} choose the same.", self.one, self.other)?;
        }
        Ok(())
    }
}
