//! Any calls in any order: the draw takes what it may take, refuses the rest unchanged, and its
//! record takes up where it stopped.

#![no_main]

use astragal_rules::draw::Draw;
use astragal_rules::tile_set::{Letter, TileSet};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;

/// Small sets, in which ties and refusals are common.
static SMALL: [TileSet; 4] = [
    TileSet::new("none", 0, &[]),
    TileSet::new("one rank", 4, &[]),
    TileSet::new("lopsided", 0, &[Letter::new("A", 3, 1), Letter::new("B", 1, 1)]),
    TileSet::new("pairs", 2, &[Letter::new("A", 2, 1), Letter::new("B", 2, 1)]),
];

#[derive(Arbitrary, Debug)]
struct Plan {
    set: u8,
    participants: u8,
    calls: Vec<(u8, [u8; 32])>,
}

fuzz_target!(|plan: Plan| {
    let sets: Vec<&'static TileSet> = TileSet::all().chain(&SMALL).collect();
    let set = sets[usize::from(plan.set) % sets.len()];
    let Ok(mut draw) = Draw::new(set, plan.participants % 6) else { return };
    for (participant, entropy) in plan.calls {
        let participant = participant % 6;
        let waiting = draw.waiting();
        let before = draw.clone();
        let drawn = draw.draw(participant, &entropy);
        assert_eq!(drawn.is_ok(), waiting.contains(&participant));
        assert_eq!(drawn.is_err(), draw == before);
    }
    let picks = draw.rounds().flat_map(|round| &round.picks);
    assert_eq!(Draw::restore(set, draw.participants(), picks).as_ref(), Ok(&draw));
    assert_eq!(draw.is_over(), draw.waiting().is_empty());
    if let Some(decision) = draw.decision() {
        assert_eq!(decision.check(), Ok(()));
        assert_eq!(decision.seat_of(decision.winner), 0);
    }
});
