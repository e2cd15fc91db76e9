//! A client that sends bytes as they are and reads whole answers.

use std::io::{self, BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use crate::answer::{Answer, BrokenAnswer};

/// How long a test waits for the server before it fails.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);
/// How long a client waits between two of many small steps.
pub(crate) const STEP: Duration = Duration::from_millis(20);

/// One connection.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
}

/// What has come so far.
enum Arrival {
    Nothing,
    Answer,
    End,
}

impl Client {
    /// Connects.
    pub(crate) fn connect(address: SocketAddr) -> Self {
        Self::new(TcpStream::connect(address).unwrap())
    }

    /// A client on a connected socket.
    pub(crate) fn new(stream: TcpStream) -> Self {
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        Self {
            stream: BufReader::new(stream),
        }
    }

    /// Sends bytes.
    pub(crate) fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.try_send(bytes).unwrap();
    }

    /// Sends bytes, which fails if the server has closed the connection.
    pub(crate) fn try_send(&mut self, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        self.stream.get_mut().write_all(bytes.as_ref())
    }

    /// Says that nothing more is sent.
    pub(crate) fn end_requests(&mut self) {
        // The server may have closed the connection already.
        _ = self.stream.get_mut().shutdown(Shutdown::Write);
    }

    /// The next answer to a request that is not HEAD.
    pub(crate) fn read(&mut self) -> Answer {
        match Answer::read(&mut self.stream, false) {
            Ok(Some(answer)) => answer,
            Ok(None) => panic!("the server closed the connection without an answer"),
            Err(broken) => panic!("no answer: {broken}"),
        }
    }

    /// The next answer, if the server sends one before it closes the connection.
    fn try_read(&mut self) -> Result<Option<Answer>, BrokenAnswer> {
        Answer::read(&mut self.stream, false)
    }

    /// Sends a request and reads its answer.
    pub(crate) fn ask(&mut self, request: impl AsRef<[u8]>) -> Answer {
        self.send(request);
        self.read()
    }

    /// Sends a request, ends the requests, and reads all answers until the server closes the connection.
    pub(crate) fn ask_all(mut self, requests: impl AsRef<[u8]>) -> Vec<Answer> {
        self.send(requests);
        self.end_requests();
        self.read_to_end()
    }

    /// All answers until the server closes the connection.
    pub(crate) fn read_to_end(&mut self) -> Vec<Answer> {
        let mut answers = Vec::new();
        loop {
            match self.try_read() {
                Ok(Some(answer)) => answers.push(answer),
                Ok(None) => return answers,
                Err(broken) => panic!("{broken}"),
            }
        }
    }

    /// Waits until the server closes the connection; fails if it sends something before.
    pub(crate) fn expect_close(&mut self) {
        match self.stream.fill_buf() {
            Ok([]) => {}
            Ok(bytes) => panic!("not closed, but sent: {}", bytes.escape_ascii()),
            Err(error) => assert!(is_closed(&error), "not closed: {error}"),
        }
    }

    /// Sends one byte after another until the server answers or closes the connection. The answer is not read.
    pub(crate) fn trickle_until_answered_or_closed(&mut self, byte: u8) {
        self.trickle(byte, |client| !matches!(client.peek_now(), Arrival::Nothing));
    }

    /// Sends one byte after another until the connection is reset: its socket in the server is gone. Nothing is read.
    pub(crate) fn trickle_until_reset(&mut self, byte: u8) {
        self.trickle(byte, |_| false);
    }

    fn trickle(&mut self, byte: u8, is_enough: fn(&Self) -> bool) {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if self.try_send([byte]).is_err() || is_enough(self) {
                return;
            }
            std::thread::sleep(STEP);
        }
        panic!("the server goes on taking single bytes");
    }

    /// Whether the connection is open, as far as its end has arrived here.
    pub(crate) fn is_open(&self) -> bool {
        !matches!(self.peek_now(), Arrival::End)
    }

    /// Waits for the first byte of an answer and leaves it unread.
    pub(crate) fn peek(&self) -> u8 {
        let mut byte = [0];
        assert_eq!(self.stream.get_ref().peek(&mut byte).unwrap(), 1);
        byte[0]
    }

    fn peek_now(&self) -> Arrival {
        let stream = self.stream.get_ref();
        stream.set_nonblocking(true).unwrap();
        let peeked = stream.peek(&mut [0]);
        stream.set_nonblocking(false).unwrap();
        match peeked {
            Ok(0) => Arrival::End,
            Err(error) if is_closed(&error) => Arrival::End,
            Ok(_) => Arrival::Answer,
            Err(_) => Arrival::Nothing,
        }
    }

    /// Reads raw bytes until the server closes the connection or the bytes are enough.
    pub(crate) fn read_raw(&mut self, most: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut piece = [0; 1_024];
        while bytes.len() < most {
            match self.stream.read(&mut piece) {
                Ok(0) => break,
                Ok(read) => bytes.extend_from_slice(&piece[..read]),
                Err(error) if is_closed(&error) => break,
                Err(error) => panic!("{error}"),
            }
        }
        bytes
    }
}

/// Whether the error says that the server has closed the connection.
fn is_closed(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::ConnectionReset | ErrorKind::BrokenPipe | ErrorKind::ConnectionAborted
    )
}

/// A GET request of a path, with a token.
pub(crate) fn get(path: &str, token: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: rollcall\r\nAuthorization: Bearer {token}\r\n\r\n")
}

/// A PATCH request of a path with a JSON body. The header lines end in CR LF each.
pub(crate) fn patch(path: &str, token: &str, lines: &[u8], body: &str) -> Vec<u8> {
    let head = format!(
        "PATCH {path} HTTP/1.1\r\nHost: rollcall\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n",
        body.len()
    );
    [head.as_bytes(), lines, b"\r\n", body.as_bytes()].concat()
}
