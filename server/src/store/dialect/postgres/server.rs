//! Where a database of a server is, and how it is connected to.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use postgres::config::Host;
use postgres::{Client, Config, NoTls};

use super::fault;
use crate::store::Result;
use crate::store::dialect::Durability;

/// A database of a server, with the user that connects.
#[derive(Clone)]
pub struct Server {
    config: Config,
}

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(5);

/// How long a statement may run, in milliseconds: as long as a request.
const STATEMENT: u32 = 30_000;

/// How long a transaction may wait for its next statement, in milliseconds: a copy compares a table meanwhile.
const IDLE: u32 = 600_000;

/// How long the server of a lost machine is waited for.
const SILENCE: Duration = Duration::from_secs(15);

impl FromStr for Server {
    type Err = String;

    fn from_str(address: &str) -> std::result::Result<Self, String> {
        let parsed = address.parse::<Config>();
        let mut config = parsed.map_err(|why| {
            let cause =
                std::error::Error::source(&why).map_or_else(String::new, |cause| format!(": {cause}"));
            format!("not an address of a PostgreSQL database{cause}")
        })?;
        if config.get_hosts().is_empty() {
            return Err("name a host: postgres://user@host/database".to_owned());
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT);
        }
        config.application_name("rollcall").tcp_user_timeout(SILENCE);
        config.keepalives_idle(SILENCE);
        Ok(Self { config })
    }
}

impl Server {
    /// Connects.
    pub(super) fn connect(&self, durability: Durability) -> Result<Client> {
        let connected = self.config.connect(NoTls);
        let mut client = connected.map_err(|why| fault::error(&why))?;
        let setting = format!(
            "SET statement_timeout = {STATEMENT}; SET idle_in_transaction_session_timeout = {IDLE};
             SET synchronous_commit = {}; SET client_min_messages = warning",
            synchronous_commit(durability)
        );
        client.batch_execute(&setting).map_err(|why| fault::error(&why))?;
        Ok(client)
    }
}

/// What a commit waits for.
pub(super) fn synchronous_commit(durability: Durability) -> &'static str {
    match durability {
        Durability::PowerCut => "on",
        Durability::Crash => "off",
    }
}

/// Without user and password.
impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("postgres://")?;
        let ports = self.config.get_ports();
        for (place, host) in self.config.get_hosts().iter().enumerate() {
            f.write_str(if place == 0 { "" } else { "," })?;
            match host {
                Host::Tcp(name) => f.write_str(name)?,
                #[cfg(unix)]
                Host::Unix(folder) => write!(f, "{}", folder.display())?,
            }
            if let Some(port) = ports.get(place).or(ports.first()) {
                write!(f, ":{port}")?;
            }
        }
        write!(f, "/{}", self.config.get_dbname().unwrap_or_default())
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Server({self})")
    }
}
