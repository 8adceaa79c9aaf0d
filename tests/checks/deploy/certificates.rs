//! A certificate with its key and the authority that signed it, as cert-manager puts them into a Secret.

use anyhow::Result;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};

/// The keys of such a Secret.
pub(super) const FILES: [&str; 3] = ["tls.crt", "tls.key", "ca.crt"];

/// One for all these names or addresses, in the order of [`FILES`].
pub(super) fn issue(names: Vec<String>) -> Result<[String; 3]> {
    let mut authority = CertificateParams::new(Vec::new())?;
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority_key = KeyPair::generate()?;
    let authority_pem = authority.self_signed(&authority_key)?.pem();
    let issuer = Issuer::new(authority, authority_key);
    let key = KeyPair::generate()?;
    let certificate = CertificateParams::new(names)?.signed_by(&key, &issuer)?;
    Ok([certificate.pem(), key.serialize_pem(), authority_pem])
}
