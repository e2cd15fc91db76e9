//! The processes that are measured, and the processor time they have taken.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::{Result, text};

/// Tells this program to be the server that only sends a body.
pub(crate) const STATIC: &str = "--static-body";

/// A server in a process of its own, which ends with this value.
pub(crate) struct Process {
    child: Child,
    pub(crate) address: SocketAddr,
}

/// Makes a directory with invented people in a file.
pub(crate) fn make_directory(database: &Path, users: u64, token: &str) -> Result<()> {
    let mut demo = Command::new(env!("CARGO_BIN_EXE_rollcall-server"))
        .args(["demo", "--listen", "127.0.0.1:0", "--seed", "7"])
        .args([
            "--users",
            &users.to_string(),
            "--token",
            token,
            "--database",
            text(database)?,
        ])
        .stdout(Stdio::piped())
        .spawn()?;
    let stdout = demo.stdout.take().ok_or("no output")?;
    let mut lines = BufReader::new(stdout).lines().map_while(std::result::Result::ok);
    let is_ready = lines.any(|line| line.contains("is ready"));
    demo.kill()?;
    demo.wait()?;
    is_ready
        .then_some(())
        .ok_or_else(|| "the demo was not made".into())
}

impl Process {
    /// Rollcall's server.
    pub(crate) fn server(database: &Path) -> Result<Self> {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rollcall-server"))
            .args(["serve", "--listen", "127.0.0.1:0", "--database", text(database)?])
            .stderr(Stdio::piped())
            .spawn()?;
        let stderr = child.stderr.take().ok_or("no output")?;
        let mut lines = BufReader::new(stderr).lines().map_while(std::result::Result::ok);
        let line = lines
            .find(|line| line.contains(" at http://"))
            .ok_or("the server did not start")?;
        let (_, address) = line.split_once(" at http://").ok_or("no address")?;
        let address = address.split('/').next().unwrap_or_default().parse()?;
        // The pipe is read to its end, or the server would wait for it.
        std::thread::spawn(move || lines.for_each(drop));
        Ok(Self { child, address })
    }

    /// A server that answers everything with a body of this length.
    pub(crate) fn fixed(body: usize) -> Result<Self> {
        let mut child = Command::new(std::env::current_exe()?)
            .args([STATIC, &body.to_string()])
            .stdout(Stdio::piped())
            .spawn()?;
        let stdout = child.stdout.take().ok_or("no output")?;
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line)?;
        Ok(Self {
            child,
            address: line.trim().parse()?,
        })
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// Processor time that a process has taken since it began, of threads that have ended too, to a hundredth of a second.
pub(crate) fn processor_time(id: u32) -> Result<Duration> {
    let statistics = std::fs::read_to_string(format!("/proc/{id}/stat"))?;
    // The name of the program stands in parentheses, and may have spaces.
    let (_, fields) = statistics
        .rsplit_once(") ")
        .ok_or("no statistics of the process")?;
    let ticks = fields.split(' ').skip(11).take(2).map(str::parse::<u64>);
    let ticks: u64 = ticks.sum::<std::result::Result<_, _>>()?;
    Ok(Duration::from_millis(ticks * 10))
}

/// Answers every request with a body of this length, on a thread for each connection. Never ends.
pub(crate) fn serve_static(body: usize) -> Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("{}", listener.local_addr()?);
    let mut answer = format!("HTTP/1.1 200 OK\r\ncontent-length: {body}\r\n\r\n").into_bytes();
    answer.resize(answer.len() + body, b' ');
    std::thread::scope(|scope| {
        for stream in listener.incoming() {
            let answer = &answer;
            // A client that goes away ends its connection.
            scope.spawn(move || stream.map(|stream| answer_all(stream, answer)));
        }
    });
    Ok(())
}

fn answer_all(mut stream: TcpStream, answer: &[u8]) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut received = [0; 4_096];
    // Each request is one small segment.
    while stream.read(&mut received)? > 0 {
        stream.write_all(answer)?;
    }
    Ok(())
}
