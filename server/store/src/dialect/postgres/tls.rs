//! TLS on the way to a server, as `sslmode`, `sslrootcert`, `sslcert` and `sslkey` of its address ask for it: with the names
//! of libpq, and no mode that gives up TLS after it has failed.

use std::fmt::Display;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use percent_encoding::percent_decode_str;
use postgres::config::SslMode;
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_rustls::rustls::client::WebPkiServerVerifier;
use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use tokio_rustls::rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error as RustlsError, RootCertStore,
    SignatureScheme,
};

use crate::private_file;

/// The name of the protocol in a handshake without a request for it before (`sslnegotiation=direct`).
const PROTOCOL: &[u8] = b"postgresql";

/// The value of `sslrootcert` that stands for the authorities that the operating system trusts.
const SYSTEM: &str = "system";

/// What an address says about TLS.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Wanted {
    mode: Mode,
    /// A file of authorities, or [`SYSTEM`].
    authorities: Option<String>,
    /// The file of our own certificate, for a server that asks for one.
    certificate: Option<String>,
    /// The file of its private key.
    key: Option<String>,
}

/// `sslmode`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Mode {
    Disable,
    /// If the server has it. Nothing is verified.
    #[default]
    Prefer,
    /// Nothing is verified, unless authorities are named.
    Require,
    /// An authority has signed the certificate.
    VerifyCa,
    /// The same, and it is for the host of the address.
    VerifyFull,
}

impl Mode {
    fn of(word: &str) -> Option<Self> {
        Some(match word {
            "disable" => Self::Disable,
            "prefer" => Self::Prefer,
            "require" => Self::Require,
            "verify-ca" => Self::VerifyCa,
            "verify-full" => Self::VerifyFull,
            _ => return None,
        })
    }
}

/// Takes what is said about TLS out of an address; gives the rest of the address with it.
pub(super) fn split(address: &str) -> Result<(String, Wanted), String> {
    // Behind the password, which may have a question mark.
    let begin = address.find('@').unwrap_or(0);
    let Some(mark) = address[begin..].find('?').map(|place| begin + place) else {
        return Ok((address.to_owned(), Wanted::default()));
    };
    let (mut wanted, mut others) = (Wanted::default(), Vec::new());
    for parameter in address[mark + 1..].split('&') {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        let value = percent_decode_str(value).decode_utf8_lossy();
        match name {
            "sslmode" => {
                wanted.mode = Mode::of(&value)
                    .ok_or("sslmode is one of disable, prefer, require, verify-ca, verify-full")?;
            }
            "sslrootcert" => wanted.authorities = Some(value.into_owned()),
            "sslcert" => wanted.certificate = Some(value.into_owned()),
            "sslkey" => wanted.key = Some(value.into_owned()),
            _ => others.push(parameter),
        }
    }
    let rest = match others.is_empty() {
        true => address[..mark].to_owned(),
        false => format!("{}?{}", &address[..mark], others.join("&")),
    };
    Ok((rest, wanted))
}

impl Wanted {
    /// What the library is told.
    pub(super) fn mode(&self) -> SslMode {
        match self.mode {
            Mode::Disable => SslMode::Disable,
            Mode::Prefer => SslMode::Prefer,
            Mode::Require | Mode::VerifyCa | Mode::VerifyFull => SslMode::Require,
        }
    }

    /// What makes connections secret. The files are read once.
    pub(super) fn connector(&self) -> Result<MakeRustlsConnect, String> {
        let provider = Arc::new(ring::default_provider());
        let verifier = Verifier {
            authorities: self.authorities(&provider)?,
            verifies_name: self.mode == Mode::VerifyFull,
            provider: Arc::clone(&provider),
        };
        let versions = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let builder = versions.map_err(|why| why.to_string())?.dangerous();
        let builder = builder.with_custom_certificate_verifier(Arc::new(verifier));
        let mut config = match self.own()? {
            None => builder.with_no_client_auth(),
            Some((chain, key)) => builder
                .with_client_auth_cert(chain, key)
                .map_err(|why| format!("sslcert and sslkey cannot be used together: {why}"))?,
        };
        config.alpn_protocols = vec![PROTOCOL.to_vec()];
        Ok(MakeRustlsConnect::new(config))
    }

    /// Our own certificate, those that lead to its authority, and its key.
    fn own(&self) -> Result<Option<(Vec<CertificateDer<'static>>, PrivateKeyDer<'static>)>, String> {
        let (certificate, key) = match (&self.certificate, &self.key) {
            (None, None) => return Ok(None),
            (Some(certificate), Some(key)) => (certificate, key),
            _ => return Err("sslcert and sslkey need each other".to_owned()),
        };
        if self.mode == Mode::Disable {
            return Err("sslcert needs a connection with TLS, not sslmode=disable".to_owned());
        }
        if private_file::is_open_to_others(Path::new(key)) {
            return Err(format!("sslkey: {key}: other users can read it; take chmod 600"));
        }
        let chain = certificates_of("sslcert", certificate)?;
        let wrong = |why: &dyn Display| format!("sslkey: {key}: {why}");
        let pem = fs::read(key).map_err(|why| wrong(&why))?;
        let key = PrivateKeyDer::from_pem_slice(&pem).map_err(|why| wrong(&why))?;
        Ok(Some((chain, key)))
    }

    /// Who must have signed the certificate; nobody in the modes that verify nothing.
    fn authorities(
        &self,
        provider: &Arc<CryptoProvider>,
    ) -> Result<Option<Arc<WebPkiServerVerifier>>, String> {
        let file = self.authorities.as_deref();
        let roots = match (self.mode, file) {
            (Mode::Disable | Mode::Prefer | Mode::Require, None) => return Ok(None),
            (Mode::Disable | Mode::Prefer, Some(_)) => {
                return Err("sslrootcert needs sslmode=verify-full or sslmode=verify-ca".to_owned());
            }
            (Mode::VerifyFull, None | Some(SYSTEM)) => system_roots()?,
            // Anybody can have a certificate that some authority of the system has signed.
            (Mode::Require, Some(SYSTEM)) | (Mode::VerifyCa, None | Some(SYSTEM)) => {
                return Err(
                    "name the file of your authority, sslrootcert=FILE, or take sslmode=verify-full"
                        .to_owned(),
                );
            }
            (Mode::Require | Mode::VerifyCa | Mode::VerifyFull, Some(file)) => roots_of(file)?,
        };
        let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider));
        verifier.build().map(Some).map_err(|why| why.to_string())
    }
}

fn roots_of(file: &str) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates_of("sslrootcert", file)? {
        let added = roots.add(certificate);
        added.map_err(|why| format!("sslrootcert: {file}: {why}"))?;
    }
    Ok(roots)
}

/// The certificates in a file, one or more, which a parameter of the address names.
fn certificates_of(parameter: &str, file: &str) -> Result<Vec<CertificateDer<'static>>, String> {
    let wrong = |why: &dyn Display| format!("{parameter}: {file}: {why}");
    let pem = fs::read(file).map_err(|why| wrong(&why))?;
    let certificates = CertificateDer::pem_slice_iter(&pem).collect::<Result<Vec<_>, _>>();
    let certificates = certificates.map_err(|why| wrong(&why))?;
    match certificates.is_empty() {
        true => Err(wrong(&"holds no certificate in PEM")),
        false => Ok(certificates),
    }
}

fn system_roots() -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    match roots.is_empty() {
        true => Err("the operating system trusts no authority; name a file, sslrootcert=FILE".to_owned()),
        false => Ok(roots),
    }
}

/// Verifies as much of a certificate as the mode asks for.
#[derive(Debug)]
struct Verifier {
    authorities: Option<Arc<WebPkiServerVerifier>>,
    verifies_name: bool,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, RustlsError> {
        let Some(authorities) = &self.authorities else {
            return Ok(ServerCertVerified::assertion());
        };
        // The name is verified last: a server that fails at it has passed all else.
        match authorities.verify_server_cert(certificate, intermediates, name, ocsp, now) {
            Err(RustlsError::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if !self.verifies_name => Ok(ServerCertVerified::assertion()),
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, RustlsError> {
        match &self.authorities {
            Some(authorities) => authorities.verify_tls12_signature(message, certificate, signature),
            // Who verifies no certificate learns nothing from what was signed with it.
            None => Ok(HandshakeSignatureValid::assertion()),
        }
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, RustlsError> {
        match &self.authorities {
            Some(authorities) => authorities.verify_tls13_signature(message, certificate, signature),
            None => Ok(HandshakeSignatureValid::assertion()),
        }
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        let algorithms = &self.provider.signature_verification_algorithms;
        algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_about_tls_is_taken_out_of_the_address() {
        let wanted = |mode, authorities: Option<&str>| Wanted {
            mode,
            authorities: authorities.map(str::to_owned),
            ..Wanted::default()
        };
        for (address, rest, expected) in [
            ("postgres://h/d", "postgres://h/d", Wanted::default()),
            (
                "postgres://a:p?sslmode=x@h/d",
                "postgres://a:p?sslmode=x@h/d",
                Wanted::default(),
            ),
            (
                "postgres://h/d?sslmode=disable&target_session_attrs=any",
                "postgres://h/d?target_session_attrs=any",
                wanted(Mode::Disable, None),
            ),
            (
                "postgres://h/d?sslrootcert=/a%20b%26c.pem&sslmode=verify-full",
                "postgres://h/d",
                wanted(Mode::VerifyFull, Some("/a b&c.pem")),
            ),
        ] {
            assert_eq!(split(address), Ok((rest.to_owned(), expected)), "{address}");
        }
        for wrong in ["sslmode", "sslmode=", "sslmode=allow", "sslmode=REQUIRE"] {
            assert!(split(&format!("postgres://h/d?{wrong}")).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_certificate_of_our_own_has_a_key_that_nobody_else_can_read() {
        for (query, fault) in [
            ("sslcert=a.pem", "need each other"),
            ("sslkey=a.key", "need each other"),
            (
                "sslcert=a.pem&sslkey=a.key&sslmode=disable",
                "not sslmode=disable",
            ),
            ("sslcert=/nowhere.pem&sslkey=/nowhere.key", "/nowhere.pem: "),
            ("sslcert=/nowhere.pem&sslkey=/etc/passwd", "chmod 600"),
        ] {
            let (_, wanted) = split(&format!("postgres://h/d?{query}")).unwrap();
            let why = wanted.connector().err().unwrap();
            assert!(why.contains(fault), "{query}: {why}");
        }
    }

    #[test]
    fn authorities_that_would_not_protect_are_refused() {
        for (query, fault) in [
            ("sslmode=verify-ca", "name the file"),
            ("sslmode=verify-ca&sslrootcert=system", "name the file"),
            ("sslmode=require&sslrootcert=system", "name the file"),
            ("sslmode=prefer&sslrootcert=system", "needs sslmode"),
            ("sslrootcert=a.pem", "needs sslmode"),
            ("sslmode=verify-full&sslrootcert=/nowhere.pem", "/nowhere.pem: "),
            ("sslmode=require&sslrootcert=/dev/null", "no certificate"),
        ] {
            let (_, wanted) = split(&format!("postgres://h/d?{query}")).unwrap();
            let why = wanted.connector().err().unwrap();
            assert!(why.contains(fault), "{query}: {why}");
        }
    }
}
