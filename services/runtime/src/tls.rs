//! TLS between processes: what one shows to others, and whom it believes. Everything is looked at when
//! it is read, so that a file that can't work stops the start and not the first call.
//!
//! It knows neither files nor flags. There is one provider of cryptography in the program: ring.

use std::time::Duration;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;
use rustls::{Error, RootCertStore};
use tonic::transport::{Certificate, ClientTlsConfig, Identity as TonicIdentity, ServerTlsConfig};

use crate::error::{Problem, Result};

/// How long the other side may take to agree on a connection.
const HANDSHAKE_MAX: Duration = Duration::from_secs(5);

/// One certificate or several, as PEM: a chain that is shown, or authorities that are believed.
#[derive(Debug, Clone)]
pub struct Certificates {
    pem: String,
    chain: Vec<CertificateDer<'static>>,
}

impl Certificates {
    /// Reads them.
    pub fn from_pem(pem: &str) -> Result<Self> {
        let chain =
            CertificateDer::pem_slice_iter(pem.as_bytes()).collect::<std::result::Result<Vec<_>, _>>();
        let chain = chain.map_err(|_| Problem::invalid_argument("it is not PEM; copy the file again"))?;
        if chain.is_empty() {
            let wanted = "it holds no certificate; give a PEM file with -----BEGIN CERTIFICATE-----";
            return Err(Problem::invalid_argument(wanted));
        }
        let mut roots = RootCertStore::empty();
        let (_, unreadable) = roots.add_parsable_certificates(chain.iter().cloned());
        if unreadable > 0 {
            let wanted = "it holds a certificate that can't be read; have the file made anew";
            return Err(Problem::invalid_argument(wanted));
        }
        Ok(Self { pem: pem.to_owned(), chain })
    }

    /// As they were given.
    pub fn pem(&self) -> &str {
        &self.pem
    }
}

/// A certificate and its key, by which a process is known.
#[derive(Clone)]
pub struct Identity {
    certificates: Certificates,
    key_pem: String,
}

impl Identity {
    /// Reads the key, which must be that of the first certificate.
    pub fn from_pem(certificates: Certificates, key_pem: &str) -> Result<Self> {
        let key = PrivateKeyDer::from_pem_slice(key_pem.as_bytes()).map_err(|_| {
            Problem::invalid_argument(
                "it holds no private key; give a PEM file with -----BEGIN PRIVATE KEY-----",
            )
        })?;
        let provider = rustls::crypto::ring::default_provider();
        match CertifiedKey::from_der(certificates.chain.clone(), key, &provider) {
            Ok(_) => Ok(Self { certificates, key_pem: key_pem.to_owned() }),
            Err(Error::InconsistentKeys(_)) => Err(Problem::invalid_argument(
                "it is not the key of the certificate; give the two that were made together",
            )),
            Err(_) => {
                Err(Problem::invalid_argument("it is a key of a kind that can't be used; make one for ECDSA"))
            }
        }
    }

    /// The certificate as it was given.
    pub fn certificate_pem(&self) -> &str {
        self.certificates.pem()
    }

    /// The key as it was given; a secret.
    pub fn key_pem(&self) -> &str {
        &self.key_pem
    }

    fn tonic(&self) -> TonicIdentity {
        TonicIdentity::from_pem(self.certificate_pem(), &self.key_pem)
    }
}

/// How a port is guarded.
#[derive(Clone)]
pub struct ServerTls {
    /// What it shows to callers.
    pub identity: Identity,
    /// Whose certificates callers must show; without it, they need none.
    pub client_authorities: Option<Certificates>,
}

impl ServerTls {
    /// For tonic's server.
    pub fn config(&self) -> ServerTlsConfig {
        let config = ServerTlsConfig::new().identity(self.identity.tonic()).timeout(HANDSHAKE_MAX);
        match &self.client_authorities {
            Some(authorities) => config.client_ca_root(Certificate::from_pem(authorities.pem())),
            None => config,
        }
    }
}

/// How other ports are called.
#[derive(Clone)]
pub struct CallerTls {
    /// Whose certificates ports must show.
    pub authorities: Certificates,
    /// What is shown to ports that ask for it.
    pub identity: Option<Identity>,
}

impl CallerTls {
    /// For tonic's client, which expects the port to be `host`'s.
    pub(crate) fn config(&self, host: &str) -> ClientTlsConfig {
        let config = ClientTlsConfig::new()
            .ca_certificate(Certificate::from_pem(self.authorities.pem()))
            .domain_name(host)
            .timeout(HANDSHAKE_MAX);
        match &self.identity {
            Some(identity) => config.identity(identity.tonic()),
            None => config,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rcgen::{CertifiedKey, generate_simple_self_signed};

    fn made() -> CertifiedKey<rcgen::KeyPair> {
        generate_simple_self_signed(["engine".to_owned()]).expect("a certificate")
    }

    /// O3: what can't work is refused before anybody is called.
    #[test]
    fn o3_a_certificate_or_a_key_that_cannot_work_is_refused() {
        let (own, other) = (made(), made());
        let pem = own.cert.pem();
        let certificates = Certificates::from_pem(&pem).expect("a certificate");
        Identity::from_pem(certificates.clone(), &own.signing_key.serialize_pem()).expect("an identity");
        let broken = pem.replace("\nMI", "\nAA");
        for (pem, why) in [
            ("", "no certificate"),
            (&own.signing_key.serialize_pem(), "no certificate"),
            (&broken, "can't be read"),
        ] {
            let refused = Certificates::from_pem(pem).map(drop).expect_err("no certificate");
            assert!(refused.message.contains(why), "{}", refused.message);
        }
        for (key, why) in [
            ("", "no private key"),
            (&pem, "no private key"),
            (&other.signing_key.serialize_pem(), "not the key"),
        ] {
            let refused = Identity::from_pem(certificates.clone(), key).map(drop).expect_err("no key");
            assert!(refused.message.contains(why), "{}", refused.message);
        }
    }
}
