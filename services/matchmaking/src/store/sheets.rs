//! Draws tile by tile and ends of games, as every back end must keep them. Part of
//! [`super::conformance`].

use astragal_rules::tile_set::TileSet;
use astragal_runtime::clock::{Clock, Timestamp};
use astragal_runtime::entropy::ScriptedEntropy;
use astragal_runtime::id::{AccountId, RequestId, SeriesId, TableId};
use chrono::Duration;

use super::MatchmakingStore;
use super::alone::Alone;
use super::conformance::Bench;
use super::draws::SheetStep;
use crate::error::LobbyError;
use crate::game::{GameEnd, NewGame, Origin, Player};
use crate::order::Order;
use crate::seating::seats_of;
use crate::seeding::request::DrawRequest;
use crate::seeding::sheet::{Course, Participant, Sheet, SheetStatus, Stamp, Terms};

/// Every check in turn.
pub(super) async fn suite<S: MatchmakingStore>(bench: &Bench<S>) {
    d9_a_draw_is_read_back_as_it_was_written(bench).await;
    d9_of_two_steps_from_the_same_draw_one_is_written(bench).await;
    d9_a_request_is_noted_once(bench).await;
    d9_a_game_is_created_once_from_its_draw(bench).await;
    d14_the_ledger_reads_games_that_began(bench).await;
}

struct Step<'s> {
    before: Option<&'s Sheet>,
    after: &'s Sheet,
    request: Option<&'s DrawRequest>,
}

async fn write<S: MatchmakingStore>(
    bench: &Bench<S>,
    Step { before, after, request }: Step<'_>,
) -> Result<(), LobbyError> {
    bench.store.write_sheet(&SheetStep { before, after, request, at: bench.clock.now() }).await
}

async fn new<S: MatchmakingStore>(bench: &Bench<S>, count: usize) -> Sheet {
    let mut participants = Vec::new();
    for number in 0..count {
        let (player, firsts) =
            (Player::person(bench.person().await), (number % 2 == 0).then_some(number as u32));
        participants.push(Participant { player, contends: number != 1, firsts });
    }
    let tile_set = TileSet::named("turkish").expect("the set");
    let terms = Terms { game: "kalah".into(), variant: "standard".into(), tile_set, balanced: true };
    Sheet::open(TableId::new(), terms, participants, bench.clock.now(), &source()).expect("a draw")
}

fn source() -> ScriptedEntropy {
    ScriptedEntropy::expanded([8; 32])
}

fn next(sheet: &Sheet, request: Option<RequestId>, at: Timestamp) -> Sheet {
    let Ok(Course::Drawing(draw)) = sheet.course() else { panic!("it is over") };
    sheet.drawn(draw.waiting()[0], Stamp { request, at }, &source()).expect("a pick")
}

async fn stored<S: MatchmakingStore>(bench: &Bench<S>, sheet: &Sheet) -> Sheet {
    bench.store.sheet(sheet.id).await.expect("an answer").expect("a draw")
}

pub(super) async fn d9_a_draw_is_read_back_as_it_was_written<S: MatchmakingStore>(bench: &Bench<S>) {
    let mut sheet = new(bench, 4).await;
    write(bench, Step { before: None, after: &sheet, request: None }).await.expect("written");
    assert_eq!(stored(bench, &sheet).await, sheet);
    let arbiter = bench.person().await;
    let stamp = Stamp { request: Some(RequestId::new()), at: bench.clock.now() };
    let noted = sheet.recorded(0, "Ç", arbiter, stamp, &source()).expect("a tile");
    write(bench, Step { before: Some(&sheet), after: &noted, request: None }).await.expect("written");
    assert_eq!(stored(bench, &sheet).await, noted);
    let blank = noted.recorded(2, "", arbiter, stamp, &source()).expect("a tile");
    write(bench, Step { before: Some(&noted), after: &blank, request: None }).await.expect("written");
    sheet = blank;
    while let Ok(Course::Drawing(_)) = sheet.course() {
        let after = next(&sheet, Some(RequestId::new()), bench.clock.now());
        write(bench, Step { before: Some(&sheet), after: &after, request: None }).await.expect("written");
        assert_eq!(stored(bench, &sheet).await, after);
        sheet = after;
    }
    let (closed, _) = sheet.closed().expect("over");
    let closed = closed.expect("it was open");
    write(bench, Step { before: Some(&sheet), after: &closed, request: None }).await.expect("written");
    assert_eq!(stored(bench, &sheet).await, closed);
    assert_eq!(closed.status, SheetStatus::Closed);
    assert!(bench.store.sheet(TableId::new()).await.expect("an answer").is_none());
}

async fn d9_of_two_steps_from_the_same_draw_one_is_written<S: MatchmakingStore>(bench: &Bench<S>) {
    let sheet = new(bench, 3).await;
    write(bench, Step { before: None, after: &sheet, request: None }).await.expect("written");
    let (one, other) =
        (next(&sheet, None, bench.clock.now()), sheet.cancelled().expect("open").expect("open"));
    let steps = tokio::join!(
        write(bench, Step { before: Some(&sheet), after: &one, request: None }),
        write(bench, Step { before: Some(&sheet), after: &other, request: None }),
    );
    let (won, lost) = match steps {
        (Ok(()), Err(lost)) => (one, lost),
        (Err(lost), Ok(())) => (other, lost),
        both => panic!("one of them and not the other: {both:?}"),
    };
    assert!(matches!(lost, LobbyError::DrawChanged), "{lost:?}");
    assert_eq!(stored(bench, &sheet).await, won);
}

async fn d9_a_request_is_noted_once<S: MatchmakingStore>(bench: &Bench<S>) {
    let (sheet, twin) = (new(bench, 2).await, new(bench, 2).await);
    let request = DrawRequest::cancel(RequestId::new(), sheet.id);
    assert_eq!(bench.store.draw_request(request.id).await.expect("an answer"), None);
    write(bench, Step { before: None, after: &sheet, request: Some(&request) }).await.expect("written");
    assert_eq!(
        bench.store.draw_request(request.id).await.expect("an answer"),
        Some((request.hash, sheet.id))
    );
    let again = write(bench, Step { before: None, after: &twin, request: Some(&request) }).await;
    assert!(matches!(again, Err(LobbyError::DrawChanged)), "{again:?}");
    assert!(bench.store.sheet(twin.id).await.expect("an answer").is_none(), "nothing of it is written");

    let later = bench.clock.now() + Duration::hours(1);
    assert!(bench.store.forget_draw_requests(later).await.expect("a count") > 0);
    assert_eq!(bench.store.draw_request(request.id).await.expect("an answer"), None);
}

async fn d9_a_game_is_created_once_from_its_draw<S: MatchmakingStore>(bench: &Bench<S>) {
    let mut sheet = new(bench, 3).await;
    let stamp = Stamp { request: None, at: bench.clock.now() };
    sheet = sheet.recorded(0, "Z", bench.person().await, stamp, &source()).expect("a tile");
    let sheet = sheet.drawn_to_the_end(bench.clock.now(), &source()).expect("over");
    let (_, winner) = sheet.closed().expect("over");
    let (seats, picks) = seats_of(&sheet, winner);
    let template =
        bench.game("from a draw", Origin::Tournament, sheet.participants[0].player.account, &[None, None]);
    let game = NewGame { id: sheet.id, seats, picks, series: SeriesId::new(), ..template };
    let fixed = |game: &NewGame| Order::Fixed(Box::new(game.clone()));
    let created = bench.store.order(fixed(&game)).await.expect("a game");
    assert_eq!((created.id, created.origin, created.change), (sheet.id, Origin::Tournament, 1));
    assert_eq!(bench.picks(sheet.id).await, game.picks, "recorded tiles and drawn ones");
    let again = NewGame { series: SeriesId::new(), ..game.clone() };
    assert_eq!(bench.store.order(fixed(&again)).await.expect("the same game"), created);
    let mut other = game.clone();
    other.kind.options = "{\"other\":1}".into();
    assert!(matches!(bench.store.order(fixed(&other)).await, Err(LobbyError::DrawUsed)));
    let mut turned = game;
    for seat in &mut turned.seats {
        seat.seat = (seat.seat + 1) % 3;
    }
    assert!(matches!(bench.store.order(fixed(&turned)).await, Err(LobbyError::DrawUsed)));
}

async fn d14_the_ledger_reads_games_that_began<S: MatchmakingStore>(bench: &Bench<S>) {
    let (ada, bob) = (bench.person().await, bench.person().await);
    let name = "ledger";
    let mut expected = Vec::new();
    for round in 0..4 {
        let new = bench.game(name, Origin::Friends, ada, &[Some(Player::person(bob))]);
        let game = bench.store.create(&bench.request(ada, [round; 32]), &new, 9).await.expect("a game");
        if round == 2 {
            assert!(bench.store.unended(&[ada], name, 10).await.expect("games").contains(&game.id));
            let end = GameEnd { reason: "aborted".into(), at: bench.clock.now() };
            bench.store.note_end(game.id, &end).await.expect("noted");
            assert!(!bench.store.unended(&[ada, bob], name, 10).await.expect("games").contains(&game.id));
        } else {
            expected.push(game.seat_of(ada) == Some(0));
        }
    }
    // One that waits counts for nobody, nor does one that was cancelled.
    let waiting = bench.game(name, Origin::Friends, ada, &[None]);
    bench.store.create(&bench.request(ada, [9; 32]), &waiting, 3).await.expect("a game");
    let of = |account: AccountId, variant: &'static str| async move {
        let seatings = bench.store.seatings(&[account], name, variant).await.expect("seatings");
        seatings.into_iter().map(|(whose, first)| (whose == account).then_some(first)).collect::<Vec<_>>()
    };
    let adas: Vec<_> = expected.iter().map(|first| Some(*first)).collect();
    let bobs: Vec<_> = expected.iter().map(|first| Some(!*first)).collect();
    assert_eq!((of(ada, "").await, of(bob, "standard").await), (adas, bobs));
    assert!(of(ada, "another").await.is_empty());
    assert_eq!(bench.store.unended(&[ada, bob], name, 2).await.expect("games").len(), 2);
}
