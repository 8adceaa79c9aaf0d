//! Games that break: their table ends, and nothing else does.

use crate::house::{Database, House, code, games, json, tally, two};
use crate::tally::Tally;
use astragal_engine::journal::EntryKind;
use astragal_proto::engine::v1::table_event::Kind;
use astragal_rules::registry::Registry;
use astragal_runtime::database::Location;
use astragal_runtime::error::Code;
use astragal_runtime::id::TableId;

#[tokio::test]
async fn l0_a_game_that_panics_or_breaks_a_promise_ends_its_table_only() {
    let house = House::in_memory().await;
    let accounts = two();
    let sound = house.tally(2, &accounts).await;
    for content in ["\"panic\"", "\"corrupt\""] {
        let table = house.tally(2, &accounts).await;
        let mut watch = house.watch(table).await;
        house.add(table, accounts[0], "{\"add\":1}").await.expect("a move");
        assert_eq!(code(&house.add(table, accounts[1], content).await), Some(Code::Internal));
        watch.next().await;
        let event = watch.next().await;
        assert!(matches!(&event.kind, Some(Kind::Crashed(crash)) if !crash.place.is_empty()));
        let ended = event.ended.as_ref().expect("the end");
        assert_eq!(ended.outcome.as_ref().map(|outcome| outcome.reason.as_str()), Some("crashed"));
        let journal = house.store().tail(table, 3).await.expect("a journal");
        assert!(matches!(journal[0].kind, EntryKind::Crashed { .. }));
        let view = house.view(table, Some(accounts[0])).await.expect("a view");
        assert_eq!((view.phase.as_str(), &json(&view.view)["total"]), ("over", &1.into()));
        assert_eq!(json(&view.series)[0]["reason"], "crashed");
        assert_eq!(code(&house.add(table, accounts[1], "{\"add\":1}").await), Some(Code::IllegalMove));
        assert_eq!(code(&house.finished_log(table).await), Some(Code::FailedPrecondition));
    }
    house.add(sound, accounts[0], "{\"add\":1}").await.expect("the process lives");
}

#[tokio::test]
async fn l0_a_table_that_cannot_be_rebuilt_gets_a_crash_with_its_place() {
    let database = Database::new();
    let house = House::new(&database.location()).await;
    let accounts = two();
    let table = house.tally(2, &accounts).await;
    house.add(table, accounts[0], "{\"add\":1}").await.expect("a move");
    house.stop().await;

    // A build whose version 1 plays otherwise: the state is not the one that was written.
    let changed = Registry::new().with(Changed { panics: false });
    let house = House::with(&database.location(), changed).await;
    let view = house.view(table, None).await.expect("a view");
    assert_eq!((view.phase.as_str(), view.revision, &view.view[..]), ("over", 4, &b"null"[..]));
    let journal = house.store().tail(table, 3).await.expect("a journal");
    let expected = EntryKind::Crashed { place: "journal[2].stateHash".to_owned() };
    assert_eq!(journal[0].kind, expected);
    let events = house.events(table, None, 3).await.expect("events");
    assert!(matches!(&events.events[..], [event] if matches!(event.kind, Some(Kind::Crashed(_)))));
    house.stop().await;

    let house = House::new(&database.location()).await;
    let view = house.view(table, None).await.expect("a view");
    assert_eq!((view.phase.as_str(), view.revision), ("over", 4), "once crashed, for ever crashed");
}

#[tokio::test]
async fn l0_a_table_whose_replay_panics_gets_a_crash_and_the_process_lives() {
    let database = Database::new();
    let house = House::new(&database.location()).await;
    let accounts = two();
    let (table, sound) = (house.tally(2, &accounts).await, house.tally(2, &accounts).await);
    house.add(table, accounts[0], "{\"add\":1}").await.expect("a move");
    house.stop().await;

    let house = House::with(&database.location(), games().with(Changed { panics: true })).await;
    let view = house.view(table, None).await.expect("a view");
    assert_eq!((view.phase.as_str(), view.revision), ("over", 4));
    let journal = house.store().tail(table, 3).await.expect("a journal");
    assert_eq!(journal[0].kind, EntryKind::Crashed { place: "the game's code".to_owned() });
    // Nobody has moved at the other one yet.
    assert_eq!(house.view(sound, None).await.expect("a view").phase, "playing");
}

#[tokio::test]
async fn l0_options_that_make_a_game_panic_are_refused() {
    let house = House::with(&Location::Memory, games().with(Changed { panics: true })).await;
    let opened = house.open(tally(TableId::new(), 2, &two())).await;
    assert_eq!(code(&opened), Some(Code::InvalidArgument));
}

/// Tally that says it is version 1 and counts like version 2, or breaks at each move.
struct Changed {
    panics: bool,
}

mod changed {
    use super::{Changed, Tally};
    use crate::tally::{Data, Move, Notes, Options, View};
    use astragal_rules::chance::Chance;
    use astragal_rules::error::{IllegalMove, InvalidGame};
    use astragal_rules::game::{About, Game, Judge, Made, Next, Table, Viewer};
    use astragal_rules::seat::Seat;
    use astragal_rules::state::State;

    const TWO: Tally = Tally { version: 2 };

    fn table(of: &Table<Changed>) -> Table<Tally> {
        Table { seats: of.seats, first_seat: of.first_seat, options: of.options.clone() }
    }

    fn state(of: &State<Changed>) -> State<Tally> {
        State {
            table: of.table,
            number: of.number,
            turn: of.turn.clone(),
            data: of.data.clone(),
            outcome: of.outcome.clone(),
        }
    }

    fn next(of: Next<Tally>) -> Next<Changed> {
        Next { turn: of.turn, data: of.data, ending: of.ending }
    }

    impl Game for Changed {
        type Options = Options;
        type Data = Data;
        type Move = Move;
        type View = View;
        type Notes = Notes;

        fn about(&self) -> About {
            About { version: 1, ..TWO.about() }
        }

        fn offer(&self, options: Options) -> Result<Options, InvalidGame> {
            assert!(!self.panics, "a bug of another build");
            Ok(options)
        }

        fn setup(&self, of: &Table<Self>, chance: &mut Chance<'_>) -> Result<Next<Self>, InvalidGame> {
            TWO.setup(&table(of), chance).map(next)
        }

        fn play(
            &self,
            of: &Table<Self>,
            before: &State<Self>,
            actor: Option<Seat>,
            action: &Move,
            chance: &mut Chance<'_>,
            judge: &dyn Judge,
        ) -> Result<Next<Self>, IllegalMove> {
            assert!(!self.panics, "a bug of another build");
            TWO.play(&table(of), &state(before), actor, action, chance, judge).map(next)
        }

        fn legal_moves(&self, _: &Table<Self>, _: &State<Self>, _: Seat) -> Option<Vec<Move>> {
            None
        }

        fn view(&self, of: &Table<Self>, now: &State<Self>, viewer: Viewer) -> View {
            TWO.view(&table(of), &state(now), viewer)
        }

        fn notes(&self, of: &Table<Self>, made: &Made<'_, Self>, viewer: Viewer) -> Notes {
            let (before, after) = (state(made.before), state(made.after));
            let made = Made { before: &before, actor: made.actor, action: made.action, after: &after };
            TWO.notes(&table(of), &made, viewer)
        }

        fn scores(&self, of: &Table<Self>, now: &State<Self>) -> Vec<i32> {
            TWO.scores(&table(of), &state(now))
        }
    }
}
