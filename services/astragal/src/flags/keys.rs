//! The keys of an installation, as a process is given them: the private one signs, the public ones
//! verify and are all that most processes need. There is one that signs, and while it is changed for
//! another one there are several whose tokens count.

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

/// The public keys.
#[derive(Args)]
pub(crate) struct PublicKeysFlag {
    /// The public part of the key that signs tokens, which is enough to verify them: a PEM file, or the
    /// PEM text. Several keys, one after the other, all count. `openssl pkey -pubout` makes one.
    #[arg(long, env = "ASTRAGAL_TOKEN_PUBLIC_KEY", value_name = "FILE")]
    token_public_key: Option<Secret>,
}

impl PublicKeysFlag {
    /// Verifies the tokens of the private key, if there is one, and of all public ones.
    pub(crate) fn verifier(&self, key: Option<&TokenKey>) -> Result<TokenVerifier> {
        let private = key.map(TokenKey::verifier);
        let public = self.token_public_key.as_ref().map(|public| {
            TokenVerifier::from_public_pem(&public.read()?)
                .with_context(|| format!("{} can't be used with --token-public-key", public.source()))
        });
        match (private, public.transpose()?) {
            (Some(private), Some(public)) => Ok(private.and(&public)),
            (Some(verifier), None) | (None, Some(verifier)) => Ok(verifier),
            (None, None) => {
                bail!("no token can be verified; give the key with --token-public-key or --token-key")
            }
        }
    }
}

/// Either key.
#[derive(Args)]
pub(crate) struct VerifyingKeyFlags {
    /// The Ed25519 key that signs tokens: a PEM file, or the PEM text.
    #[arg(long, env = "ASTRAGAL_TOKEN_KEY", hide_env_values = true, value_name = "FILE")]
    token_key: Option<Secret>,
    #[command(flatten)]
    public: PublicKeysFlag,
}

impl VerifyingKeyFlags {
    /// Verifies the tokens of this installation.
    pub(crate) fn verifier(&self) -> Result<TokenVerifier> {
        let key = self.token_key.as_ref().map(private).transpose()?;
        self.public.verifier(key.as_ref())
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
            (Some(token), _) => Bearer::given(&token.read()?, &self.verifier()?, clock)
                .with_context(|| format!("{} can't be used with --service-token", token.source())),
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
