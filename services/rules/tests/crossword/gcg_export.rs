//! Games of robots, written as GCG, read back and scored again.

use crate::play_outs::{judge_of, play_out, settings};
use crate::table;
use crate::toys::played::Setting;
use crate::toys::random::Whim;
use astragal_rules::crossword::edition::Variant;
use astragal_rules::crossword::gcg::export::export;
use astragal_rules::crossword::gcg::{Action, Gcg};
use serde_json::Value;

/// A thousand over all settings.
const GAMES: u8 = 28;

#[test]
fn gcg_of_finished_games_reads_back_and_scores_the_same() {
    let registry = table::registry();
    let mut whim = Whim::new(2);
    let (mut withdrawn, mut bonuses, mut penalties) = (0, 0, 0);
    for setting in settings() {
        let judge = judge_of(&setting);
        for seed in 0..GAMES {
            let played = play_out(&registry, Setting { seed, ..setting }, &judge, &mut whim);
            let written = export(&played.finished(), &["Ann", "Bob: the\n2nd", "Дан"]).expect("a game");
            let text = written.to_string();
            let read = Gcg::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(read.to_string(), text);
            assert_eq!(read.events, written.events);
            let state: Value = serde_json::from_str(&played.state()).unwrap();
            let variant: Variant = serde_json::from_value(state["data"]["variant"].clone()).unwrap();
            let scored = read.score(variant.edition()).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(scored.totals, played.now().outcome().unwrap().scores, "{text}");
            assert_eq!(serde_json::json!(scored.board.rows(variant.edition())), state["data"]["board"]);
            for event in &read.events {
                match event.action {
                    Action::Withdrawn => withdrawn += 1,
                    Action::EndBonus(_) => bonuses += 1,
                    Action::EndPenalty(_) => penalties += 1,
                    _ => (),
                }
            }
        }
    }
    let all = [withdrawn, bonuses, penalties];
    assert!(all.iter().all(|count| *count > 5), "each kind of event is among them: {all:?}");
}
