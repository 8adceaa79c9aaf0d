//! Chance and seeds: frozen values, published vectors, and no bias.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "what goes wrong in a test fails it")]
#![allow(clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "the numbers of a test are small")]

#[path = "../data/mod.rs"]
mod data;
mod golden;
mod ranges;
mod reference;
mod seed;
#[path = "../statistics/mod.rs"]
mod statistics;
mod vectors;

/// The 32 bytes that hex digits of test data stand for.
fn key(hex_digits: &serde_json::Value) -> [u8; 32] {
    let mut key = [0; 32];
    hex::decode_to_slice(hex_digits.as_str().expect("hex digits"), &mut key).expect("64 hex digits");
    key
}
