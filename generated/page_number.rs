//! Page numbers for the generated client: `page` is text in the contract, because it is a number or a cursor (L2), and
//! `client.list_directory_users().page(2)` should need no text.

use crate::model::{PageSelector, error::ConversionError};

macro_rules! page_numbers {
    ($($number:ty),*) => {$(
        impl TryFrom<$number> for PageSelector {
            type Error = ConversionError;

            fn try_from(number: $number) -> Result<Self, ConversionError> {
                number.to_string().try_into()
            }
        }
    )*};
}

page_numbers!(i32, i64, u32, u64, usize);
