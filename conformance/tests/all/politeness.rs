//! How a target is treated: it is asked again only where that is harmless, as fast as it likes, and alone gets the token.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request as Asked, State};
use axum::http::Response;
use rollcall_conformance::{TargetConfig, Token};
use rollcall_oracle::http::credentials::Credentials;
use rollcall_oracle::http::journal::Journal;
use rollcall_oracle::http::request::Request;
use rollcall_oracle::http::target::{Notice, Target, TargetError};
use rollcall_shelf::TOKEN;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

type Answer = Arc<dyn Fn(usize) -> Response<Body> + Send + Sync>;

/// A target that answers by the number of the request, and remembers what it was asked and when.
#[derive(Clone)]
struct Small {
    answer: Answer,
    asked: Arc<Mutex<Vec<(String, Instant)>>>,
}

impl Small {
    async fn serve(answer: impl Fn(usize) -> Response<Body> + Send + Sync + 'static) -> (Self, TargetConfig) {
        let small = Self {
            answer: Arc::new(answer),
            asked: Arc::default(),
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}/api/v1", listener.local_addr().unwrap());
        let router = Router::new().fallback(asked).with_state(small.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        let config = TargetConfig::new(base.parse().unwrap(), Token::new(TOKEN).unwrap());
        (small, config)
    }

    fn paths(&self) -> Vec<String> {
        self.asked
            .lock()
            .unwrap()
            .iter()
            .map(|(path, _)| path.clone())
            .collect()
    }

    fn times(&self) -> Vec<Instant> {
        self.asked.lock().unwrap().iter().map(|(_, at)| *at).collect()
    }
}

async fn asked(State(small): State<Small>, request: Asked) -> Response<Body> {
    let number = {
        let mut asked = small.asked.lock().unwrap();
        asked.push((request.uri().path().to_owned(), Instant::now()));
        asked.len()
    };
    (small.answer)(number)
}

fn answer(status: u16, headers: &[(&str, &str)]) -> Response<Body> {
    let builder = Response::builder().status(status);
    let builder = headers
        .iter()
        .fold(builder, |builder, (name, value)| builder.header(*name, *value));
    builder.body(Body::from("[]")).unwrap()
}

fn get() -> Request {
    Request::get("/directory/users")
}

fn patch() -> Request {
    Request::patch(
        "/workspace/users/x/restore",
        serde_json::json!({}),
        Credentials::Token,
    )
}

#[tokio::test]
async fn a_busy_target_is_asked_again_at_the_date_it_names() {
    let (small, config) = Small::serve(|number| match number {
        1 => {
            let headers = [
                ("date", "Sun, 06 Nov 1994 08:49:37 GMT"),
                ("retry-after", "Sun, 06 Nov 1994 08:49:38 GMT"),
            ];
            answer(429, &headers)
        }
        _ => answer(200, &[]),
    })
    .await;
    let target = Target::new(config, 4, Journal::start()).unwrap();
    assert_eq!(target.send(&get()).await.unwrap().status, 200);
    let times = small.times();
    assert_eq!(times.len(), 2);
    assert!(
        times[1] - times[0] >= Duration::from_millis(990),
        "{:?}",
        times[1] - times[0]
    );
}

#[tokio::test]
async fn while_a_target_asks_for_a_pause_nothing_is_sent() {
    let (small, config) = Small::serve(|number| match number {
        1 => answer(503, &[("retry-after", "1")]),
        _ => answer(200, &[]),
    })
    .await;
    let target = Arc::new(Target::new(config, 1, Journal::start()).unwrap());
    let request = get();
    let (one, other) = tokio::join!(target.send(&request), target.send(&request));
    assert!(one.is_ok() && other.is_ok());
    let times = small.times();
    // With one request at a time, the second request waits out the pause that the first was asked for.
    assert!(
        times.len() == 3 && times[2] - times[0] >= Duration::from_millis(990),
        "{times:?}"
    );
}

#[tokio::test]
async fn a_write_is_sent_again_only_if_the_target_says_that_it_did_not_carry_it_out() {
    for (status, headers, tries) in [
        (503, &[][..], 1),
        (503, &[("retry-after", "0")], 6),
        (429, &[("retry-after", "0")], 6),
    ] {
        let (small, config) = Small::serve(move |_| answer(status, headers)).await;
        let target = Target::new(config, 4, Journal::start()).unwrap();
        let error = target.send(&patch()).await.unwrap_err();
        let line = "PATCH /workspace/users/x/restore";
        let times = if tries == 1 {
            "once".to_owned()
        } else {
            format!("{tries} times")
        };
        assert_eq!(
            error.to_string(),
            format!("{line} was sent {times} and answered {status}")
        );
        assert_eq!(small.times().len(), tries);
    }
}

#[tokio::test]
async fn a_get_is_sent_again_while_the_target_is_busy() {
    let (small, config) = Small::serve(|_| answer(503, &[("retry-after", "0")])).await;
    let target = Target::new(config, 4, Journal::start()).unwrap();
    let error = target.send(&get()).await.unwrap_err();
    assert!(matches!(
        error,
        TargetError::Busy {
            status: 503,
            tries: 6,
            ..
        }
    ));
    assert_eq!(small.times().len(), 6);
}

#[tokio::test]
async fn a_header_on_several_lines_is_read_whole() {
    let links = [("link", "</a>; rel=\"first\""), ("link", "</b>; rel=\"next\"")];
    let (_, config) = Small::serve(move |_| answer(200, &links)).await;
    let target = Target::new(config, 4, Journal::start()).unwrap();
    let link = target.send(&get()).await.unwrap().link;
    assert_eq!(link.as_deref(), Some("</a>; rel=\"first\", </b>; rel=\"next\""));
}

#[tokio::test]
async fn a_short_token_is_not_looked_for_in_answers() {
    let (_, config) = Small::serve(|_| answer(200, &[("link", "</test>; rel=\"next\"")])).await;
    for (token, shown) in [("test", "</test>"), ("</test>;", "$TOKEN")] {
        let token = Token::new(token).unwrap();
        let target = Target::new(
            TargetConfig {
                token,
                ..config.clone()
            },
            4,
            Journal::start(),
        )
        .unwrap();
        let link = target.send(&get()).await.unwrap().link.unwrap();
        assert!(link.starts_with(shown), "{link}");
    }
}

#[tokio::test]
async fn a_get_is_sent_once_more_when_the_connection_breaks() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}/api/v1", listener.local_addr().unwrap());
    let connections = Arc::new(Mutex::new(0));
    let counted = Arc::clone(&connections);
    tokio::spawn(async move {
        // Every connection is closed as soon as something was said.
        while let Ok((stream, _)) = listener.accept().await {
            *counted.lock().unwrap() += 1;
            stream.readable().await.unwrap();
        }
    });
    let config = TargetConfig::new(base.parse().unwrap(), Token::new(TOKEN).unwrap());
    let target = Target::new(config, 1, Journal::start()).unwrap();
    for (request, sent) in [(patch(), 1), (get(), 3)] {
        let trouble = target.send(&request).await.unwrap_err();
        assert!(matches!(trouble, TargetError::NoAnswer { .. }), "{trouble}");
        assert!(!trouble.to_string().contains(TOKEN), "{trouble}");
        assert_eq!(
            (*connections.lock().unwrap(), target.sent()),
            (sent, sent),
            "{trouble}"
        );
    }
}

/// uvicorn closes its connection after an exception: a write that is sent on it is lost.
#[tokio::test]
async fn a_write_after_an_error_of_the_server_has_a_connection_of_its_own() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}/api/v1", listener.local_addr().unwrap());
    tokio::spawn(async move {
        // The first connection stays open, and whatever else comes on it has no answer.
        let mut open = Vec::new();
        for status in ["500 Error", "200 OK"] {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = [0; 4096];
            let _ = stream.read(&mut request).await.unwrap();
            let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 2\r\n\r\n{{}}");
            stream.write_all(answer.as_bytes()).await.unwrap();
            open.push(stream);
        }
    });
    let config = TargetConfig::new(base.parse().unwrap(), Token::new(TOKEN).unwrap());
    let target = Target::new(config, 1, Journal::start()).unwrap();
    for status in [500, 200] {
        assert_eq!(target.send(&patch()).await.unwrap().status, status);
    }
}

#[tokio::test]
async fn a_rate_spaces_requests() {
    let (small, mut config) = Small::serve(|_| answer(200, &[])).await;
    config.rate = Some(20.0);
    let target = Target::new(config, 8, Journal::start()).unwrap();
    let request = get();
    let sent = [(); 5].map(|()| target.send(&request));
    let began = Instant::now();
    for one in futures_util::future::join_all(sent).await {
        one.unwrap();
    }
    assert_eq!(small.times().len(), 5);
    assert!(
        began.elapsed() >= Duration::from_millis(200),
        "{:?}",
        began.elapsed()
    );
}

#[tokio::test]
async fn the_number_of_requests_is_never_exceeded() {
    let (small, mut config) = Small::serve(|_| answer(200, &[])).await;
    config.max_requests = 3;
    let target = Target::new(config, 8, Journal::start()).unwrap();
    let request = get();
    let sent = [(); 9].map(|()| target.send(&request));
    let answers = futures_util::future::join_all(sent).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 3);
    assert_eq!((small.times().len(), target.sent()), (3, 3));
}

#[tokio::test]
async fn a_redirect_is_an_answer_and_the_token_does_not_follow_it() {
    let (elsewhere, config) = Small::serve(|_| answer(200, &[])).await;
    let location = config.base_url.to_string();
    let (_, config) = Small::serve(move |_| answer(302, &[("location", &location)])).await;
    let target = Target::new(config, 4, Journal::start()).unwrap();
    assert_eq!(target.send(&get()).await.unwrap().status, 302);
    assert_eq!((target.sent(), elsewhere.times().len()), (1, 0));
}

#[tokio::test]
async fn a_redirect_to_the_same_resource_is_followed_and_remembered() {
    let (small, config) = Small::serve(|number| match number {
        1 => answer(307, &[("location", "/api/v1/directory/users/")]),
        _ => answer(200, &[]),
    })
    .await;
    let target = Target::new(config, 4, Journal::start()).unwrap();
    for sent in [2, 3] {
        let exchange = target.send(&get()).await.unwrap();
        assert_eq!((exchange.status, target.sent()), (200, sent));
    }
    let (users, moved) = ("/api/v1/directory/users", "/api/v1/directory/users/");
    assert_eq!(small.paths(), [users, moved, moved]);
}

#[tokio::test]
async fn a_redirect_that_leads_back_is_an_answer() {
    let (small, config) = Small::serve(|number| match number % 2 {
        1 => answer(301, &[("location", "/api/v1/directory/users/")]),
        _ => answer(301, &[("location", "/api/v1/directory/users")]),
    })
    .await;
    let target = Target::new(config, 4, Journal::start()).unwrap();
    assert_eq!(target.send(&get()).await.unwrap().status, 301);
    assert_eq!(small.times().len(), 5);
}

#[tokio::test]
async fn a_wait_that_is_longer_than_the_timeout_ends_the_run() {
    let (small, config) = Small::serve(|_| answer(429, &[("retry-after", "999999999")])).await;
    let target = Target::new(config, 4, Journal::start()).unwrap();
    for _ in 0..2 {
        let error = target.send(&get()).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "GET /directory/users was answered 429, which asks to wait 11574 days (Retry-After); \
             the run waits no longer than its --timeout of 30 s"
        );
    }
    assert_eq!(small.times().len(), 1);
}

#[tokio::test]
async fn a_long_wait_is_told() {
    let (_, mut config) = Small::serve(|number| match number {
        1 => answer(503, &[("retry-after", "3")]),
        _ => answer(200, &[]),
    })
    .await;
    let told = Arc::new(Mutex::new(Vec::new()));
    let tell = Arc::clone(&told);
    config.notice = Notice::to(move |what| tell.lock().unwrap().push(what.to_owned()));
    let target = Target::new(config, 4, Journal::start()).unwrap();
    assert_eq!(target.send(&get()).await.unwrap().status, 200);
    assert_eq!(*told.lock().unwrap(), ["waiting 3 s: the target answers 503"]);
}

#[tokio::test]
async fn nothing_is_sent_when_the_time_is_over() {
    let (small, mut config) = Small::serve(|_| answer(200, &[])).await;
    config.budget = Some(Duration::ZERO);
    let target = Target::new(config, 4, Journal::start()).unwrap();
    let error = target.send(&get()).await.unwrap_err();
    assert!(matches!(error, TargetError::Time { .. }), "{error}");
    assert_eq!(small.times().len(), 0);
}

#[tokio::test]
async fn a_token_that_comes_back_is_taken_out() {
    let (_, config) = Small::serve(|_| {
        let challenge = format!("Bearer realm=\"{TOKEN}\"");
        let mut echo = answer(401, &[("www-authenticate", &challenge)]);
        let escaped = TOKEN.replace('/', r"\/").replace('+', r"\u002b");
        *echo.body_mut() = Body::from(format!("{{\"token\":\"{TOKEN}\",\"escaped\":\"{escaped}\"}}"));
        echo
    })
    .await;
    let target = Target::new(config, 4, Journal::start()).unwrap();
    let exchange = target.send(&get()).await.unwrap();
    assert!(!format!("{exchange:?}{target:?}").contains(TOKEN));
    assert_eq!(exchange.body, r#"{"token":"$TOKEN","escaped":"$TOKEN"}"#);
}
