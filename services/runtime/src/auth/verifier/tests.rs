//! A change of keys, step by step, and tokens that would profit from it.

use super::TokenVerifier;
use crate::auth::{Payload, Role, TokenKey};
use crate::clock::{Clock, ManualClock};
use crate::entropy::ScriptedEntropy;
use crate::error::Code;
use crate::id::AccountId;
use chrono::Duration;
use jsonwebtoken::{Algorithm, EncodingKey, Header};

fn key(seed: u8) -> TokenKey {
    TokenKey::generate(&ScriptedEntropy::expanded([seed; 32])).expect("a key")
}

fn public(keys: &[&TokenKey]) -> String {
    keys.iter().map(|key| key.to_public_pem().expect("a PEM")).collect()
}

fn verifier(keys: &[&TokenKey]) -> TokenVerifier {
    TokenVerifier::from_public_pem(&public(keys)).expect("a verifier")
}

fn token(key: &TokenKey, role: Role, clock: &ManualClock) -> String {
    let signer = key.signer().expect("a signer");
    signer.sign(AccountId::new(), role, clock.now(), Duration::days(1)).expect("a token")
}

fn payload(clock: &ManualClock) -> Payload {
    let iat = clock.now().timestamp();
    Payload { iss: "astragal".into(), sub: AccountId::new(), role: Role::Admin, epoch: 0, iat, exp: iat + 60 }
}

/// Signed by `key`, under a header that says something else.
fn signed(key: &TokenKey, header: &Header, clock: &ManualClock) -> String {
    jsonwebtoken::encode(header, &payload(clock), &key.signer().expect("a signer").key).expect("a token")
}

fn kid(token: &str) -> String {
    jsonwebtoken::decode_header(token).expect("a header").kid.expect("the name of a key")
}

fn refuses(verifier: &TokenVerifier, token: &str, clock: &ManualClock, what: &str) {
    let problem = verifier.verify(token, clock.now()).expect_err(what);
    assert_eq!(problem.code, Code::Unauthenticated, "{what}");
    assert!(problem.message.contains("not one of ours"), "{what}: {}", problem.message);
}

/// O2, G2: keys overlap. Tokens of the key before go on, those of the new one count everywhere before anybody signs with
/// it, and a key that was taken out counts no more.
#[test]
fn o2_g2_keys_change_without_anybody_being_signed_out() {
    let (old, new, clock) = (key(1), key(2), ManualClock::default());
    for role in [Role::Player, Role::Service, Role::Tournament, Role::Admin] {
        let (before, after) = (token(&old, role, &clock), token(&new, role, &clock));
        for verifier in
            [verifier(&[&old, &new]), verifier(&[&new, &old]), new.verifier().and(&old.verifier())]
        {
            for token in [&before, &after] {
                assert_eq!(verifier.verify(token, clock.now()).map(|claims| claims.role), Ok(role));
            }
        }
        let changed = verifier(&[&new]);
        assert!(changed.verify(&after, clock.now()).is_ok());
        refuses(&changed, &before, &clock, "a token of a key that was taken out");
        refuses(&verifier(&[&old]), &after, &clock, "a token of a key that nobody was given yet");
    }
}

/// G2: tokens from before their key was named in them count as long as their key does.
#[test]
fn g2_a_token_that_names_no_key_is_one_of_any_key() {
    let (old, new, clock) = (key(1), key(2), ManualClock::default());
    let nameless = signed(&old, &Header::new(Algorithm::EdDSA), &clock);
    assert!(verifier(&[&new, &old]).verify(&nameless, clock.now()).is_ok());
    refuses(&verifier(&[&new]), &nameless, &clock, "a token without a name of a key that was taken out");
}

/// G2: a token is of the key that it names, or of none.
#[test]
fn g2_a_token_that_names_another_key_is_refused() {
    let (old, new, clock) = (key(1), key(2), ManualClock::default());
    let both = verifier(&[&old, &new]);
    let names_new =
        Header { kid: Some(kid(&token(&new, Role::Player, &clock))), ..Header::new(Algorithm::EdDSA) };
    refuses(&both, &signed(&old, &names_new, &clock), &clock, "the old key's under the new one's name");
    for unknown in ["", "0", "../key", "0123456789abcdef"] {
        let header = Header { kid: Some(unknown.to_owned()), ..Header::new(Algorithm::EdDSA) };
        refuses(&both, &signed(&old, &header, &clock), &clock, unknown);
    }
    let (one, other) = (token(&old, Role::Player, &clock), token(&new, Role::Player, &clock));
    assert_ne!(kid(&one), kid(&other), "two keys have one name");
    let (_, rest) = one.split_once('.').expect("parts");
    let (header, _) = other.split_once('.').expect("parts");
    refuses(&both, &format!("{header}.{rest}"), &clock, "another token's header");
}

/// G2: what is public must not become a secret by which tokens are made.
#[test]
fn g2_a_public_key_signs_nothing_whatever_a_token_says_of_itself() {
    let (own, other, clock) = (key(1), key(2), ManualClock::default());
    let verifier = verifier(&[&own]);
    let name = kid(&token(&own, Role::Player, &clock));
    let pem = public(&[&own]);
    let raw = own.0.verifying_key();
    for algorithm in [Algorithm::HS256, Algorithm::HS384, Algorithm::HS512] {
        for secret in [pem.as_bytes(), raw.as_bytes(), name.as_bytes()] {
            for kid in [None, Some(name.clone())] {
                let header = Header { kid, ..Header::new(algorithm) };
                let secret = EncodingKey::from_secret(secret).expect("a secret");
                let token = jsonwebtoken::encode(&header, &payload(&clock), &secret).expect("a token");
                refuses(&verifier, &token, &clock, "a public key as a secret");
            }
        }
    }
    // Headers that bring a key along, or say where there is one.
    let brought = Header {
        kid: Some(name),
        jku: Some("https://keys.example/all".to_owned()),
        x5u: Some("https://keys.example/one".to_owned()),
        ..Header::new(Algorithm::EdDSA)
    };
    refuses(&verifier, &signed(&other, &brought, &clock), &clock, "a key that the token brings along");
}

/// O3: what is no list of public keys stops the start.
#[test]
fn o3_only_public_keys_are_read_and_only_so_many() {
    let own = key(1);
    let (good, private) = (public(&[&own]), own.to_pem().expect("a PEM"));
    let cut = format!("{good}{}", good.replace("END PUBLIC", "END"));
    for bad in ["", "no key", &private, &format!("{good}{private}"), &format!("{private}{good}"), &cut] {
        assert!(TokenVerifier::from_public_pem(bad).is_err(), "it was read: {}", bad.len());
    }
    assert!(TokenVerifier::from_public_pem(&format!("made in May\n{good}\nmade in June\n{good}")).is_ok());
    let many = TokenVerifier::from_public_pem(&good.repeat(9)).map(drop).expect_err("too many keys");
    assert!(many.message.contains("8 at most"), "{}", many.message);
}
