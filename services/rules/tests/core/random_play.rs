//! Random play of every game. At each step the state is written and read back, the table is
//! rebuilt from its log, and the answers about undo are compared.

use crate::toys::played::{Played, Setting};
use crate::toys::random::{Whim, next_move, play_on};
use crate::toys::{NoTwins, registry};
use astragal_rules::any::AnyTable;
use astragal_rules::game::Viewer;
use astragal_rules::log::{Header, LoggedMove};
use astragal_rules::registry::{Registry, TakeBackError};
use astragal_rules::seat::Seat;
use proptest::prelude::*;
use std::sync::Arc;

/// Any game of the registry, in any of its forms.
pub fn settings() -> impl Strategy<Value = Setting> {
    let form = prop_oneof![
        Just(("kalah", 1, 2..=2_u8, "{}")),
        Just(("kalah", 1, 2..=2, r#"{"seeds":3,"capture":"empty"}"#)),
        Just(("dare", 1, 2..=4, r#"{"rounds":4}"#)),
        Just(("letters", 1, 2..=4, "{}")),
        Just(("letters", 1, 2..=4, r#"{"variant":"long","words":"challenged"}"#)),
        Just(("counter", 1, 1..=4, r#"{"target":60}"#)),
        Just(("counter", 2, 1..=4, r#"{"target":60}"#)),
    ];
    let seated = form.prop_flat_map(|(game, version, seats, options)| {
        (Just((game, version, options)), seats, any::<u8>())
    });
    seated.prop_flat_map(|((game, version, options), seats, seed)| {
        (0..seats).prop_map(move |first_seat| Setting { game, version, seats, options, first_seat, seed })
    })
}

fn viewers(seats: u8) -> Vec<Viewer> {
    Seat::all(seats).map(Viewer::Seat).chain([Viewer::Spectator, Viewer::Admin]).collect()
}

/// All that can be asked of a table, as text.
fn answers(table: &dyn AnyTable, before: Option<(&dyn AnyTable, &LoggedMove)>) -> Vec<String> {
    let seats = table.opening().seats;
    let mut answers = vec![table.state_json().unwrap()];
    answers.extend(viewers(seats).into_iter().map(|viewer| table.view(viewer).unwrap()));
    answers.extend(Seat::all(seats).map(|seat| format!("{:?}", table.legal_moves(seat).unwrap())));
    answers.push(format!("{:?} {:?}", table.turn(), table.automatic(&NoTwins).unwrap()));
    if let Some((before, last)) = before {
        for viewer in viewers(seats) {
            answers.push(format!("{:?}", table.shown(before, last, viewer).unwrap()));
        }
        for actor in Seat::all(seats).map(Some).chain([None]) {
            answers.push(format!("{:?}", table.check_undo(last, actor)));
        }
    }
    answers
}

/// The table of now is the one that its state and its log give.
fn check_rebuilt(played: &Played, registry: &Registry) {
    let now = played.now();
    let log = played.log();
    let moves = played.moves();
    let last = moves.last().map(|last| (played.after(moves.len() - 1), last));
    let expected = answers(now, last);

    let game = registry.get(&now.opening().game, now.opening().version).unwrap();
    let restored = game.restore(Arc::clone(now.opening()), &played.state()).unwrap();
    assert_eq!(answers(&*restored, last), expected);

    let replayed = registry.replay(&log).unwrap();
    assert_eq!(answers(&*replayed, last), expected);
    assert!(replayed.follows_from(&log) && restored.follows_from(&log));
}

/// An undo of the whole log agrees with the check that knows only the last move.
fn check_undo_agrees(played: &Played, registry: &Registry) {
    let Some(last) = played.moves().last() else { return };
    let before = played.after(played.moves().len() - 1);
    for actor in Seat::all(before.opening().seats).map(Some).chain([None]) {
        match (played.now().check_undo(last, actor), registry.undo(&played.log(), actor)) {
            (Ok(()), Ok((shorter, table))) => {
                assert_eq!(shorter.moves(), &played.moves()[..played.moves().len() - 1]);
                assert_eq!(answers(&*table, None), answers(before, None));
            }
            (Err(checked), Err(TakeBackError::Undo(refused))) => assert_eq!(checked, refused),
            (checked, undone) => panic!("{checked:?}, but {:?}", undone.map(|_| ())),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn l3_l12_every_state_is_rebuilt_at_each_step(setting in settings(), number in any::<u64>()) {
        let registry = registry();
        let mut played = Played::open(&registry, setting);
        let mut whim = Whim::new(number);
        check_rebuilt(&played, &registry);
        while played.now().outcome().is_none() && played.moves().len() < 120 {
            let (seat, action) = next_move(played.now(), &mut whim);
            if played.step(seat, &action, &NoTwins).is_err() {
                continue;
            }
            check_rebuilt(&played, &registry);
            check_undo_agrees(&played, &registry);
            if whim.once_in(8) {
                let actor = Some(whim.below(setting.seats.into()) as u8).filter(|_| whim.once_in(2));
                let _ = played.undo(actor);
            }
        }
    }

    #[test]
    fn l10_any_prefix_advances_to_the_same_end(setting in settings(), number in any::<u64>()) {
        let registry = registry();
        let mut played = Played::open(&registry, setting);
        play_on(&mut played, &mut Whim::new(number), 60);
        let header = Header { moves: played.moves().len() as u32, ..played.log().header() };
        for cached in 0..=played.moves().len() {
            let rest = &played.moves()[cached..];
            let end = played.after(cached).advance(&header, rest, &NoTwins).unwrap();
            prop_assert_eq!(end.state_json(), played.now().state_json());
        }
    }

    #[test]
    fn l1_l7_a_finished_log_reads_back_and_verifies(setting in settings(), number in any::<u64>()) {
        let registry = registry();
        let mut played = Played::open(&registry, setting);
        play_on(&mut played, &mut Whim::new(number), 150);
        played.give_up();
        let text = played.finished().to_json().unwrap();
        let read = astragal_rules::finished_log::FinishedLog::from_json(&text).unwrap();
        prop_assert_eq!(read.to_json().unwrap(), text);
        let table = registry.verify(&read, &played.log().commitment()).unwrap();
        prop_assert_eq!(table.state_json().unwrap(), played.state());
    }
}
