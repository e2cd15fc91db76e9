//! The generated client against servers that answer what a test says: retries, idempotency keys, pages, other servers.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use http::{HeaderMap, Method, Request, StatusCode, Uri};
use rollcall::client::model::{DirectoryUser, DirectoryUserInclude, DirectoryUserSort};
use rollcall::client::{Invalid, Retry, TryStreamExt as _};
use rollcall::{Client, ClientError};
use serde_json::{Value, json};

use super::stub;

/// Answers in their order, and the requests that came.
#[derive(Clone, Default)]
pub(super) struct Script {
    answers: Arc<Mutex<VecDeque<Answer>>>,
    requests: Arc<Mutex<Vec<(Method, Uri, HeaderMap)>>>,
}

pub(super) enum Answer {
    /// A status, headers and a body.
    Whole(u16, Vec<(&'static str, String)>, Value),
    /// The connection breaks off within the body.
    Broken,
}

async fn answer(State(script): State<Script>, request: Request<Body>) -> Response {
    let (head, _) = request.into_parts();
    script
        .requests
        .lock()
        .unwrap()
        .push((head.method, head.uri, head.headers));
    let answer = script
        .answers
        .lock()
        .unwrap()
        .pop_front()
        .expect("an answer that is not in the script");
    match answer {
        Answer::Whole(status, headers, body) => {
            let mut response = Response::new(Body::from(body.to_string()));
            *response.status_mut() = StatusCode::from_u16(status).unwrap();
            response
                .headers_mut()
                .insert("content-type", "application/json".parse().unwrap());
            for (name, value) in headers {
                response.headers_mut().append(name, value.parse().unwrap());
            }
            response
        }
        Answer::Broken => {
            let pieces = [Ok("[{\"id\":"), Err("broken")];
            Response::new(Body::from_stream(futures_util::stream::iter(pieces)))
        }
    }
}

impl Script {
    pub(super) fn new(answers: impl IntoIterator<Item = Answer>) -> Self {
        Self {
            answers: Arc::new(Mutex::new(answers.into_iter().collect())),
            requests: Arc::default(),
        }
    }

    /// Serves the script, and gives its base address and a client of it to a conversation.
    pub(super) fn play<T>(&self, conversation: impl AsyncFnOnce(Client) -> T) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            let base = format!("http://{}/api/v1/", listener.local_addr().unwrap());
            let app = Router::new().fallback(answer).with_state(self.clone());
            let server = tokio::spawn(async move { axum::serve(listener, app).await });
            let client = Client::with_token(&base, "a token of the test").unwrap();
            let outcome = conversation(client).await;
            server.abort();
            assert!(
                self.answers.lock().unwrap().is_empty(),
                "the client asked too seldom"
            );
            outcome
        })
    }

    fn sent(&self, name: &str) -> Vec<String> {
        let requests = self.requests.lock().unwrap();
        let values = requests.iter().map(|(_, _, headers)| headers.get(name));
        values
            .map(|value| value.map_or(String::new(), |value| value.to_str().unwrap().to_owned()))
            .collect()
    }

    fn targets(&self) -> Vec<String> {
        let requests = self.requests.lock().unwrap();
        requests.iter().map(|(_, uri, _)| uri.to_string()).collect()
    }
}

fn ok(body: Value) -> Answer {
    Answer::Whole(200, Vec::new(), body)
}

fn busy(status: u16, wait: &str) -> Answer {
    Answer::Whole(status, vec![("retry-after", wait.to_owned())], problem(status))
}

fn problem(status: u16) -> Value {
    json!({
        "type": "about:blank", "title": "Refused", "status": status, "detail": "Later.", "instance": "/",
        "code": "unavailable", "request_id": "1", "errors": [],
    })
}

/// A page of the users at these places of the stub, with a link to the next one.
fn page(places: std::ops::Range<usize>, next: Option<&str>) -> Answer {
    let link = next.map(|next| ("link", format!("</other>; rel=\"prev\", <{next}>; rel=\"next\"")));
    Answer::Whole(200, link.into_iter().collect(), json!(stub().users[places]))
}

fn ids(users: &[DirectoryUser]) -> Vec<&str> {
    users.iter().map(|user| user.id.as_str()).collect()
}

#[test]
fn the_token_is_sent_and_the_words_are_joined() {
    let script = Script::new([page(0..1, None)]);
    let users = script.play(async |client| {
        let request = client
            .list_directory_users()
            .sort([
                DirectoryUserSort::LastNameDesc,
                DirectoryUserSort::Other("age".to_owned()),
            ])
            .include([
                DirectoryUserInclude::ManagerUser,
                DirectoryUserInclude::PolicyUsersCount,
            ]);
        request.send().await.unwrap().into_inner()
    });
    assert_eq!(ids(&users), ["drusr_1"]);
    assert_eq!(script.sent("authorization"), ["Bearer a token of the test"]);
    let targets = script.targets();
    let query = targets[0].strip_prefix("/api/v1/directory/users?").unwrap();
    let query = query.replace("%2C", ",");
    assert_eq!(
        query,
        "include=manager-user,policy-users-count&sort=-last_name,age"
    );
}

#[test]
fn a_get_is_sent_again_after_a_temporary_refusal_and_after_a_broken_answer() {
    let script = Script::new([busy(503, "0"), busy(429, "0"), Answer::Broken, page(0..2, None)]);
    let users = script.play(async |client| client.list_directory_users().send().await.unwrap().into_inner());
    assert_eq!(ids(&users), ["drusr_1", "drusr_2"]);
}

#[test]
fn the_last_refusal_is_the_error() {
    let script = Script::new((0..4).map(|_| busy(503, "0")));
    let error = script.play(async |client| client.list_directory_users().send().await.unwrap_err());
    let ClientError::ErrorResponse(answer) = error else {
        panic!("not a refusal: {error}")
    };
    assert_eq!(
        (answer.status().as_u16(), answer.detail.as_deref()),
        (503, Some("Later."))
    );
}

#[test]
fn a_wait_that_is_too_long_and_a_refusal_for_good_are_errors_at_once() {
    for refusal in [busy(503, "31"), busy(400, "0"), busy(500, "0")] {
        let script = Script::new([refusal]);
        let error = script.play(async |client| client.list_directory_users().send().await.unwrap_err());
        assert!(matches!(error, ClientError::ErrorResponse(_)), "{error}");
    }
    let script = Script::new([busy(503, "0")]);
    script.play(async |client| {
        let client = client.with_retry(Retry::never());
        client.list_directory_users().send().await.unwrap_err()
    });
}

#[test]
fn each_change_has_a_key_of_its_own_that_its_repetitions_share() {
    let user = || json!(stub().users[0]);
    let script = Script::new([busy(503, "0"), ok(user()), ok(user()), ok(user())]);
    script.play(async |client| {
        for _ in 0..2 {
            client
                .activate_directory_user()
                .user("drusr_1")
                .send()
                .await
                .unwrap();
        }
        let request = client.activate_directory_user().user("drusr_1");
        request.idempotency_key("mine").send().await.unwrap();
    });
    let keys = script.sent("idempotency-key");
    assert_eq!(keys[0], keys[1]);
    assert_ne!(keys[1], keys[2]);
    assert!(keys[..3].iter().all(|key| key.len() == 32), "{keys:?}");
    assert_eq!(keys[3], "mine");
}

#[test]
fn a_stream_follows_the_links_from_page_to_page() {
    let script = Script::new([
        page(0..1, Some("?page=c_2")),
        busy(503, "0"),
        page(1..2, Some("/api/v1/directory/users?page=c_3")),
        page(2..3, None),
    ]);
    let users: Vec<DirectoryUser> = script.play(async |client| {
        let request = client.list_directory_users().filter_state("active");
        request.stream().try_collect().await.unwrap()
    });
    assert_eq!(ids(&users), ["drusr_1", "drusr_2", "drusr_3"]);
    let list = "/api/v1/directory/users";
    let targets = [
        format!("{list}?filter%5Bstate%5D=active"),
        format!("{list}?page=c_2"),
        format!("{list}?page=c_2"),
        format!("{list}?page=c_3"),
    ];
    assert_eq!(script.targets(), targets);
}

#[test]
fn a_stream_asks_for_no_page_before_its_records_are_wanted() {
    let script = Script::new([page(0..2, Some("?page=2"))]);
    script.play(async |client| {
        let mut users = client.list_directory_users().stream();
        assert_eq!(users.try_next().await.unwrap().unwrap().id.as_str(), "drusr_1");
        assert_eq!(users.try_next().await.unwrap().unwrap().id.as_str(), "drusr_2");
    });
}

#[test]
fn a_stream_ends_with_an_error_instead_of_leaving_the_server_or_going_in_a_circle() {
    let links = [
        "http://127.0.0.1:1/api/v1/directory/users?page=2",
        "https:///",
        "?page=2",
    ];
    for link in links {
        let mut answers = vec![page(0..1, Some(link))];
        if link == "?page=2" {
            answers.push(page(1..2, Some(link)));
        }
        let script = Script::new(answers);
        let error = script.play(async |client| {
            let users = client.list_directory_users().stream();
            users.try_collect::<Vec<_>>().await.unwrap_err()
        });
        assert!(matches!(error, ClientError::Custom(_)), "{link}: {error}");
    }
}

#[test]
fn a_client_that_cannot_work_is_not_made() {
    for address in ["", "127.0.0.1:8080", "ftp://host/", "no address"] {
        let refused = Client::with_token(address, "token").unwrap_err();
        assert!(matches!(refused, Invalid::Address(_)), "{address}: {refused}");
    }
    let refused = Client::with_token("http://127.0.0.1/", "two\nlines").unwrap_err();
    assert!(matches!(refused, Invalid::Token), "{refused}");
    let client = Client::with_token("http://127.0.0.1/", "a secret").unwrap();
    assert!(!format!("{client:?}").contains("a secret"));
}
