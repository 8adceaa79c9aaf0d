//! Random games of every variant, number of seats and kind. After each move no tile is lost, the
//! state is written and read back, and at the end the log gives the same state.

use crate::table;
use crate::toys::played::{Played, Setting};
use crate::toys::random::Whim;
use crate::words;
use astragal_rules::any::AnyTable;
use astragal_rules::crossword::alphabet::Laid;
use astragal_rules::crossword::edition::Variant;
use astragal_rules::crossword::tiles::Tiles;
use astragal_rules::game::{AcceptAll, Judge, Viewer};
use astragal_rules::registry::Registry;
use astragal_rules::seat::Seat;
use serde_json::{Value, json};
use std::sync::Arc;

/// Of each variant, number of seats and kind.
const GAMES: u16 = 278;

/// A game that has not ended after so many moves never will.
const MOVES_MAX: usize = 400;

/// What somebody does: mostly what a robot would, now and then anything else.
pub fn a_move(table: &dyn AnyTable, seat: Seat, whim: &mut Whim, edition: Variant) -> String {
    let view: Value = serde_json::from_str(&table.view(Viewer::Seat(seat)).unwrap()).unwrap();
    match whim.below(16) {
        0 => r#"{"pass":true}"#.to_owned(),
        1 => r#"{"challenge":true}"#.to_owned(),
        2 => json!({ "exchange": view["rack"] }).to_string(),
        3 => {
            // Any tiles at some place; most of this is refused, and some with `words: any` stands.
            let alphabet = &edition.edition().alphabet;
            let rack: Vec<char> = view["rack"].as_str().unwrap().chars().collect();
            let blank = alphabet.character(alphabet.laid('a').or(alphabet.laid('а')).unwrap());
            let count = 1 + whim.below(rack.len().max(1));
            let tiles: String =
                rack.iter().take(count).map(|tile| if *tile == '?' { blank } else { *tile }).collect();
            let at = if whim.once_in(2) {
                "8G".to_owned()
            } else {
                format!("{}{}", ['F', 'H', 'K'][whim.below(3)], 4 + whim.below(6))
            };
            table::play(&at, &tiles)
        }
        _ => {
            table.robot_move(seat, 1 + whim.below(5) as u8, &whim.entropy()).unwrap().expect("a robot's move")
        }
    }
}

fn check_tiles(state: &str) {
    let state: Value = serde_json::from_str(state).unwrap();
    let data = &state["data"];
    let edition = serde_json::from_value::<Variant>(data["variant"].clone()).unwrap().edition();
    let texts = data["racks"].as_array().unwrap().iter().chain([&data["bag"]]);
    let hands = texts
        .flat_map(|text| text.as_str().unwrap().chars())
        .map(|tile| edition.alphabet.face(tile).unwrap());
    let rows = data["board"].as_array().unwrap().iter().flat_map(|row| row.as_str().unwrap().chars());
    let laid = rows.filter_map(|character| edition.alphabet.laid(character)).map(Laid::tile);
    let mut all = Tiles::EMPTY;
    hands.chain(laid).for_each(|face| all.put(face));
    assert_eq!(all, Tiles::all(edition), "tiles are lost: {data}");
}

/// One game to its end; gives how many moves were made.
pub fn play_out(registry: &Registry, setting: Setting, judge: &dyn Judge, whim: &mut Whim) -> Played {
    let mut played = Played::open(registry, setting);
    let game = Arc::clone(registry.newest("crossword").unwrap());
    let variant = Variant::named(game.variant(&played.now().opening().options)).unwrap();
    let mut tries = 0;
    while played.now().outcome().is_none() {
        tries += 1;
        assert!(tries < MOVES_MAX, "the game does not end: {}", played.state());
        if let Some(due) = played.now().automatic(judge).unwrap() {
            played.step(None, &due, judge).expect("a verdict");
        } else if whim.once_in(150) {
            let seat = played.now().turn().order[whim.below(played.now().turn().order.len())];
            played.step(None, &format!(r#"{{"left":{seat}}}"#), judge).expect("a seat leaves");
        } else {
            let seat = played.now().turn().acting.expect("a seat to move");
            let action = a_move(played.now(), seat, whim, variant);
            if played.step(Some(seat.0), &action, judge).is_err() {
                continue;
            }
        }
        let state = played.state();
        check_tiles(&state);
        let restored =
            game.restore(Arc::clone(played.now().opening()), &state).expect("a state that reads back");
        assert_eq!(restored.state_json().unwrap(), state);
        if whim.once_in(20) && played.undo(None).is_ok() {
            check_tiles(&played.state());
        }
    }
    let replayed = registry.replay(&played.log()).expect("the log replays");
    assert_eq!(replayed.state_json().unwrap(), played.state());
    assert!(played.now().advance(&played.log().header(), &[], &AcceptAll).is_ok());
    played
}

pub const KINDS: [&str; 3] = [r#""words":"any""#, r#""words":"dictionary""#, r#""challenge":"double""#];

/// Every variant, number of seats and kind, each with its options.
pub fn settings() -> Vec<Setting> {
    let mut settings = Vec::new();
    for variant in ["english", "russian", "erudit", "turkish"] {
        for kind in KINDS {
            let options: &str = Box::leak(format!(r#"{{"variant":"{variant}",{kind}}}"#).into_boxed_str());
            settings.extend((2..=4).map(|seats| Setting { seats, options, ..Setting::of("crossword") }));
        }
    }
    settings
}

/// The judge of a table with these options.
pub fn judge_of(setting: &Setting) -> impl Judge + use<> {
    struct ByDictionary(astragal_rules::crossword::dictionary::Dictionaries, Variant);
    impl Judge for ByDictionary {
        fn accepts(&self, word: &str) -> bool {
            self.0.get(self.1).expect("a dictionary").accepts(word)
        }
    }
    let named = |variant: &Variant| setting.options.contains(variant.edition().set.name());
    ByDictionary(words::all(), Variant::ALL.into_iter().find(named).expect("a variant"))
}

/// Ten thousand games over all variants.
fn conserve(variant: &str) {
    let registry = table::registry();
    let (mut moves, mut games, mut whim) = (0, 0, Whim::new(1));
    let settings = settings().into_iter().filter(|setting| setting.options.contains(variant));
    for setting in settings {
        let judge = judge_of(&setting);
        for number in 0..GAMES {
            let (seed, first_seat) = (number as u8, (number % u16::from(setting.seats)) as u8);
            let played = play_out(&registry, Setting { first_seat, seed, ..setting }, &judge, &mut whim);
            moves += played.moves().len();
            games += 1;
        }
    }
    assert_eq!(games, 9 * u32::from(GAMES));
    assert!(moves > 40_000, "only {moves} moves in {games} games");
}

#[test]
fn l3_crossword_english_tiles_are_never_lost_and_every_state_reads_back() {
    conserve("english");
}

#[test]
fn l3_crossword_russian_tiles_are_never_lost_and_every_state_reads_back() {
    conserve("russian");
}

#[test]
fn l3_crossword_erudit_tiles_are_never_lost_and_every_state_reads_back() {
    conserve("erudit");
}

#[test]
fn l3_crossword_turkish_tiles_are_never_lost_and_every_state_reads_back() {
    conserve("turkish");
}
