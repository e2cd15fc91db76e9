//! TLS: a certificate and its key from two files, read again while the server runs.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use sha2::{Digest as _, Sha256};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{Error as RustlsError, ServerConfig};
use tokio_rustls::server::TlsStream;

/// What makes connections secret.
#[derive(Clone)]
pub struct Tls {
    acceptor: TlsAcceptor,
    certificate: Arc<Certificate>,
}

/// A certificate with its key, and the files that hold them.
#[derive(Debug)]
struct Certificate {
    files: Files,
    provider: Arc<CryptoProvider>,
    current: RwLock<Current>,
}

/// The pair in use, and digests of the files it was read from.
#[derive(Debug)]
struct Current {
    key: Arc<CertifiedKey>,
    digests: [[u8; 32]; 2],
}

/// The two files, PEM.
#[derive(Clone, Debug)]
pub struct Files {
    /// The certificate and those that lead to its root.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

/// Why a certificate cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read.
    #[error("{file}: {error}")]
    Unreadable {
        /// The file.
        file: String,
        /// Why.
        error: io::Error,
    },
    /// A file holds no PEM of its kind.
    #[error("{file}: holds no {what} in PEM")]
    NoPem {
        /// The file.
        file: String,
        /// What should be in it.
        what: &'static str,
    },
    /// Certificate and key do not belong together, or are of no kind that we know.
    #[error("{certificate} and {key} cannot be used together: {error}")]
    Mismatch {
        /// The file of the certificate.
        certificate: String,
        /// The file of the key.
        key: String,
        /// Why.
        error: RustlsError,
    },
}

impl Tls {
    /// Reads certificate and key.
    ///
    /// # Errors
    /// They cannot be read, or cannot be used together.
    pub fn new(files: Files) -> Result<Self, TlsError> {
        let provider = Arc::new(ring::default_provider());
        let current = Current::read(&files, &provider)?;
        let certificate = Arc::new(Certificate {
            files,
            provider: Arc::clone(&provider),
            current: RwLock::new(current),
        });
        let versions = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let resolver = Arc::clone(&certificate);
        let config = versions
            .map(|builder| builder.with_no_client_auth().with_cert_resolver(resolver))
            .map_err(|error| certificate.files.mismatch(error))?;
        let mut config = config;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self {
            acceptor: TlsAcceptor::from(Arc::new(config)),
            certificate,
        })
    }

    /// Reads the files again; whether they hold something new. New connections get it, open ones keep what they have. After
    /// an error the old certificate stays in use.
    ///
    /// # Errors
    /// As [`Tls::new`].
    pub fn reload(&self) -> Result<bool, TlsError> {
        let certificate = &self.certificate;
        let fresh = Current::read(&certificate.files, &certificate.provider)?;
        let mut current = certificate
            .current
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        let is_new = fresh.digests != current.digests;
        *current = fresh;
        Ok(is_new)
    }

    pub(super) async fn accept<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        stream: S,
    ) -> io::Result<TlsStream<S>> {
        self.acceptor.accept(stream).await
    }
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
        Some(Arc::clone(&current.key))
    }
}

impl Current {
    fn read(files: &Files, provider: &CryptoProvider) -> Result<Self, TlsError> {
        let bytes = [read(&files.certificate)?, read(&files.key)?];
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&bytes[0]).collect();
        let chain = chain.ok().filter(|chain| !chain.is_empty());
        let chain = chain.ok_or_else(|| no_pem(&files.certificate, "certificate"))?;
        let key = PrivateKeyDer::from_pem_slice(&bytes[1]);
        let key = key.map_err(|_| no_pem(&files.key, "private key"))?;
        let key = CertifiedKey::from_der(chain, key, provider).map_err(|error| files.mismatch(error))?;
        Ok(Self {
            key: Arc::new(key),
            digests: bytes.map(|bytes| Sha256::digest(bytes).into()),
        })
    }
}

impl Files {
    fn mismatch(&self, error: RustlsError) -> TlsError {
        TlsError::Mismatch {
            certificate: self.certificate.display().to_string(),
            key: self.key.display().to_string(),
            error,
        }
    }
}

fn read(file: &Path) -> Result<Vec<u8>, TlsError> {
    fs::read(file).map_err(|error| TlsError::Unreadable {
        file: file.display().to_string(),
        error,
    })
}

fn no_pem(file: &Path, what: &'static str) -> TlsError {
    TlsError::NoPem {
        file: file.display().to_string(),
        what,
    }
}
