//! A client that asks one request again and again over connections that stay open.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use super::Result;

/// The bytes of a request.
pub(crate) fn request(target: &str, token: &str) -> Vec<u8> {
    format!("GET {target} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\r\n").into_bytes()
}

/// How long the body of the answer is.
pub(crate) fn body_length(address: SocketAddr, request: &[u8]) -> Result<usize> {
    Connection::open(address)?.ask(request)
}

/// Asks over so many connections until the time is over; gives the number of answers.
pub(crate) fn run(address: SocketAddr, request: &[u8], connections: usize, time: Duration) -> Result<u64> {
    let end = Instant::now() + time;
    let ask = || -> std::result::Result<u64, String> {
        let mut connection = Connection::open(address).map_err(|why| why.to_string())?;
        let mut answered = 0;
        while Instant::now() < end {
            connection.ask(request).map_err(|why| why.to_string())?;
            answered += 1;
        }
        Ok(answered)
    };
    let answered: std::result::Result<Vec<u64>, String> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..connections).map(|_| scope.spawn(ask)).collect();
        let ended = clients.into_iter().map(|client| {
            let ended = client.join();
            ended.unwrap_or_else(|_| Err("a client panicked".to_owned()))
        });
        ended.collect()
    });
    Ok(answered?.into_iter().sum())
}

struct Connection {
    stream: BufReader<TcpStream>,
    body: Vec<u8>,
}

impl Connection {
    fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream: BufReader::with_capacity(64 * 1024, stream),
            body: Vec::new(),
        })
    }

    /// Sends the request and reads the whole answer, which must be a 200; gives the length of its body.
    fn ask(&mut self, request: &[u8]) -> Result<usize> {
        self.stream.get_mut().write_all(request)?;
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        if !line.starts_with("HTTP/1.1 200") {
            return Err(format!("the answer is {line:?}").into());
        }
        let mut length = 0;
        loop {
            line.clear();
            self.stream.read_line(&mut line)?;
            if line == "\r\n" {
                break;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse()?;
            }
        }
        self.body.resize(length, 0);
        self.stream.read_exact(&mut self.body)?;
        Ok(length)
    }
}
