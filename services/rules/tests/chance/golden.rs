//! The values of chance version 1. They were computed by a program apart, from the words of
//! ChaCha20 and the header of `chance.rs`, and never change: logs depend on them.

use crate::key;
use crate::reference::Reference;
use astragal_rules::chance::{CHANCE_VERSION, Chance};
use astragal_rules::seed::Seed;
use proptest::prelude::*;
use rand_core::Rng;
use serde_json::{Value, json};

fn cases() -> Vec<Value> {
    let golden: Value = serde_json::from_str(include_str!("../golden/chance_1.json")).unwrap();
    assert_eq!(golden["chanceVersion"], json!(CHANCE_VERSION), "a new version gets a file of its own");
    golden["cases"].as_array().unwrap().clone()
}

/// The numbers of an argument that is an array.
fn pair(range: &Value) -> (i64, i64) {
    (range[0].as_i64().unwrap(), range[1].as_i64().unwrap())
}

fn size(count: &Value) -> usize {
    count.as_u64().unwrap() as usize
}

#[test]
fn l4_the_golden_values_stand() {
    for case in cases() {
        let seed = Seed::new(key(&case["seed"]));
        let mut chance = Chance::of_step(&seed, case["place"].as_u64().unwrap());
        for call in case["calls"].as_array().unwrap() {
            let (name, argument) =
                call.as_object().unwrap().iter().find(|(name, _)| *name != "gives").unwrap();
            let given = match name.as_str() {
                "int" => json!(chance.int(pair(argument).0..=pair(argument).1)),
                "index" => json!(chance.index(size(argument))),
                "pick" => chance.pick(argument.as_array().unwrap()).unwrap().clone(),
                "shuffle" => {
                    let mut items: Vec<usize> = (0..size(argument)).collect();
                    chance.shuffle(&mut items);
                    json!(items)
                }
                "u32" => json!(chance.rng().next_u32()),
                "u64" => json!(chance.rng().next_u64()),
                "bytes" => {
                    let mut bytes = vec![0; size(argument)];
                    chance.rng().fill_bytes(&mut bytes);
                    json!(hex::encode(bytes))
                }
                other => panic!("no call is named {other}"),
            };
            assert_eq!(given, call["gives"], "{call} at place {} of {}", case["place"], case["seed"]);
        }
    }
}

#[derive(Debug, Clone)]
enum Call {
    Int(i64, i64),
    Index(usize),
    Shuffle(usize),
    U32,
    U64,
}

fn call() -> impl Strategy<Value = Call> {
    let range = |low: i64, high: i64| Call::Int(low.min(high), low.max(high));
    prop_oneof![
        (any::<i64>(), any::<i64>()).prop_map(move |(low, high)| range(low, high)),
        (-9..9_i64, -9..9_i64).prop_map(move |(low, high)| range(low, high)),
        (1..200_usize).prop_map(Call::Index),
        (0..150_usize).prop_map(Call::Shuffle),
        Just(Call::U32),
        Just(Call::U64),
    ]
}

proptest! {
    #[test]
    fn l4_chance_does_what_its_header_says(
        key: [u8; 32],
        place: u64,
        calls in prop::collection::vec(call(), 1..12),
    ) {
        let seed = Seed::new(key);
        let mut chance = Chance::of_step(&seed, place);
        let mut reference = Reference::new(key, place);
        for call in calls {
            match call {
                Call::Int(low, high) => prop_assert_eq!(chance.int(low..=high), reference.int(low, high)),
                Call::Index(len) => prop_assert_eq!(chance.index(len) as u128, reference.below(len as u128)),
                Call::Shuffle(len) => {
                    let mut items: Vec<usize> = (0..len).collect();
                    chance.shuffle(&mut items);
                    prop_assert_eq!(items, reference.shuffled(len));
                }
                Call::U32 => prop_assert_eq!(chance.rng().next_u32(), reference.u32()),
                Call::U64 => prop_assert_eq!(chance.rng().next_u64(), reference.u64()),
            }
        }
    }

    #[test]
    fn l4_entropy_gives_what_a_seed_gives_at_the_setup(key: [u8; 32]) {
        let seed = Seed::new(key);
        let whole = 0..=i64::MAX;
        prop_assert_eq!(Chance::of_entropy(&key).int(whole.clone()), Chance::of_step(&seed, 0).int(whole));
    }
}
