//! Keeps a copy of all directory users in a file of JSON lines. The first run reads all of them, each further run those that
//! have changed since.
//!
//!     ROLLCALL_URL=http://127.0.0.1:8080/api/v1 ROLLCALL_TOKEN=… cargo run --example sync -- users.jsonl

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io::ErrorKind;

use rollcall::Client;
use rollcall::client::TryStreamExt as _;
use rollcall::client::model::{DirectoryUser, DirectoryUserSort, Timestamp};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("name the file of the copy")?;
    let client = Client::with_token(&std::env::var("ROLLCALL_URL")?, &std::env::var("ROLLCALL_TOKEN")?)?;
    let mut copy = read(&file)?;
    let mut request = client
        .list_directory_users()
        // A user who was deleted has to be known as deleted.
        .filter_trashed("with")
        .sort([DirectoryUserSort::UpdatedAt, DirectoryUserSort::Id])
        .page_size(200);
    if let Some(newest) = newest(&copy) {
        // A second earlier: a change that was committed late may have a timestamp that the last run has passed already.
        let since = newest.0.plus_seconds(-1).unwrap_or(newest.0);
        request = request.filter_updated_after(since.to_string());
    }
    let (mut added, mut changed) = (0, 0);
    let mut users = request.stream();
    while let Some(user) = users.try_next().await? {
        match copy.insert(user.id.to_string(), user.clone()) {
            None => added += 1,
            Some(before) if before != user => changed += 1,
            Some(_) => {}
        }
    }
    write(&file, &copy)?;
    println!("{} users: {added} added, {changed} changed", copy.len());
    Ok(())
}

fn newest(copy: &BTreeMap<String, DirectoryUser>) -> Option<Timestamp> {
    let changed = copy
        .values()
        .filter_map(|user| user.timestamp.updated_at.clone().value());
    changed.max()
}

fn read(file: &str) -> Result<BTreeMap<String, DirectoryUser>, Box<dyn Error>> {
    let text = match fs::read_to_string(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(BTreeMap::new()),
        text => text?,
    };
    let mut copy = BTreeMap::new();
    for line in text.lines() {
        let user: DirectoryUser = serde_json::from_str(line)?;
        copy.insert(user.id.to_string(), user);
    }
    Ok(copy)
}

/// Writes a new file and puts it in the place of the old one, so that a copy is never half written.
fn write(file: &str, copy: &BTreeMap<String, DirectoryUser>) -> Result<(), Box<dyn Error>> {
    let mut text = String::new();
    for user in copy.values() {
        text.push_str(&serde_json::to_string(user)?);
        text.push('\n');
    }
    let new = format!("{file}.new");
    fs::write(&new, text)?;
    fs::rename(&new, file)?;
    Ok(())
}
