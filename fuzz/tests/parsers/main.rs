//! One target for each parser of the workspace. A target is named after its parser; its corpus has the same name.

#![expect(
    clippy::unwrap_used,
    reason = "a property that unwraps fails with a trace, which is what it is for"
)]

mod body;
mod chunks;
mod config;
mod contract;
mod contract_edits;
mod contract_text;
mod csv;
mod cursor;
mod dn;
mod etag;
mod head;
mod id;
mod import_file;
mod jsonl;
mod ldif;
mod link;
mod pointer;
mod profile;
mod query;
mod records;
mod redact;
mod retry_after;
mod timestamp;
mod waivers;
