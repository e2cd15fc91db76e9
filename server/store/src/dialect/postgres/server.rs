//! Where a database of a server is, and how it is connected to.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use postgres::config::Host;
use postgres::{Client, Config};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::outage::Outage;
use super::{fault, tls};
use crate::dialect::Durability;
use crate::error::Result;

/// A database of a server, with the user that connects.
#[derive(Clone)]
pub struct Server {
    config: Config,
    tls: MakeRustlsConnect,
    outage: Outage,
}

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(5);

/// What a session is told, unless the `options` of the address say something else.
const SETTINGS: [(&str, &str); 3] = [
    // As long as a request, in milliseconds.
    ("statement_timeout", "30000"),
    // A transaction may wait so long for its next statement: a copy compares a table meanwhile.
    ("idle_in_transaction_session_timeout", "600000"),
    ("client_min_messages", "warning"),
];

/// How long the server of a lost machine is waited for.
const SILENCE: Duration = Duration::from_secs(15);

impl FromStr for Server {
    type Err = String;

    fn from_str(address: &str) -> std::result::Result<Self, String> {
        let (address, wanted) = tls::split(address)?;
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
        config.keepalives_idle(SILENCE).ssl_mode(wanted.mode());
        Ok(Self {
            config,
            tls: wanted.connector()?,
            outage: Outage::default(),
        })
    }
}

impl Server {
    /// Connects.
    pub(super) fn connect(&self, durability: Durability) -> Result<Client> {
        match self.session(durability) {
            Ok(client) => {
                self.outage.succeeded(self);
                Ok(client)
            }
            Err(why) => {
                let why = fault::unreachable(&why);
                self.outage.failed(self, &why);
                Err(why)
            }
        }
    }

    fn session(&self, durability: Durability) -> std::result::Result<Client, postgres::Error> {
        let mut client = self.config.connect(self.tls())?;
        let options = self.config.get_options().unwrap_or_default();
        let mut settings = format!("SET synchronous_commit = {}", synchronous_commit(durability));
        for (name, value) in SETTINGS {
            if !options.contains(name) {
                settings.push_str(&format!("; SET {name} = {value}"));
            }
        }
        client.batch_execute(&settings)?;
        Ok(client)
    }

    /// What makes connections secret.
    pub(super) fn tls(&self) -> MakeRustlsConnect {
        self.tls.clone()
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
