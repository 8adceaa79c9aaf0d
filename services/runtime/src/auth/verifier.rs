//! Verifies tokens, by one key or by several: by the one that signs, by those that signed before, and by the one that
//! will sign next.
//!
//! The algorithm is fixed here, whatever a token says of itself. A token that names its key is of that key or of none;
//! one that names none was signed by a version that did not write it, and any key may have been the one.

use std::sync::Arc;

use chrono::DateTime;
use ed25519_dalek::VerifyingKey;
use ed25519_dalek::pkcs8::DecodePublicKey;
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use rustls::pki_types::pem::{PemObject, SectionKind};

use super::{Claims, ISSUER, Payload, key_id};
use crate::clock::Timestamp;
use crate::error::{Problem, Result};

/// Keys that count at once. A change of keys needs two.
const KEYS_MAX: usize = 8;

/// Verifies tokens; cheap to clone.
#[derive(Clone)]
pub struct TokenVerifier(Arc<Inner>);

struct Inner {
    keys: Vec<PublicKey>,
    validation: Validation,
}

/// Why a token does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum TokenFault {
    /// No key of the installation signed it.
    #[error(
        "the token is not one of this installation; make it with `astragal token` and the key that signs here"
    )]
    Foreign,
    /// It did count until then.
    #[error("the token has expired at {0}; make a new one with `astragal token`")]
    Expired(Timestamp),
}

#[derive(Clone)]
struct PublicKey {
    id: String,
    key: DecodingKey,
}

impl TokenVerifier {
    /// Reads the public keys that count from PEM, for a process that has no business with the private one. Several
    /// stand one after the other, in any order.
    pub fn from_public_pem(pem: &str) -> Result<Self> {
        let refusal = || Problem::invalid_argument("this is no public Ed25519 key in PEM form");
        let mut keys = Vec::new();
        for section in <(SectionKind, Vec<u8>)>::pem_slice_iter(pem.as_bytes()) {
            let (SectionKind::PublicKey, der) = section.map_err(|_| refusal())? else {
                return Err(refusal());
            };
            keys.push(PublicKey::of(&VerifyingKey::from_public_key_der(&der).map_err(|_| refusal())?));
        }
        match keys.len() {
            0 => Err(refusal()),
            1..=KEYS_MAX => Ok(Self::by(keys)),
            _ => Err(Problem::invalid_argument(format!(
                "these are too many public keys; leave {KEYS_MAX} at most, those whose tokens still count"
            ))),
        }
    }

    pub(super) fn of(key: &VerifyingKey) -> Self {
        Self::by(vec![PublicKey::of(key)])
    }

    fn by(keys: Vec<PublicKey>) -> Self {
        let mut validation = Validation::new(Algorithm::EdDSA);
        // The caller's clock decides, not the library's; every claim is one of the payload's fields.
        validation.validate_exp = false;
        validation.required_spec_claims.clear();
        validation.set_issuer(&[ISSUER]);
        Self(Arc::new(Inner { keys, validation }))
    }

    /// Verifies by the keys of both.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let news = other.0.keys.iter().filter(|key| self.0.keys.iter().all(|known| known.id != key.id));
        Self::by(self.0.keys.iter().chain(news).cloned().collect())
    }

    /// What the token of a session says, if this installation signed it and it has not expired. Whether the account has
    /// ended the token's epoch, only matchmaking knows.
    pub fn verify(&self, token: &str, now: Timestamp) -> Result<Claims> {
        self.read(token, now).map_err(|fault| match fault {
            TokenFault::Foreign => Problem::unauthenticated("the token is not one of ours; sign in again"),
            TokenFault::Expired(_) => Problem::unauthenticated("the session has expired; sign in again"),
        })
    }

    /// As [`Self::verify`], of a token that may be of somebody who does not sign in.
    pub(super) fn read(&self, token: &str, now: Timestamp) -> std::result::Result<Claims, TokenFault> {
        let forged = || TokenFault::Foreign;
        let named = jsonwebtoken::decode_header(token).map_err(|_| forged())?.kid;
        let mut keys = self.0.keys.iter().filter(|key| named.as_ref().is_none_or(|named| *named == key.id));
        let verified = keys.find_map(|key| jsonwebtoken::decode(token, &key.key, &self.0.validation).ok());
        let Payload { sub: account, role, epoch, iat, exp, .. } = verified.ok_or_else(forged)?.claims;
        let instant = |seconds| DateTime::from_timestamp(seconds, 0).ok_or_else(forged);
        let (issued_at, expires_at) = (instant(iat)?, instant(exp)?);
        if now >= expires_at {
            return Err(TokenFault::Expired(expires_at));
        }
        Ok(Claims { account, role, epoch, issued_at, expires_at })
    }
}

impl PublicKey {
    fn of(key: &VerifyingKey) -> Self {
        Self { id: key_id(key), key: DecodingKey::from_ed_der(key.as_bytes()) }
    }
}

#[cfg(test)]
mod tests;
