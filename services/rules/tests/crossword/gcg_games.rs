//! Real games: every event scores what its line says, and the boards and totals are those of the
//! manifest.

use crate::data;
use astragal_rules::crossword::edition::Variant;
use astragal_rules::crossword::gcg::Gcg;

#[test]
fn gcg_real_games_score_the_same_at_every_event() {
    let edition = Variant::English.edition();
    let manifest = data::json("crossword/gcg/manifest_dev.json");
    let mut games = 0;
    for game in manifest.as_array().expect("a list") {
        let file = game["file"].as_str().unwrap();
        let gcg = Gcg::read(data::text(&format!("crossword/gcg/{file}")).as_bytes());
        let gcg = gcg.unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(gcg.events.len() as u64, game["event_lines"], "{file}");
        let scored = gcg.score(edition).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(serde_json::json!(scored.board.rows(edition)), game["final_board"], "{file}");
        assert_eq!(scored.board.tiles().count() as u64, game["tiles_on_board"], "{file}");
        for (player, total) in gcg.players.iter().zip(&scored.totals) {
            assert_eq!(game["final_scores"][&player.nick], *total, "{file}");
        }
        let printed = gcg.to_string();
        let again =
            Gcg::read(printed.as_bytes()).unwrap_or_else(|error| panic!("{file}: {error}\n{printed}"));
        assert_eq!(again.score(edition), Ok(scored), "{file}");
        games += 1;
    }
    assert_eq!(games, 22);
}
