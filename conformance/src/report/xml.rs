//! Text for XML and HTML.

use std::fmt;

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
                '\t' | '\n' => fmt::Write::write_char(f, c)?,
                '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => {
                    f.write_str("\u{fffd}")?
                }
                c => fmt::Write::write_char(f, c)?,
            }
        }
        Ok(())
    }
}
