//! The end of a chunked body: `server/src/connection/chunks.rs`.

use rollcall_fuzz::{Pieces, target};
use rollcall_server::connection::{Chunks, Followed};

target!(property);

/// Where a body ends does not depend on the pieces it arrives in, nor on what follows it.
fn property(input: &[u8]) {
    let followed = Chunks::default().follow(input);
    assert_eq!(in_pieces(input), followed);
    if let Followed::End(end) = followed {
        let body = &input[..end];
        assert!(body.ends_with(b"\r\n\r\n"), "{}", body.escape_ascii());
        assert_eq!(Chunks::default().follow(body), followed);
        assert_eq!(Chunks::default().follow(&body[..end - 1]), Followed::On);
    }
    let body = encoded(input);
    let whole = [body.as_slice(), b"GET / HTTP/1.1\r\n\r\n"].concat();
    assert_eq!(Chunks::default().follow(&whole), Followed::End(body.len()));
    assert_eq!(in_pieces(&whole), Followed::End(body.len()));
}

fn in_pieces(bytes: &[u8]) -> Followed {
    let mut chunks = Chunks::default();
    let mut before = 0;
    for piece in Pieces::of(bytes) {
        match chunks.follow(piece) {
            Followed::On => before += piece.len(),
            Followed::End(at) => return Followed::End(before + at),
            Followed::Broken(at) => return Followed::Broken(before + at),
        }
    }
    Followed::On
}

/// The bytes as a chunked body, with an extension and a trailer.
fn encoded(bytes: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    for piece in Pieces::of(bytes) {
        body.extend_from_slice(format!("{:X};x=\"y\"\r\n", piece.len()).as_bytes());
        body.extend_from_slice(piece);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"0\r\nDigest: none\r\n\r\n");
    body
}
