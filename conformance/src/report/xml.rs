//! Text for XML.

use std::fmt;

/// Whether neither XML nor HTML can carry the character. A terminal that shows the file would obey some of them.
pub(super) fn is_forbidden(c: char) -> bool {
    matches!(c, '\u{fffe}' | '\u{ffff}') || c.is_control() && !matches!(c, '\t' | '\n')
}

/// Text that shows as it is between tags and within quoted attributes. Characters that XML cannot carry become `\u{fffd}`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Escaped<'t>(pub(super) &'t str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                c if is_forbidden(c) => f.write_str("\u{fffd}")?,
                c => fmt::Write::write_char(f, c)?,
            }
        }
        Ok(())
    }
}
