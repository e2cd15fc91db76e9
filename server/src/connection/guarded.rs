//! Between the socket and the HTTP library: lets one request at a time through, each head after it was looked at, and cuts
//! off clients that send or read too slowly.
//!
//! A head that is refused is replaced by one that asks for nothing, so that the refusal is answered, logged and counted
//! like every other (A3); nothing is read after it.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

use super::chunks::{Chunks, Followed};
use super::head::{BodyLength, MAX_HEAD, Malformed, inspect};
use super::open::Connection;

/// How long a client may take.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// For a head, from its first byte or from the beginning of the connection.
    pub head: Duration,
    /// Between two requests.
    pub idle: Duration,
    /// For a body.
    pub body: Duration,
    /// For reading 16 KiB of an answer.
    pub read: Duration,
}

/// How much of an answer a client reads at least within [`Timeouts::read`], in bytes, if it lets us wait at all.
const LEAST_READ: u64 = 16 * 1024;

/// What is let through instead of a head that is refused; the answer to HEAD has no body (RFC 9110 §9.3.2).
const REFUSED: &[u8] = b"GET / HTTP/1.1\r\nhost: refused\r\nconnection: close\r\n\r\n";
const REFUSED_HEAD: &[u8] = b"HEAD / HTTP/1.1\r\nhost: refused\r\nconnection: close\r\n\r\n";

/// How much is read from the socket at a time.
const PIECE: usize = 4 * 1024;

/// A socket that gives the HTTP library one sound request at a time.
pub(super) struct GuardedStream<S> {
    stream: S,
    at: At,
    /// Bytes that were read; the first `checked` of them may be let through.
    input: Vec<u8>,
    checked: usize,
    /// How many bytes of `input` have been searched for the end of a head.
    searched: usize,
    timeouts: Timeouts,
    timer: Option<(Wait, Pin<Box<Sleep>>)>,
    /// How many bytes the network had taken when the client began to let us wait, and how long it may.
    reading: Option<(u64, Pin<Box<Sleep>>)>,
    connection: Arc<Connection>,
}

/// Where in a request the next byte stands.
enum At {
    Head,
    Body(u64),
    Chunks(Chunks),
    /// Nothing more is let through.
    End,
}

/// What is waited for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wait {
    Head,
    Next,
    Body,
}

impl<S> GuardedStream<S> {
    pub(super) fn new(stream: S, timeouts: Timeouts, connection: Arc<Connection>) -> Self {
        Self {
            stream,
            at: At::Head,
            input: Vec::new(),
            checked: 0,
            searched: 0,
            timeouts,
            timer: None,
            reading: None,
            connection,
        }
    }

    pub(super) fn into_inner(self) -> S {
        self.stream
    }

    /// Looks at what was read; whether some of it may be let through now, or nothing more will come.
    fn check(&mut self) -> bool {
        match &mut self.at {
            At::End => return true,
            At::Body(0) => self.at = At::Head,
            At::Body(left) => {
                let here = usize::try_from(*left).unwrap_or(usize::MAX).min(self.input.len());
                *left -= here as u64;
                self.checked = here;
            }
            At::Chunks(chunks) => match chunks.follow(&self.input) {
                Followed::On => self.checked = self.input.len(),
                Followed::End(end) => {
                    self.checked = end;
                    self.at = At::Head;
                }
                // The library finds the same fault, or the end of the stream in the middle of a body.
                Followed::Broken(end) => {
                    self.checked = end;
                    self.at = At::End;
                    return true;
                }
            },
            At::Head => {}
        }
        if self.checked == 0 && matches!(self.at, At::Head) {
            self.check_head();
        }
        self.checked > 0 || matches!(self.at, At::End)
    }

    fn check_head(&mut self) {
        let verdict = match has_empty_line(&self.input, self.searched) {
            true => inspect(&self.input),
            false => None,
        };
        self.searched = self.input.len();
        match verdict {
            Some(Ok(head)) if head.length <= MAX_HEAD => {
                self.checked = head.length;
                self.searched = 0;
                self.timer = None;
                self.connection.begin_request();
                self.at = match head.body {
                    BodyLength::Bytes(0) => At::Head,
                    BodyLength::Bytes(length) => At::Body(length),
                    BodyLength::Chunked => At::Chunks(Chunks::default()),
                };
            }
            Some(Ok(_)) => self.refuse(Malformed::TooLong),
            Some(Err(malformed)) => self.refuse(malformed),
            None if self.input.len() > MAX_HEAD => self.refuse(Malformed::TooLong),
            None => {}
        }
    }

    fn refuse(&mut self, malformed: Malformed) {
        let refused = match self.input.starts_with(b"HEAD ") {
            true => REFUSED_HEAD,
            false => REFUSED,
        };
        self.input.clear();
        self.input.extend_from_slice(refused);
        self.checked = refused.len();
        self.at = At::End;
        self.connection.begin_refusal(malformed);
    }

    /// Whether the client has let us wait too long for what comes next. While an answer is on its way nothing is due.
    fn is_late(&mut self, cx: &mut Context<'_>) -> bool {
        let wait = match self.at {
            At::Body(_) | At::Chunks(_) => Wait::Body,
            _ if !self.connection.is_waiting() => return false,
            _ if self.input.is_empty() && self.connection.has_answered() => Wait::Next,
            _ => Wait::Head,
        };
        let timeouts = match wait {
            Wait::Head => self.timeouts.head,
            Wait::Next => self.timeouts.idle,
            Wait::Body => self.timeouts.body,
        };
        let (waited, timer) = self
            .timer
            .get_or_insert_with(|| (wait, Box::pin(sleep(timeouts))));
        if *waited != wait {
            *waited = wait;
            timer.as_mut().reset(Instant::now() + timeouts);
        }
        timer.as_mut().poll(cx).is_ready()
    }

    /// Waits for the client to read; fails when it has read too little for too long.
    fn await_reader<T>(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        self.connection.set_awaits_reader(true);
        let (sent, timeout) = (self.connection.sent(), self.timeouts.read);
        let (began_at, timer) = self
            .reading
            .get_or_insert_with(|| (sent, Box::pin(sleep(timeout))));
        if sent - *began_at >= LEAST_READ {
            *began_at = sent;
            timer.as_mut().reset(Instant::now() + timeout);
        }
        ready!(timer.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

/// Whether there is an empty line in bytes of which the first `searched` have none.
fn has_empty_line(bytes: &[u8], searched: usize) -> bool {
    let fresh = &bytes[searched.saturating_sub(3)..];
    fresh.windows(2).any(|pair| pair == b"\n\n") || fresh.windows(3).any(|three| three == b"\n\r\n")
}

impl<S: AsyncRead + Unpin> AsyncRead for GuardedStream<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let guarded = self.get_mut();
        loop {
            if guarded.checked > 0 {
                let length = guarded.checked.min(buf.remaining());
                buf.put_slice(&guarded.input[..length]);
                guarded.input.drain(..length);
                guarded.checked -= length;
                if guarded.input.is_empty() && guarded.input.capacity() > 2 * PIECE {
                    guarded.input = Vec::new(); // An idle connection keeps no room for the long head it once had.
                }
                return Poll::Ready(Ok(()));
            }
            if guarded.check() {
                if guarded.checked == 0 {
                    return Poll::Ready(Ok(()));
                }
                continue;
            }
            let mut piece = [0; PIECE];
            let mut read = ReadBuf::new(&mut piece);
            match Pin::new(&mut guarded.stream).poll_read(cx, &mut read) {
                Poll::Ready(Ok(())) if read.filled().is_empty() => {
                    guarded.at = At::End;
                }
                Poll::Ready(Ok(())) => {
                    guarded.connection.set_awaits_body(false);
                    if guarded.input.is_empty() && matches!(guarded.at, At::Head) {
                        guarded.timer = None;
                    }
                    guarded.input.extend_from_slice(read.filled());
                }
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending if guarded.is_late(cx) => {
                    guarded.at = At::End;
                    guarded.input.clear();
                }
                Poll::Pending => {
                    if matches!(guarded.at, At::Body(_) | At::Chunks(_)) {
                        guarded.connection.set_awaits_body(true);
                    }
                    return Poll::Pending;
                }
            }
        }
    }
}

impl<S: AsyncWrite + Unpin> GuardedStream<S> {
    fn written(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        self.connection.set_writing(true);
        match written {
            Poll::Ready(Ok(_)) => self.connection.set_awaits_reader(false),
            Poll::Ready(Err(_)) => {}
            Poll::Pending => return self.await_reader(cx),
        }
        written
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for GuardedStream<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let guarded = self.get_mut();
        let written = Pin::new(&mut guarded.stream).poll_write(cx, bytes);
        guarded.written(cx, written)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let guarded = self.get_mut();
        let written = Pin::new(&mut guarded.stream).poll_write_vectored(cx, parts);
        guarded.written(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let guarded = self.get_mut();
        // Below TLS an answer may wait for the client although all of it was taken.
        match Pin::new(&mut guarded.stream).poll_flush(cx) {
            Poll::Ready(flushed) => flushed?,
            Poll::Pending => return guarded.await_reader(cx),
        }
        guarded.reading = None;
        guarded.connection.set_awaits_reader(false);
        guarded.connection.set_writing(false);
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let guarded = self.get_mut();
        match Pin::new(&mut guarded.stream).poll_shutdown(cx) {
            Poll::Ready(ended) => Poll::Ready(ended),
            Poll::Pending => guarded.await_reader(cx),
        }
    }
}
