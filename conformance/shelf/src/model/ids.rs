//! Identifiers of records that others refer to, by their number.

/// The id of a person; its order is not that of the numbers.
pub(super) fn user_id(index: usize) -> String {
    format!("drusr_k{:05x}q{index:05}", index * 7919 % 65_521)
}

/// The id of one of the three integrations.
pub(super) fn integration_id(index: usize) -> String {
    format!("wsitg_i{index:04}")
}
