//! Lists the active users whose email contains a text, the newest first, each with the name of the manager.
//!
//!     ROLLCALL_URL=http://127.0.0.1:8080/api/v1 ROLLCALL_TOKEN=… cargo run --example list_users -- example.com

use std::error::Error;

use rollcall::client::TryStreamExt as _;
use rollcall::client::model::{DirectoryUserInclude, DirectoryUserSort};
use rollcall::{Client, Presence};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let client = Client::with_token(&std::env::var("ROLLCALL_URL")?, &std::env::var("ROLLCALL_TOKEN")?)?;
    // docs: begin
    let mut request = client
        .list_directory_users()
        .filter_state("active")
        .sort([DirectoryUserSort::CreatedAtDesc, DirectoryUserSort::Id])
        .include([
            DirectoryUserInclude::ManagerUser,
            DirectoryUserInclude::WorkspaceUser,
        ])
        .page_size(200);
    // docs: end
    if let Some(text) = std::env::args().nth(1) {
        request = request.filter_email_search(text);
    }
    let mut users = request.stream();
    while let Some(user) = users.try_next().await? {
        let manager = match user.included.manager_user {
            Presence::Value(manager) => manager.full_name,
            Presence::Absent | Presence::Null => "nobody".to_owned(),
        };
        println!("{} <{}> reports to {manager}", user.full_name, user.email);
    }
    Ok(())
}
