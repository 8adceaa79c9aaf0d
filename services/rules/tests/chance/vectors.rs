//! Published vectors: the words of ChaCha20 as `rand_chacha` and RFC 8439 have them.

use crate::{data, key};
use astragal_rules::chance::Chance;
use astragal_rules::seed::Seed;
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use serde_json::Value;

/// The words that a vector lists.
fn words(list: &Value) -> Vec<u32> {
    serde_json::from_value(list.clone()).expect("a list of words")
}

fn next_words(source: &mut impl Rng, count: usize) -> Vec<u32> {
    std::iter::repeat_with(|| source.next_u32()).take(count).collect()
}

#[test]
fn l4_the_words_of_a_place_are_those_of_its_stream() {
    let rows = data::json("chance/rand_chacha_vectors.json");
    let mut compared = 0;
    for row in rows.as_array().unwrap().iter().filter(|row| row["rounds"] == 20) {
        let place = row["stream"].as_str().unwrap().parse().unwrap();
        let seed = Seed::new(key(&row["seed_hex"]));
        let first = next_words(Chance::of_step(&seed, place).rng(), 20);
        assert_eq!(first, words(&row["u32_first20"]), "{row}");
        compared += 1;
    }
    assert_eq!(compared, 35, "rows of 20 rounds");
}

/// A block of the RFC has a counter of 32 bits and a nonce of 96; ours has 64 of each. The
/// first 32 bits of the nonce are the upper half of our counter.
#[test]
fn l4_the_words_are_the_blocks_of_rfc_8439() {
    let rows = data::json("chance/rfc8439_chacha20_block_vectors.json");
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 6, "blocks");
    for row in rows {
        let nonce = hex::decode(row["nonce"].as_str().unwrap()).unwrap();
        let (upper, stream) = nonce.split_first_chunk::<4>().unwrap();
        let stream = u64::from_le_bytes(stream.try_into().unwrap());
        let counter = u64::from(u32::from_le_bytes(*upper)) << 32 | row["counter"].as_u64().unwrap();
        let block = words(&row["words_le"]);

        let mut direct = ChaCha20Rng::from_seed(key(&row["key"]));
        direct.set_stream(stream);
        direct.set_word_pos(u128::from(counter) * 16);
        assert_eq!(next_words(&mut direct, 16), block, "{}", row["name"]);

        // Chance starts at block 0 and can't jump, so the far block is compared above only.
        if counter < 1_000 {
            let seed = Seed::new(key(&row["key"]));
            let mut chance = Chance::of_step(&seed, stream);
            let so_far = next_words(chance.rng(), counter as usize * 16 + 16);
            assert_eq!(so_far[so_far.len() - 16..], block, "{}", row["name"]);
        }
    }
}
