//! The keys of an installation, as a process is given them: the private one signs, the public one
//! verifies and is all that most processes need.

use super::tls::CallerTlsFlags;
use crate::secret::Secret;
use anyhow::{Context, Result, bail};
use astragal_runtime::auth::bearer::Bearer;
use astragal_runtime::auth::{TokenKey, TokenVerifier};
use astragal_runtime::channel::Credentials;
use astragal_runtime::clock::Clock;
use clap::Args;
use std::sync::Arc;

/// The private key.
#[derive(Args)]
pub(crate) struct SigningKeyFlag {
    /// The Ed25519 key that signs tokens: a PEM file, or the PEM text. `openssl genpkey -algorithm
    /// ed25519` makes one.
    #[arg(long, env = "ASTRAGAL_TOKEN_KEY", hide_env_values = true, value_name = "FILE")]
    token_key: Secret,
}

impl SigningKeyFlag {
    /// The key, if what was given is one.
    pub(crate) fn key(&self) -> Result<TokenKey> {
        private(&self.token_key)
    }
}

/// Either key.
#[derive(Args)]
pub(crate) struct VerifyingKeyFlags {
    /// The Ed25519 key that signs tokens: a PEM file, or the PEM text.
    #[arg(long, env = "ASTRAGAL_TOKEN_KEY", hide_env_values = true, value_name = "FILE")]
    token_key: Option<Secret>,
    /// The public part of that key, which is enough to verify tokens: a PEM file, or the PEM text.
    /// `openssl pkey -pubout` makes it.
    #[arg(long, env = "ASTRAGAL_TOKEN_PUBLIC_KEY", value_name = "FILE")]
    token_public_key: Option<Secret>,
}

impl VerifyingKeyFlags {
    /// Verifies the tokens of this installation.
    pub(crate) fn verifier(&self) -> Result<TokenVerifier> {
        match (&self.token_public_key, &self.token_key) {
            (Some(public), _) => TokenVerifier::from_public_pem(&public.read()?)
                .with_context(|| format!("{} can't be used with --token-public-key", public.source())),
            (None, Some(secret)) => Ok(private(secret)?.verifier()),
            (None, None) => {
                bail!("no token can be verified; give the key with --token-public-key or --token-key")
            }
        }
    }
}

/// What a role needs that calls others, and may have the public key only.
#[derive(Args)]
pub(crate) struct CallerKeyFlags {
    #[command(flatten)]
    keys: VerifyingKeyFlags,
    /// A token of the role service, as a file or as itself, for a process that has only the public key.
    #[arg(long, env = "ASTRAGAL_SERVICE_TOKEN", hide_env_values = true, value_name = "FILE")]
    service_token: Option<Secret>,
}

impl CallerKeyFlags {
    /// Verifies the tokens of this installation.
    pub(crate) fn verifier(&self) -> Result<TokenVerifier> {
        self.keys.verifier()
    }

    /// How this process calls others.
    pub(crate) fn credentials(&self, tls: &CallerTlsFlags, clock: Arc<dyn Clock>) -> Result<Credentials> {
        Ok(Credentials { bearer: Some(self.bearer(clock)?), tls: tls.caller()? })
    }

    /// What this process shows to others: a token that was made for it, or its own signature.
    fn bearer(&self, clock: Arc<dyn Clock>) -> Result<Bearer> {
        match (&self.service_token, &self.keys.token_key) {
            (Some(token), _) => Ok(Bearer::given(&token.read()?)?),
            (None, Some(secret)) => Ok(Bearer::signed(private(secret)?.signer()?, clock)),
            (None, None) => {
                bail!(
                    "other roles would refuse every call; give a token with --service-token, or the key with --token-key"
                )
            }
        }
    }
}

fn private(secret: &Secret) -> Result<TokenKey> {
    TokenKey::from_pem(&secret.read()?)
        .with_context(|| format!("{} can't be used with --token-key", secret.source()))
}
