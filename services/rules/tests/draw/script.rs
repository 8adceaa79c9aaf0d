//! Scripts: entropy that gives the tiles a test asks for, found by trying.

use astragal_rules::draw::Draw;
use astragal_rules::tile_set::TileSet;

/// Entropy with which this participant draws this letter next (the empty text is a blank).
pub(crate) fn entropy_for(draw: &Draw, participant: u8, letter: &str) -> [u8; 32] {
    for attempt in 0_u64..1_000_000 {
        let mut entropy = [0; 32];
        entropy[..8].copy_from_slice(&attempt.to_le_bytes());
        let pick = draw.clone().draw(participant, &entropy).expect("the participant may draw");
        if pick.letter == letter {
            return entropy;
        }
    }
    panic!("no entropy gives {letter:?}: it isn't in the bag")
}

/// Lets the participants draw these letters, one after the other.
pub(crate) fn play(draw: &mut Draw, script: &[(u8, &str)]) {
    for &(participant, letter) in script {
        let entropy = entropy_for(draw, participant, letter);
        draw.draw(participant, &entropy).expect("the participant may draw");
    }
}

/// A draw in which these letters were drawn.
pub(crate) fn played(tile_set: &'static TileSet, participants: u8, script: &[(u8, &str)]) -> Draw {
    let mut draw = Draw::new(tile_set, participants).expect("a draw can begin");
    play(&mut draw, script);
    draw
}
