//! What the robots play, held to what they played before: whoever makes them faster changes no move. Robots
//! are no part of a log, so they may be made to play otherwise; then the digest is another.

use crate::toys::played::{Played, Setting};
use crate::toys::random::Whim;
use astragal_rules::crossword::dictionary::{Dictionaries, Dictionary};
use astragal_rules::crossword::edition::Variant;
use astragal_rules::crossword::game::Crossword;
use astragal_rules::game::AcceptAll;
use astragal_rules::registry::Registry;
use sha2::{Digest, Sha256};

/// The words of the program.
fn dictionaries() -> Dictionaries {
    let files: [&[u8]; 4] = [
        include_bytes!("../../../astragal/dictionaries/english.dict"),
        include_bytes!("../../../astragal/dictionaries/russian.dict"),
        include_bytes!("../../../astragal/dictionaries/erudit.dict"),
        include_bytes!("../../../astragal/dictionaries/turkish.dict"),
    ];
    let read = |file| Dictionary::from_bytes(file).expect("a dictionary of the program");
    files.into_iter().fold(Dictionaries::default(), |all, file| all.with(read(file)))
}

/// Plays a game of robots to its end, and adds every move of it to a digest.
fn play(registry: &Registry, variant: Variant, seed: u8, digest: &mut Sha256) {
    let name = variant.edition().set.name();
    let challenge = if seed.is_multiple_of(2) { "void" } else { "double" };
    let options = format!(r#"{{"challenge":"{challenge}","variant":"{name}","words":"dictionary"}}"#).leak();
    let setting = Setting { seats: 2 + seed % 3, seed, options, ..Setting::of("crossword") };
    let mut whim = Whim::new(seed.into());
    let mut played = Played::open(registry, setting);
    while played.now().outcome().is_none() {
        let mover = played.now().turn().acting.expect("a seat to move");
        // The best one plays half of all seats.
        let level = if mover.0.is_multiple_of(2) { 5 } else { 1 + (seed / 2) % 4 };
        let action = played.now().robot_move(mover, level, &whim.entropy()).unwrap().expect("a move");
        played.step(Some(mover.0), &action, &AcceptAll).unwrap_or_else(|error| panic!("{action}: {error}"));
        digest.update(&action);
    }
}

#[test]
fn crossword_robots_play_what_they_played() {
    let registry = Registry::new().with(Crossword::new(dictionaries()));
    let mut digest = Sha256::new();
    for variant in Variant::ALL {
        for seed in 0..GAMES {
            play(&registry, variant, seed, &mut digest);
        }
    }
    assert_eq!(hex::encode(digest.finalize()), DIGEST);
}

const GAMES: u8 = 12;
const DIGEST: &str = "74f86c2169f3b62532bcac0581a31f743289acd53ee90c6297a3c74707747115";
