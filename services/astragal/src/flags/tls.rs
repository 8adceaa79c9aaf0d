//! TLS between roles: what a port shows and asks for, and whom a caller believes.

use crate::secret::Secret;
use anyhow::{Context, Result};
use astragal_runtime::tls::{CallerTls, Certificates, Identity, ServerTls};
use clap::Args;

/// TLS at the port of a role.
#[derive(Args)]
#[expect(clippy::struct_field_names, reason = "a field is named like its flag")]
pub(crate) struct ServerTlsFlags {
    /// The certificate that this role shows to its callers: a PEM file, or the PEM text. With it the port
    /// speaks TLS and nothing else.
    #[arg(
        long,
        env = "ASTRAGAL_TLS_CERTIFICATE",
        hide_env_values = true,
        value_name = "FILE",
        requires = "tls_key"
    )]
    tls_certificate: Option<Secret>,
    /// The private key of that certificate.
    #[arg(
        long,
        env = "ASTRAGAL_TLS_KEY",
        hide_env_values = true,
        value_name = "FILE",
        requires = "tls_certificate"
    )]
    tls_key: Option<Secret>,
    /// The authority whose certificates callers must show, or nobody is let in (mutual TLS).
    #[arg(
        long,
        env = "ASTRAGAL_TLS_CLIENT_CA",
        hide_env_values = true,
        value_name = "FILE",
        requires = "tls_certificate"
    )]
    tls_client_ca: Option<Secret>,
}

impl ServerTlsFlags {
    /// How the port is guarded, if it is to be.
    pub(crate) fn server(&self) -> Result<Option<ServerTls>> {
        let certificate = Flag("--tls-certificate", self.tls_certificate.as_ref());
        let Some(identity) = identity(certificate, Flag("--tls-key", self.tls_key.as_ref()))? else {
            return Ok(None);
        };
        let client_authorities = Flag("--tls-client-ca", self.tls_client_ca.as_ref()).certificates()?;
        Ok(Some(ServerTls { identity, client_authorities }))
    }
}

/// TLS at the ports of others.
#[derive(Args)]
#[expect(clippy::struct_field_names, reason = "a field is named like its flag")]
pub(crate) struct CallerTlsFlags {
    /// The authority whose certificates the roles show that are called at `https://`: a PEM file, or the
    /// PEM text.
    #[arg(long, env = "ASTRAGAL_TLS_CA", hide_env_values = true, value_name = "FILE")]
    tls_ca: Option<Secret>,
    /// The certificate that is shown to roles that ask for one (mutual TLS).
    #[arg(
        long,
        env = "ASTRAGAL_TLS_CLIENT_CERTIFICATE",
        hide_env_values = true,
        value_name = "FILE",
        requires = "tls_client_key",
        requires = "tls_ca"
    )]
    tls_client_certificate: Option<Secret>,
    /// The private key of that certificate.
    #[arg(
        long,
        env = "ASTRAGAL_TLS_CLIENT_KEY",
        hide_env_values = true,
        value_name = "FILE",
        requires = "tls_client_certificate"
    )]
    tls_client_key: Option<Secret>,
}

impl CallerTlsFlags {
    /// How roles are called that speak TLS.
    pub(crate) fn caller(&self) -> Result<Option<CallerTls>> {
        let Some(authorities) = Flag("--tls-ca", self.tls_ca.as_ref()).certificates()? else {
            return Ok(None);
        };
        let certificate = Flag("--tls-client-certificate", self.tls_client_certificate.as_ref());
        let identity = identity(certificate, Flag("--tls-client-key", self.tls_client_key.as_ref()))?;
        Ok(Some(CallerTls { authorities, identity }))
    }
}

/// A flag by its name, and what was given with it.
#[derive(Clone, Copy)]
pub(super) struct Flag<'a>(pub(super) &'static str, pub(super) Option<&'a Secret>);

impl Flag<'_> {
    /// The certificates, if any were given.
    pub(super) fn certificates(self) -> Result<Option<Certificates>> {
        let Some(secret) = self.1 else { return Ok(None) };
        let read = Certificates::from_pem(&secret.read()?);
        Ok(Some(read.with_context(|| self.refusal(secret))?))
    }

    fn refusal(self, secret: &Secret) -> String {
        format!("{} can't be used with {}", secret.source(), self.0)
    }
}

/// The certificate with its key; clap has seen to it that there are both or none.
pub(super) fn identity(certificate: Flag<'_>, key: Flag<'_>) -> Result<Option<Identity>> {
    let (Some(certificates), Some(secret)) = (certificate.certificates()?, key.1) else { return Ok(None) };
    let identity = Identity::from_pem(certificates, &secret.read()?);
    Ok(Some(identity.with_context(|| key.refusal(secret))?))
}
