//! Certificates as operators make them: an authority, and what it signs.

use anyhow::{Context, Result};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use std::path::Path;
use tempfile::TempDir;

/// Files that go with the test.
pub(crate) struct Papers(TempDir);

/// Who signs certificates, and where its own lies.
pub(crate) struct Authority {
    issuer: Issuer<'static, KeyPair>,
    /// The file with its certificate.
    pub(crate) file: String,
}

/// A certificate and its key, as PEM and in files.
pub(crate) struct Identity {
    pub(crate) certificate_pem: String,
    pub(crate) key_pem: String,
    pub(crate) certificate: String,
    pub(crate) key: String,
}

impl Papers {
    pub(crate) fn new() -> Result<Self> {
        Ok(Self(tempfile::Builder::new().prefix("astragal-papers-").tempdir()?))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, and names it.
    pub(crate) fn file(&self, name: &str, text: &str) -> Result<String> {
        let path = self.0.path().join(name);
        std::fs::write(&path, text)?;
        Ok(path.to_str().context("a directory with an odd name")?.to_owned())
    }

    pub(crate) fn authority(&self, name: &str) -> Result<Authority> {
        let mut params = CertificateParams::new(Vec::new())?;
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(rcgen::DnType::CommonName, name);
        let key = KeyPair::generate()?;
        let file = self.file(&format!("{name}.crt"), &params.self_signed(&key)?.pem())?;
        Ok(Authority { issuer: Issuer::new(params, key), file })
    }

    /// A certificate of `host`, which is an address or a name.
    pub(crate) fn identity(&self, authority: &Authority, name: &str, host: &str) -> Result<Identity> {
        let key = KeyPair::generate()?;
        let certificate =
            CertificateParams::new(vec![host.to_owned()])?.signed_by(&key, &authority.issuer)?;
        let (certificate_pem, key_pem) = (certificate.pem(), key.serialize_pem());
        let certificate = self.file(&format!("{name}.crt"), &certificate_pem)?;
        let key = self.file(&format!("{name}.key"), &key_pem)?;
        Ok(Identity { certificate_pem, key_pem, certificate, key })
    }
}
