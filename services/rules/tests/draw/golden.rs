//! Frozen draws, computed by a program apart from the header of `draw/mod.rs`: records that
//! were kept must check for ever.

use crate::tile_set;
use astragal_rules::chance::CHANCE_VERSION;
use astragal_rules::draw::Draw;
use serde_json::{Value, json};

#[test]
fn d13_the_golden_draws_stand() {
    let golden: Value = serde_json::from_str(include_str!("../golden/draw_1.json")).unwrap();
    assert_eq!(golden["chanceVersion"], json!(CHANCE_VERSION), "a new version gets a file of its own");
    let draws = golden["draws"].as_array().unwrap();
    assert_eq!(draws.len(), 36, "of one, two and three rounds for each set and number");
    for draw in draws {
        let set = tile_set(draw["tileSet"].as_str().unwrap());
        let participants = draw["participants"].as_u64().unwrap() as u8;
        let rounds = draw["rounds"].as_array().unwrap();
        let mut entropies = rounds.iter().flat_map(|round| round.as_array().unwrap()).map(|pick| {
            let mut entropy = [0; 32];
            hex::decode_to_slice(pick["entropy"].as_str().unwrap(), &mut entropy).unwrap();
            entropy
        });
        let decision = Draw::run(set, participants, || entropies.next().ok_or("more picks")).unwrap();
        assert_eq!(json!(decision.winner), draw["winner"]);
        assert_eq!(decision.rounds.len(), rounds.len());
        for (drawn, round) in decision.rounds.iter().zip(rounds) {
            let picks: Value = drawn
                .picks
                .iter()
                .map(|pick| {
                    let entropy = hex::encode(pick.entropy);
                    json!({
                        "participant": pick.participant,
                        "letter": pick.letter,
                        "rank": pick.rank,
                        "entropy": entropy,
                    })
                })
                .collect();
            assert_eq!(&picks, round, "{} for {participants}", set.name());
        }
    }
}
