//! The head of a request: `server/src/connection/head.rs`.

use rollcall_fuzz::{Pieces, target};
use rollcall_server::connection::{BodyLength, Head, inspect};

target!(property);

/// How many beginnings of an input are looked at: each is read from its first byte on.
const MAX_PIECES: usize = 64;

/// The verdict depends on the head alone: not on what follows it, and not on how it arrives.
fn property(input: &[u8]) {
    let verdict = inspect(input);
    let mut arrived = 0;
    for piece in Pieces::of(input).take(MAX_PIECES) {
        arrived += piece.len();
        let early = inspect(&input[..arrived]);
        if early.is_some() {
            assert_eq!(early, verdict, "after {arrived} bytes");
            break;
        }
    }
    if verdict.is_some() {
        let longer = [input, b"GET / HTTP/1.1\r\n\r\n\0\xff"].concat();
        assert_eq!(inspect(&longer), verdict);
    }
    if let Some(Ok(head)) = verdict {
        accepted(&input[..head.length], head);
    }
}

/// What is accepted names one host and one length; here the lines are read in the simplest way there is.
fn accepted(bytes: &[u8], head: Head) {
    assert!(bytes.ends_with(b"\r\n\r\n") || bytes.ends_with(b"\n\n") || bytes.ends_with(b"\n\r\n"));
    assert_eq!(inspect(bytes), Some(Ok(head)));
    let text = bytes.escape_ascii();
    let lines = || {
        bytes
            .split(|byte| *byte == b'\n')
            .map(|line| line.trim_ascii())
            .filter(|line| !line.is_empty())
    };
    let request = lines().next().unwrap();
    let target = request.split(|byte| *byte == b' ').nth(1).unwrap();
    assert!(!target.contains(&b'#'), "{text}");
    let values = |name: &str| {
        let named = |line: &'_ [u8]| {
            let colon = line.iter().position(|byte| *byte == b':')?;
            line[..colon]
                .eq_ignore_ascii_case(name.as_bytes())
                .then(|| line[colon + 1..].trim_ascii().to_vec())
        };
        lines().skip(1).filter_map(named).collect::<Vec<_>>()
    };
    let (hosts, lengths, encodings) = (
        values("host"),
        values("content-length"),
        values("transfer-encoding"),
    );
    let least_hosts = usize::from(request.ends_with(b"HTTP/1.1"));
    assert!((least_hosts..=1).contains(&hosts.len()), "{text}");
    match (head.body, lengths.as_slice(), encodings.as_slice()) {
        (BodyLength::Bytes(0), [], []) => {}
        (BodyLength::Bytes(length), [one], []) => {
            let digits = String::from_utf8_lossy(one);
            assert_eq!(
                digits.trim_start_matches('0').parse().unwrap_or(0),
                length,
                "{text}"
            );
        }
        (BodyLength::Chunked, [], [one]) => assert!(one.eq_ignore_ascii_case(b"chunked"), "{text}"),
        other => panic!("{other:?}: {text}"),
    }
}
