//! Classes of values that code treats otherwise than others.

/// A class of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueClass {
    /// It has a blank inside.
    Blank,
    /// It begins or ends with a blank.
    Margin,
    /// It has a quotation mark or an apostrophe.
    Quote,
    /// It has a percent sign.
    Percent,
    /// It has an underscore.
    Underscore,
    /// It has a backslash.
    Backslash,
    /// It has a letter beyond ASCII.
    Unicode,
    /// It has a plus sign.
    Plus,
    /// It has an at sign.
    At,
    /// It has a hyphen.
    Hyphen,
    /// It has a punctuation mark that URLs, markup or patterns know.
    Reserved,
    /// It has more than 40 characters.
    Long,
    /// It begins with a zero and another digit.
    LeadingZero,
    /// It is a number.
    NumberLike,
    /// It is a word that some languages take for a truth value or for nothing.
    WordLike,
    /// It has an upper-case letter.
    Upper,
    /// It has fewer than three characters.
    Short,
}

impl ValueClass {
    /// All classes.
    pub const ALL: [Self; 17] = [
        Self::Blank,
        Self::Margin,
        Self::Quote,
        Self::Percent,
        Self::Underscore,
        Self::Backslash,
        Self::Unicode,
        Self::Plus,
        Self::At,
        Self::Hyphen,
        Self::Reserved,
        Self::Long,
        Self::LeadingZero,
        Self::NumberLike,
        Self::WordLike,
        Self::Upper,
        Self::Short,
    ];

    /// What a value of the class is like.
    pub const fn says(self) -> &'static str {
        match self {
            Self::Blank => "has a blank inside",
            Self::Margin => "begins or ends with a blank",
            Self::Quote => "has a quotation mark",
            Self::Percent => "has a percent sign",
            Self::Underscore => "has an underscore",
            Self::Backslash => "has a backslash",
            Self::Unicode => "has a letter beyond ASCII",
            Self::Plus => "has a plus sign",
            Self::At => "has an at sign",
            Self::Hyphen => "has a hyphen",
            Self::Reserved => "has reserved punctuation",
            Self::Long => "has more than 40 characters",
            Self::LeadingZero => "begins with a zero",
            Self::NumberLike => "is a number",
            Self::WordLike => "is a word such as null or true",
            Self::Upper => "has an upper-case letter",
            Self::Short => "has fewer than three characters",
        }
    }

    /// Whether a text is of the class.
    pub fn has(self, text: &str) -> bool {
        match self {
            Self::Blank => text.trim().contains(' '),
            Self::Margin => text.trim() != text,
            Self::Quote => text.contains(['\'', '"', '`']),
            Self::Percent => text.contains('%'),
            Self::Underscore => text.contains('_'),
            Self::Backslash => text.contains('\\'),
            Self::Unicode => !text.is_ascii(),
            Self::Plus => text.contains('+'),
            Self::At => text.contains('@'),
            Self::Hyphen => text.contains('-'),
            Self::Reserved => text.contains([
                '&', '=', '#', ';', '?', '*', '<', '{', '[', '(', '|', '$', '/', ':',
            ]),
            Self::Long => text.chars().count() > 40,
            Self::LeadingZero => {
                text.starts_with('0') && text.chars().nth(1).is_some_and(|next| next.is_ascii_digit())
            }
            Self::NumberLike => text.parse::<f64>().is_ok_and(f64::is_finite),
            Self::WordLike => [
                "null",
                "none",
                "nil",
                "undefined",
                "true",
                "false",
                "yes",
                "no",
                "on",
                "off",
                "nan",
            ]
            .contains(&text.to_lowercase().as_str()),
            Self::Upper => text.chars().any(char::is_uppercase),
            Self::Short => text.chars().count() < 3,
        }
    }
}
