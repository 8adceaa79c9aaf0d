//! What carries news between processes, and who is online.

use super::tls::{Flag, identity};
use crate::secret::Secret;
use anyhow::Result;
use astragal_runtime::redis_link::RedisSettings;
use astragal_runtime::tls::CallerTls;
use clap::Args;

/// The Redis of an installation.
#[derive(Args)]
#[expect(clippy::struct_field_names, reason = "a field is named like its flag")]
pub(crate) struct RedisFlags {
    /// `redis://HOST:PORT`, or `rediss://HOST:PORT` for TLS; of a cluster `redis+cluster://HOST:PORT`,
    /// or several nodes with commas between them. Without it processes tell each other nothing: moves
    /// are learnt of by asking, every few seconds, and nobody is told when a game starts or is found.
    #[arg(long, env = "ASTRAGAL_REDIS_URL", hide_env_values = true, value_delimiter = ',')]
    redis_url: Vec<String>,
    /// What the names of channels and keys in Redis begin with. Installations that share a Redis have one
    /// each; all processes of an installation have the same.
    #[arg(long, env = "ASTRAGAL_REDIS_PREFIX", default_value = "astragal")]
    redis_prefix: String,
    /// The authority whose certificate Redis shows at `rediss://`: a PEM file, or the PEM text. Without
    /// it, those that the system believes.
    #[arg(
        long,
        env = "ASTRAGAL_REDIS_TLS_CA",
        hide_env_values = true,
        value_name = "FILE",
        requires = "redis_url"
    )]
    redis_tls_ca: Option<Secret>,
    /// The certificate that is shown to a Redis that asks for one.
    #[arg(
        long,
        env = "ASTRAGAL_REDIS_TLS_CERTIFICATE",
        hide_env_values = true,
        value_name = "FILE",
        requires = "redis_tls_ca",
        requires = "redis_tls_key"
    )]
    redis_tls_certificate: Option<Secret>,
    /// The private key of that certificate.
    #[arg(
        long,
        env = "ASTRAGAL_REDIS_TLS_KEY",
        hide_env_values = true,
        value_name = "FILE",
        requires = "redis_tls_certificate"
    )]
    redis_tls_key: Option<Secret>,
}

impl RedisFlags {
    /// The Redis, if there is one.
    pub(crate) fn settings(&self) -> Result<Option<RedisSettings>> {
        if self.redis_url.is_empty() {
            return Ok(None);
        }
        let tls = match Flag("--redis-tls-ca", self.redis_tls_ca.as_ref()).certificates()? {
            None => None,
            Some(authorities) => {
                let certificate = Flag("--redis-tls-certificate", self.redis_tls_certificate.as_ref());
                let key = Flag("--redis-tls-key", self.redis_tls_key.as_ref());
                Some(CallerTls { authorities, identity: identity(certificate, key)? })
            }
        };
        Ok(Some(RedisSettings { urls: self.redis_url.clone(), prefix: self.redis_prefix.clone(), tls }))
    }
}
