//! Whom a target's certificate has to come from.

use reqwest::{Certificate, ClientBuilder};

/// Which certificates are believed.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    /// Authorities besides those of the machine.
    pub authorities: Vec<Certificate>,
    /// Whether any certificate is believed: a machine between us and the target then reads the token.
    pub anyone: bool,
}

/// A text is no list of certificates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no certificate in it; it has to be in the form PEM, with BEGIN CERTIFICATE")]
pub struct NoCertificate;

impl Trust {
    /// Believes the authorities in a PEM file too.
    ///
    /// # Errors
    /// There are none in it.
    pub fn with_pem(mut self, pem: &[u8]) -> Result<Self, NoCertificate> {
        let read = Certificate::from_pem_bundle(pem).map_err(|_| NoCertificate)?;
        if read.is_empty() {
            return Err(NoCertificate);
        }
        self.authorities.extend(read);
        Ok(self)
    }

    /// What a reader of a report has to know about it.
    pub fn note(&self) -> Option<String> {
        let note = "no certificate was verified: the answers may come from another server than the target";
        self.anyone.then(|| note.to_owned())
    }

    /// A client that believes as much.
    pub fn apply(&self, client: ClientBuilder) -> ClientBuilder {
        client
            .tls_certs_merge(self.authorities.iter().cloned())
            .tls_danger_accept_invalid_certs(self.anyone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_certificate_is_refused() {
        let key = b"-----BEGIN PRIVATE KEY-----\nMC4=\n-----END PRIVATE KEY-----\n";
        let broken = b"-----BEGIN CERTIFICATE-----\n%%%\n-----END CERTIFICATE-----\n";
        for pem in [&b""[..], b"hello", key, broken] {
            let trust = Trust::default().with_pem(pem);
            assert!(trust.is_err(), "{}", String::from_utf8_lossy(pem));
        }
    }
}
