//! Seeds and commitments: what is read, what is refused, and what is shown.

use crate::{data, key};
use astragal_rules::seed::{Commitment, Seed};
use std::str::FromStr;

const DIGITS: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

#[test]
fn l6_the_commitment_is_the_digest_of_the_raw_bytes() {
    let vectors = data::json("chance/sha256_vectors.json");
    let rows = vectors["seed_commitments"].as_array().unwrap();
    assert!(!rows.is_empty(), "digests of seeds");
    for row in rows {
        let commitment = Seed::new(key(&row["seed_hex"])).commitment();
        assert_eq!(commitment.to_string(), row["sha256_of_raw_32_bytes"].as_str().unwrap());
        assert_ne!(commitment.to_string(), row["sha256_of_64_hex_ascii_digits"].as_str().unwrap());
    }
}

#[test]
fn l2_a_seed_is_64_lower_case_hex_digits() {
    let seed = Seed::from_hex(DIGITS).expect("64 lower-case digits");
    assert_eq!(hex::encode(seed.expose()), DIGITS);
    assert!(refused().iter().all(|text| Seed::from_hex(text).is_none()));
}

#[test]
fn l6_a_commitment_is_64_lower_case_hex_digits() {
    let commitment = Commitment::from_str(DIGITS).expect("64 lower-case digits");
    assert_eq!(commitment.to_string(), DIGITS);
    for text in refused() {
        let error = Commitment::from_str(&text).expect_err("not a commitment");
        assert_eq!(error.to_string(), "a commitment is 64 lower-case hex digits", "{text:?}");
    }
}

#[test]
fn l7_commitments_match_only_if_every_bit_does() {
    let commitment = Seed::new([0; 32]).commitment();
    assert!(commitment.matches(&Seed::new([0; 32]).commitment()));
    for bit in 0..256 {
        let mut bytes = [0; 32];
        hex::decode_to_slice(commitment.to_string(), &mut bytes).unwrap();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let other = Commitment::from_str(&hex::encode(bytes)).unwrap();
        assert!(!commitment.matches(&other), "bit {bit}");
    }
}

/// Texts that look like 64 lower-case hex digits, but aren't.
fn refused() -> Vec<String> {
    vec![
        String::new(),
        DIGITS.to_uppercase(),
        DIGITS.replacen('a', "A", 1),
        DIGITS[1..].to_owned(),
        DIGITS[2..].to_owned(),
        format!("{DIGITS}0"),
        format!("{DIGITS}00"),
        format!(" {}", &DIGITS[1..]),
        format!("{}\n", &DIGITS[1..]),
        format!("0x{}", &DIGITS[2..]),
        DIGITS.replacen('a', "g", 1),
        DIGITS.replacen("00", "é", 1),
        DIGITS.replacen('0', "٠", 1),
    ]
}
