//! Temporary: faults to be reported.

use std::io::{BufReader, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use crate::answer::Answer;
use crate::server::Server;

#[test]
#[ignore = "temporary"]
fn zz_repeat() {
    let server = Server::start();
    let n: usize = std::env::var("N").unwrap().parse().unwrap();
    let half: bool = std::env::var("HALF").is_ok();
    let mode = std::env::var("MODE").unwrap_or_default();
    let path = "a".repeat(60_000);
    let last = "GET /last HTTP/1.1\r\nHost: a\r\n\r\n";
    let big = match mode.as_str() {
        "patch" => format!("PATCH /{path} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{{}}"),
        _ => format!("GET /{path} HTTP/1.1\r\nHost: a\r\n\r\n"),
    };
    let bytes = [&big, last].concat();
    let (mut ok, mut bad) = (0, std::collections::BTreeMap::<String, usize>::new());
    for _ in 0..n {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(3))).unwrap();
        let mut writer = stream.try_clone().unwrap();
        std::thread::scope(|scope| {
            let bytes = &bytes;
            scope.spawn(move || {
                writer.write_all(bytes.as_bytes()).unwrap();
                if half {
                    writer.shutdown(std::net::Shutdown::Write).unwrap();
                }
            });
            let mut reader = BufReader::new(&mut stream);
            let one = Answer::read(&mut reader, false);
            let two = Answer::read(&mut reader, false);
            let show = |a: Result<Option<Answer>, crate::answer::Broken>| match a {
                Ok(Some(a)) => format!("{} {}", a.status, a.body.len()),
                Ok(None) => "end".to_owned(),
                Err(e) => e.to_string(),
            };
            let (one, two) = (show(one), show(two));
            if two.starts_with("404") { ok += 1 } else { *bad.entry(format!("{one} / {two}")).or_default() += 1 }
        });
    }
    eprintln!("mode {mode} half {half}: ok {ok} bad {bad:?}");
}
