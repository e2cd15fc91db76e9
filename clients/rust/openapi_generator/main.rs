//! Calls a server with the client that OpenAPI Generator made.

use std::collections::HashSet;
use std::env;
use std::error::Error;
use std::sync::Arc;

use rollcall_client::apis::configuration::Configuration;
use rollcall_client::apis::directory_api::{self as directory, DirectoryApi, DirectoryApiClient};
use rollcall_client::apis::directory_api::{ListDirectoryUsersError, ListDirectoryUsersParams};
use rollcall_client::apis::workspace_api::{self as workspace, WorkspaceApi, WorkspaceApiClient};
use rollcall_client::apis::{Error as CallError, ResponseContent};
use rollcall_client::models::{
    DeprecateRequest, DirectoryUserInclude, DirectoryUserSort, DirectoryUserState, LifecycleState,
    RestoreRequest,
};
// Compiled, not called: the functions of the default library take up to 55 arguments each.
use rollcall_default as _;

type Done<T = ()> = Result<T, Box<dyn Error>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Done {
    let server = Configuration {
        base_path: env::var("BASE_URL")?,
        bearer_access_token: Some(env::var("TOKEN")?),
        ..Configuration::default()
    };
    let directory = DirectoryApiClient::new(Arc::new(server.clone()));
    let workspace_user = filter_sort_include(&directory).await?;
    all_pages(&directory).await?;
    refused(&directory).await?;
    deprecate_attribute(&directory).await?;
    restore_workspace_user(&WorkspaceApiClient::new(Arc::new(server)), workspace_user).await
}

/// Answers the id of a workspace user that was included.
async fn filter_sort_include(api: &DirectoryApiClient) -> Done<String> {
    // docs: begin
    let params = ListDirectoryUsersParams::builder()
        .filter_left_square_bracket_state_right_square_bracket(DirectoryUserState::Active)
        .sort(vec![DirectoryUserSort::CreatedAtDesc, DirectoryUserSort::Id])
        .include(vec![
            DirectoryUserInclude::ManagerUser,
            DirectoryUserInclude::WorkspaceUser,
        ])
        .page_left_square_bracket_size_right_square_bracket(200)
        .build();
    let users = api.list_directory_users(params).await?;
    // docs: end
    assert!(!users.is_empty() && users.iter().all(|user| user.state == DirectoryUserState::Active));
    assert!(users.is_sorted_by(|one, next| one.timestamp.created_at >= next.timestamp.created_at));
    let managers: Vec<&String> = users
        .iter()
        .filter_map(|user| Some(&user.included.manager_user.as_ref()?.as_ref()?.id))
        .collect();
    assert_eq!(
        managers,
        users
            .iter()
            .filter_map(|user| user.manager_id.as_ref())
            .collect::<Vec<_>>()
    );
    assert!(!managers.is_empty() && managers.len() < users.len());
    assert!(users.iter().any(|user| user.timestamp.expires_at.is_none()));
    let found = users
        .iter()
        .find_map(|user| Some(user.included.workspace_user.as_ref()?.as_ref()?.id.clone()));
    Ok(found.ok_or("no workspace user is included")?)
}

/// Asks for pages by their number until one is empty. The number is a text: `page` is a string that may be a cursor too.
async fn all_pages(api: &DirectoryApiClient) -> Done {
    let mut ids = Vec::new();
    for number in 1.. {
        let page = page(api, number.to_string()).await?;
        if page.is_empty() {
            break;
        }
        ids.extend(page);
    }
    assert!(ids.len() > 50);
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len());
    Ok(())
}

/// The ids on a page of 50.
async fn page(api: &DirectoryApiClient, page: String) -> Done<Vec<String>> {
    let params = ListDirectoryUsersParams::builder()
        .page(page)
        .page_left_square_bracket_size_right_square_bracket(50)
        .build();
    Ok(api
        .list_directory_users(params)
        .await?
        .into_iter()
        .map(|user| user.id)
        .collect())
}

/// One field twice is a bad sort.
async fn refused(api: &DirectoryApiClient) -> Done {
    let sort = vec![DirectoryUserSort::Id, DirectoryUserSort::IdDesc];
    match api
        .list_directory_users(ListDirectoryUsersParams::builder().sort(sort).build())
        .await
    {
        Err(CallError::ResponseError(ResponseContent {
            entity: Some(ListDirectoryUsersError::Status400(problem)),
            ..
        })) => {
            assert_eq!(problem.status, 400);
            assert_eq!(problem.errors[0].parameter.as_deref(), Some("sort"));
            Ok(())
        }
        other => Err(format!("not a refusal with a problem document: {other:?}").into()),
    }
}

async fn deprecate_attribute(api: &DirectoryApiClient) -> Done {
    let params = directory::ListDirectoryAttributesParams::builder()
        .filter_left_square_bracket_state_right_square_bracket(LifecycleState::Active)
        .page_left_square_bracket_size_right_square_bracket(1)
        .build();
    let attribute = api.list_directory_attributes(params).await?.remove(0).id;
    let body = DeprecateRequest {
        expires_at: Some(None),
        expires_after_days: Some(Some(30)),
    };
    let params = directory::DeprecateDirectoryAttributeParams::builder()
        .attribute(attribute)
        .deprecate_request(body)
        .build();
    let answer = api.deprecate_directory_attribute(params).await?;
    assert!(answer.state == LifecycleState::Expiring && answer.timestamp.expires_at.is_some());
    Ok(())
}

async fn restore_workspace_user(api: &WorkspaceApiClient, user: String) -> Done {
    let params = workspace::DeprecateWorkspaceUserParams::builder()
        .user(user.clone())
        .deprecate_request(DeprecateRequest::new())
        .build();
    api.deprecate_workspace_user(params).await?;
    let params = workspace::RestoreWorkspaceUserParams::builder()
        .user(user)
        .restore_request(RestoreRequest::new(true))
        .build();
    assert!(api.restore_workspace_user(params).await?.state == LifecycleState::Active);
    Ok(())
}
