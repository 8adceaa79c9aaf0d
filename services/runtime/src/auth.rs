//! Session tokens: who somebody is, signed with Ed25519 (a JWT with `alg` `EdDSA`).
//!
//! A token names the key that signed it (`kid`), so that an installation may go over to another key while
//! tokens of the one before still count. Whoever verifies needs no database. Neither a token nor a private key
//! is ever printed: the types that hold them have no `Debug` that shows it, and no error quotes one.

pub mod bearer;
pub mod gate;
pub(crate) mod refusal;
mod verifier;

use std::fmt;

use chrono::Duration;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use ed25519_dalek::pkcs8::{DecodePrivateKey, EncodePrivateKey, EncodePublicKey};
use ed25519_dalek::{SigningKey, VerifyingKey};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub use self::verifier::TokenVerifier;
use crate::clock::Timestamp;
use crate::entropy::Entropy;
use crate::error::{Problem, Result};
use crate::id::AccountId;

const ISSUER: &str = "astragal";

/// What the bearer of a token may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Plays.
    Player,
    /// Looks behind the scenes.
    Admin,
    /// Runs tournaments.
    Tournament,
    /// Is a part of the system.
    Service,
}

impl fmt::Display for Role {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Player => "player",
            Self::Admin => "admin",
            Self::Tournament => "tournament",
            Self::Service => "service",
        })
    }
}

/// What a token says, once it is verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claims {
    /// Who it is.
    pub account: AccountId,
    /// What they may do.
    pub role: Role,
    /// Which of the account's epochs of sessions it is of: an account that signs out everywhere begins the next one.
    pub epoch: u32,
    /// When it was signed.
    pub issued_at: Timestamp,
    /// From when on it no longer counts.
    pub expires_at: Timestamp,
}

/// The claims as they are written in a token.
#[derive(Serialize, Deserialize)]
struct Payload {
    iss: String,
    sub: AccountId,
    role: Role,
    #[serde(default)]
    epoch: u32,
    iat: i64,
    exp: i64,
}

/// The private key by which an installation signs.
#[derive(Clone)]
pub struct TokenKey(SigningKey);

impl TokenKey {
    /// A new key.
    pub fn generate(entropy: &dyn Entropy) -> Result<Self> {
        let mut secret = [0; 32];
        entropy.fill(&mut secret)?;
        Ok(Self(SigningKey::from_bytes(&secret)))
    }

    /// Reads a key from PEM (PKCS #8).
    pub fn from_pem(pem: &str) -> Result<Self> {
        SigningKey::from_pkcs8_pem(pem)
            .map(Self)
            .map_err(|_| Problem::invalid_argument("this is no private Ed25519 key in PEM form"))
    }

    /// The key as PEM (PKCS #8), for a file that only its owner may read.
    pub fn to_pem(&self) -> Result<String> {
        let pem = self.0.to_pkcs8_pem(LineEnding::LF).map_err(|cause| Problem::internal(&cause))?;
        Ok(pem.as_str().to_owned())
    }

    /// The public part as PEM, for processes that only verify.
    pub fn to_public_pem(&self) -> Result<String> {
        let key = self.0.verifying_key();
        key.to_public_key_pem(LineEnding::LF).map_err(|cause| Problem::internal(&cause))
    }

    /// Signs with this key.
    pub fn signer(&self) -> Result<TokenSigner> {
        let der = self.0.to_pkcs8_der().map_err(|cause| Problem::internal(&cause))?;
        let key_id = key_id(&self.0.verifying_key());
        Ok(TokenSigner { key: EncodingKey::from_ed_der(der.as_bytes()), key_id })
    }

    /// Verifies what this key signed.
    pub fn verifier(&self) -> TokenVerifier {
        TokenVerifier::of(&self.0.verifying_key())
    }
}

/// The name of a key in the tokens that it signs: the beginning of its digest.
fn key_id(key: &VerifyingKey) -> String {
    let digest = Sha256::digest(key.as_bytes());
    format!("{:016x}", digest.iter().take(8).fold(0, |id: u64, byte| id << 8 | u64::from(*byte)))
}

/// Signs tokens.
#[derive(Clone)]
pub struct TokenSigner {
    key: EncodingKey,
    key_id: String,
}

impl TokenSigner {
    /// A token for `account`, good for `lifetime` from `now` on; a player's is of the account's first epoch.
    pub fn sign(&self, account: AccountId, role: Role, now: Timestamp, lifetime: Duration) -> Result<String> {
        self.sign_in_epoch(account, role, 0, now, lifetime)
    }

    /// A token of a player's session, good for `lifetime` from `now` on unless the account's epoch ends before.
    pub fn sign_session(
        &self,
        account: AccountId,
        epoch: u32,
        now: Timestamp,
        lifetime: Duration,
    ) -> Result<String> {
        self.sign_in_epoch(account, Role::Player, epoch, now, lifetime)
    }

    fn sign_in_epoch(
        &self,
        account: AccountId,
        role: Role,
        epoch: u32,
        now: Timestamp,
        lifetime: Duration,
    ) -> Result<String> {
        let exp = now.timestamp().saturating_add(lifetime.num_seconds());
        let payload = Payload { iss: ISSUER.into(), sub: account, role, epoch, iat: now.timestamp(), exp };
        let header = Header { kid: Some(self.key_id.clone()), ..Header::new(Algorithm::EdDSA) };
        jsonwebtoken::encode(&header, &payload, &self.key).map_err(|cause| Problem::internal(&cause))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Clock, ManualClock};
    use crate::entropy::ScriptedEntropy;
    use crate::error::Code;

    fn key(seed: u8) -> TokenKey {
        TokenKey::generate(&ScriptedEntropy::expanded([seed; 32])).expect("a key")
    }

    fn token(key: &TokenKey, clock: &ManualClock) -> (AccountId, String) {
        let account = AccountId::new();
        let signer = key.signer().expect("a signer");
        let token = signer.sign(account, Role::Player, clock.now(), Duration::days(30)).expect("a token");
        (account, token)
    }

    fn refusal(verifier: &TokenVerifier, token: &str, clock: &ManualClock) -> String {
        let problem = verifier.verify(token, clock.now()).expect_err("a refusal");
        assert_eq!(problem.code, Code::Unauthenticated);
        assert!(token.is_empty() || !problem.message.contains(token), "an error quotes a token");
        problem.message
    }

    #[test]
    fn g2_a_token_says_who_it_is_until_it_expires() {
        let (key, clock) = (key(1), ManualClock::default());
        let (account, token) = token(&key, &clock);
        let claims = key.verifier().verify(&token, clock.now()).expect("claims");
        assert_eq!((claims.account, claims.role), (account, Role::Player));
        assert_eq!(claims.expires_at - claims.issued_at, Duration::days(30));

        clock.advance(Duration::days(30) - Duration::seconds(1));
        assert!(key.verifier().verify(&token, clock.now()).is_ok());
        clock.advance(Duration::seconds(1));
        assert!(refusal(&key.verifier(), &token, &clock).contains("expired"));
    }

    #[test]
    fn g2_a_session_is_of_an_epoch_and_other_tokens_of_the_first() {
        let (key, clock, account) = (key(1), ManualClock::default(), AccountId::new());
        let (signer, lifetime) = (key.signer().expect("a signer"), Duration::days(1));
        let session = signer.sign_session(account, 7, clock.now(), lifetime).expect("a token");
        let claims = key.verifier().verify(&session, clock.now()).expect("claims");
        assert_eq!((claims.account, claims.role, claims.epoch), (account, Role::Player, 7));
        let (_, first) = token(&key, &clock);
        assert_eq!(key.verifier().verify(&first, clock.now()).expect("claims").epoch, 0);
    }

    #[test]
    fn g2_a_token_of_another_key_is_refused() {
        let clock = ManualClock::default();
        let (_, token) = token(&key(1), &clock);
        refusal(&key(2).verifier(), &token, &clock);
    }

    #[test]
    fn g2_a_token_with_any_part_changed_is_refused() {
        let (key, clock) = (key(1), ManualClock::default());
        let (_, token) = token(&key, &clock);
        let (_, other) = self::token(&key, &clock);
        let parts: Vec<&str> = token.split('.').collect();
        let others: Vec<&str> = other.split('.').collect();
        refusal(&key.verifier(), &[parts[0], others[1], parts[2]].join("."), &clock);
        for (place, _) in token.char_indices().step_by(7) {
            let mut changed = token.clone().into_bytes();
            changed[place] = if changed[place] == b'A' { b'B' } else { b'A' };
            refusal(&key.verifier(), &String::from_utf8_lossy(&changed), &clock);
        }
        for text in ["", ".", "..", "a.b.c", "no token at all"] {
            refusal(&key.verifier(), text, &clock);
        }
    }

    #[test]
    fn g2_a_token_that_is_not_signed_is_refused() {
        let (key, clock) = (key(1), ManualClock::default());
        let (_, token) = token(&key, &clock);
        let parts: Vec<&str> = token.split('.').collect();
        // {"alg":"none","typ":"JWT"}
        let none = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0";
        refusal(&key.verifier(), &format!("{none}.{}.", parts[1]), &clock);
        refusal(&key.verifier(), &format!("{}.{}.", parts[0], parts[1]), &clock);
    }

    #[test]
    fn a_key_reads_back_from_its_pem() {
        let (key, clock) = (key(1), ManualClock::default());
        let pem = key.to_pem().expect("a PEM");
        assert!(pem.starts_with("-----BEGIN PRIVATE KEY-----"));
        let (account, token) = token(&TokenKey::from_pem(&pem).expect("the key"), &clock);
        assert_eq!(key.verifier().verify(&token, clock.now()).map(|claims| claims.account), Ok(account));
        let verifier =
            TokenVerifier::from_public_pem(&key.to_public_pem().expect("a PEM")).expect("a verifier");
        assert_eq!(verifier.verify(&token, clock.now()).map(|claims| claims.account), Ok(account));
        assert!(TokenKey::from_pem("-----BEGIN NOTHING-----").is_err());
        assert!(TokenVerifier::from_public_pem(&pem).is_err(), "a private key is no public one");
    }
}
