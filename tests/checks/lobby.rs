//! What others do, as far as it shows before a game and beside it: games that open and close, and
//! people who come and go.

use crate::people;
use anyhow::{Result, bail, ensure};
use astragal_proto::gateway::v1::client_frame::Operation;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_proto::gateway::v1::{ClockRequest, NewGame, OnOpenGames, OpenGame, Table, WatchOpenGames};
use astragal_tests::ask;
use astragal_tests::client::{Client, Wire};
use astragal_tests::kalah_player::KalahPlayer;
use astragal_tests::server::Server;
use std::time::Duration;

async fn open_games(client: &mut Client) -> Result<Vec<OpenGame>> {
    let watch = Operation::WatchOpenGames(WatchOpenGames { game: Some("kalah".into()) });
    match client.done(watch).await? {
        Event::OpenGames(open) => Ok(open.games),
        other => bail!("watchOpenGames was answered by {other:?}"),
    }
}

async fn next_change(client: &mut Client) -> Result<OnOpenGames> {
    let change = |event| match event {
        Event::OnOpenGames(change) => Some(change),
        _ => None,
    };
    client.event_where(change).await
}

fn ids(games: &[OpenGame]) -> Vec<&str> {
    games.iter().map(|game| game.game_id.as_str()).collect()
}

#[tokio::test]
async fn d8_the_list_of_open_games_follows_the_searches() -> Result<()> {
    let server = Server::start()?;
    let [mut opener, mut joiner] = people::two(server.url(), Wire::Json).await?;
    let mut watcher = people::one(server.url(), Wire::Binary).await?;
    ensure!(open_games(&mut watcher).await?.is_empty(), "nobody has opened a game");

    // A game among friends is not listed, so the next change is that of the search.
    KalahPlayer::opener(&mut opener, ask::new_friend_game(), 1).await?;
    let first = KalahPlayer::opener(&mut opener, ask::new_game(), 1).await?;
    let change = next_change(&mut watcher).await?;
    ensure!(ids(&change.added) == [first.id()] && change.removed.is_empty(), "{change:?}");
    ensure!(open_games(&mut joiner).await? == change.added, "the list and its change differ");
    let shown = &change.added[0];
    ensure!((shown.seats, shown.seats_empty, shown.names.as_slice()) == (2, 1, &["Ada".into()]), "{shown:?}");

    let found = joiner.done(ask::new_game()).await?;
    ensure!(matches!(&found, Event::Searching(it) if it.joined && it.game_id == first.id()), "{found:?}");
    let change = next_change(&mut watcher).await?;
    ensure!(change.removed == [first.id()] && change.added.is_empty(), "{change:?}");

    let second = KalahPlayer::opener(&mut opener, ask::new_game(), 1).await?;
    ensure!(ids(&next_change(&mut watcher).await?.added) == [second.id()], "the second search isn't shown");
    opener.done(ask::cancel(second.id())).await?;
    ensure!(next_change(&mut watcher).await?.removed == [second.id()], "a cancelled search is still shown");
    ensure!(open_games(&mut watcher).await?.is_empty(), "a search is left over");
    Ok(())
}

#[tokio::test]
async fn g4_a_player_is_away_only_when_no_tab_is_left() -> Result<()> {
    let server = Server::start()?;
    let (_, [mut tab, _other_tab]) = people::with_two_sockets(server.url()).await?;
    let (mut leaver, guest) = Client::guest(server.url(), "Blaise", Wire::Json).await?;
    let mut opponent = people::one(server.url(), Wire::Json).await?;
    KalahPlayer::pair(&mut tab, &mut opponent, 5).await?;
    let [gone, _] = KalahPlayer::pair(&mut leaver, &mut opponent, 6).await?;
    // Whoever goes first is missed first, so the one with a tab left would show before the other.
    tab.close().await?;
    leaver.close().await?;
    let away = next_presence(&mut opponent).await?;
    ensure!(away == (gone.id().to_owned(), gone.seat, false), "{away:?}");
    let (_back, _) = Client::enter(server.url(), &guest, Wire::Json).await?;
    let back = next_presence(&mut opponent).await?;
    ensure!(back == (gone.id().to_owned(), gone.seat, true), "{back:?}");
    Ok(())
}

async fn next_presence(client: &mut Client) -> Result<(String, u32, bool)> {
    let change = |event| match event {
        Event::OnPresence(change) => Some((change.game_id, change.seat, change.online)),
        _ => None,
    };
    client.event_where(change).await
}

fn crossword(seats: u32) -> Operation {
    let clock =
        Some(ClockRequest { initial: Some(Duration::from_mins(10).into()), ..ClockRequest::default() });
    let variant = Some("turkish".into());
    Operation::NewGame(NewGame {
        game: "crossword".into(),
        seats: Some(seats),
        variant,
        clock,
        ..NewGame::default()
    })
}

/// The table of a game, once it is told to this socket and full.
async fn full_table(client: &mut Client, game: &str) -> Result<Table> {
    client
        .event_where(|event| match event {
            Event::OnGameStart(start) => start.table.filter(|table| table.game_id == game),
            _ => None,
        })
        .await?;
    match client.done(ask::watch(game, None)).await? {
        Event::Table(table) => Ok(table),
        odd => bail!("{odd:?}"),
    }
}

#[tokio::test]
async fn d3_d8_three_and_four_seats_fill_one_by_one_and_the_game_begins() -> Result<()> {
    let server = Server::start()?;
    for seats in [3, 4] {
        let mut watcher = people::one(server.url(), Wire::Json).await?;
        let watch = Operation::WatchOpenGames(WatchOpenGames { game: Some("crossword".into()) });
        watcher.done(watch).await?;
        let (mut clients, mut game) = (Vec::new(), String::new());
        for place in 0..seats {
            let mut client = people::one(server.url(), Wire::Json).await?;
            let Event::Searching(found) = client.done(crossword(seats)).await? else { bail!("no search") };
            ensure!(found.joined == (place > 0) && (place == 0 || found.game_id == game), "{found:?}");
            game = found.game_id;
            let change = next_change(&mut watcher).await?;
            let empty = change.added.first().map_or(0, |open| open.seats_empty);
            ensure!(empty == seats - 1 - place, "seat {place} of {seats}: {change:?}");
            ensure!((empty == 0) == (change.removed == [game.clone()]), "{change:?}");
            clients.push(client);
        }
        let mut seats_of = std::collections::BTreeSet::new();
        for client in &mut clients {
            let table = full_table(client, &game).await?;
            ensure!(table.phase != "waiting" && table.variant == "turkish", "{table:?}");
            ensure!(
                table.seats.iter().all(|seat| !seat.empty) && table.seats.len() == seats as usize,
                "{table:?}"
            );
            ensure!(
                (table.first_seat, table.to_move.as_slice()) == (0, &[0][..]) && table.clock.is_some(),
                "{table:?}"
            );
            seats_of.extend(table.your_seat);
        }
        ensure!(seats_of.len() == seats as usize, "two share a seat: {seats_of:?}");
    }
    Ok(())
}

fn blitz() -> Operation {
    let clock =
        Some(ClockRequest { initial: Some(Duration::from_mins(3).into()), ..ClockRequest::default() });
    Operation::NewGame(NewGame { game: "kalah".into(), clock, ..NewGame::default() })
}

async fn search(client: &mut Client, operation: Operation) -> Result<(String, bool)> {
    match client.done(operation).await? {
        Event::Searching(found) => Ok((found.game_id, found.joined)),
        odd => bail!("{odd:?}"),
    }
}

/// A ghost filled a seat (bones #476).
#[tokio::test]
async fn d10_a_search_against_the_clock_rests_while_its_opener_is_offline() -> Result<()> {
    let server = Server::start()?;
    let (mut opener, guest) = Client::guest(server.url(), "Ada", Wire::Json).await?;
    let [mut joiner, mut watcher] = people::two(server.url(), Wire::Json).await?;
    open_games(&mut watcher).await?;
    let (game, _) = search(&mut opener, blitz()).await?;
    ensure!(ids(&next_change(&mut watcher).await?.added) == [game.as_str()]);
    opener.close().await?;
    let change = next_change(&mut watcher).await?;
    ensure!(change.removed == [game.clone()] && change.added.is_empty(), "{change:?}");
    let refusal = joiner.refused(ask::join(&game)).await?;
    ensure!(refusal.code == "FAILED_PRECONDITION", "{refusal:?}");
    let (other, found) = search(&mut joiner, blitz()).await?;
    ensure!(!found && other != game, "somebody who is offline was found");
    ensure!(ids(&next_change(&mut watcher).await?.added) == [other.as_str()]);

    let (_back, welcome) = Client::enter(server.url(), &guest, Wire::Json).await?;
    ensure!(welcome.open_games.iter().any(|open| open.game_id == game), "her search is gone: {welcome:?}");
    ensure!(ids(&next_change(&mut watcher).await?.added) == [game.as_str()], "she is back, and not shown");
    let mut late = people::one(server.url(), Wire::Json).await?;
    ensure!(search(&mut late, blitz()).await? == (game, true), "the oldest game was not found");
    Ok(())
}
