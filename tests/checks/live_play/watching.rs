//! Spectators: what they find, what they are shown, and what they are refused.

use crate::people;
use anyhow::{Context, Result, bail, ensure};
use astragal_proto::gateway::v1::client_frame::Operation;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_proto::gateway::v1::{Table, Unwatch};
use astragal_tests::ask;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::{Guest, Http};
use astragal_tests::kalah_player::KalahPlayer;
use astragal_tests::server::Server;
use serde::Deserialize;
use std::time::Duration;

const LIVE: &str = "/v1/tables?state=live";
const UNKNOWN: &str = "01936f5e-0000-7000-8000-000000000000";
const LOOK_EVERY: Duration = Duration::from_millis(50);
const PATIENCE: Duration = Duration::from_mins(1);

#[derive(Deserialize)]
struct Listed {
    tables: Vec<Table>,
}

async fn listed(http: &mut Http, path: &str) -> Result<Vec<Table>> {
    Ok(http.get(path).await?.json::<Listed>()?.tables)
}

/// The ids and numbers of viewers of the live list, once it is as it should be.
async fn list_becomes(http: &mut Http, wanted: &[(&str, u32)]) -> Result<()> {
    let mut ticks = tokio::time::interval(LOOK_EVERY);
    let mut seen = Vec::new();
    let look = async {
        loop {
            seen = listed(http, LIVE).await?;
            let found = seen.iter().map(|table| (table.game_id.as_str(), table.viewers.unwrap_or(u32::MAX)));
            if found.eq(wanted.iter().copied()) {
                return anyhow::Ok(());
            }
            ticks.tick().await;
        }
    };
    let came = tokio::time::timeout(PATIENCE, look).await;
    let found = || seen.iter().map(|table| (table.game_id.clone(), table.viewers)).collect::<Vec<_>>();
    came.with_context(|| format!("{wanted:?} was expected, not {:?}", found()))?
}

#[tokio::test]
async fn g5_public_games_are_listed_with_their_viewers_while_they_go_on() -> Result<()> {
    let server = Server::start()?;
    let mut http = Http::connect(server.url()).await?;
    let [mut ada, mut blaise] = people::two(server.url(), Wire::Json).await?;
    let waiting = KalahPlayer::opener(&mut ada, ask::new_game(), 5).await?;
    // Private games and those that wait are nobody else's business.
    let [_, private] = KalahPlayer::pair(&mut ada, &mut blaise, 6).await?;
    list_becomes(&mut http, &[]).await?;

    let open = waiting.id();
    KalahPlayer::joiner(&mut blaise, open, 7).await?;
    list_becomes(&mut http, &[(open, 0)]).await?;
    let mut cleo = people::one(server.url(), Wire::Json).await?;
    let robots = KalahPlayer::against_robot(&mut cleo, 1, 8).await?;
    cleo.done(ask::watch(open, None)).await?;
    cleo.done(ask::watch(private.id(), None)).await?;
    list_becomes(&mut http, &[(robots.id(), 0), (open, 1)]).await?;

    let first = listed(&mut http, &format!("{LIVE}&limit=1")).await?;
    let rest = listed(&mut http, &format!("{LIVE}&limit=100&game=kalah&after={}", robots.id())).await?;
    ensure!(first.len() == 1 && first[0].game_id == robots.id(), "{first:?}");
    ensure!(rest.len() == 1 && rest[0].game_id == open && rest[0].your_seat.is_none(), "{rest:?}");
    ensure!(listed(&mut http, &format!("{LIVE}&game=chess")).await?.is_empty(), "there is no chess");
    for odd in [
        "/v1/tables",
        "/v1/tables?state=over",
        "/v1/tables?state=live&limit=x",
        "/v1/tables?state=live&limit=0",
        "/v1/tables?state=live&after=x",
    ] {
        ensure!(http.get(odd).await?.code()? == "INVALID_ARGUMENT", "{odd}");
    }

    cleo.close().await?;
    list_becomes(&mut http, &[(robots.id(), 0), (open, 0)]).await?;
    ada.done(ask::resign(open)).await?;
    list_becomes(&mut http, &[(robots.id(), 0)]).await
}

/// Plays a few moves of a game, whoever's turn it is.
async fn play_some(players: &mut [KalahPlayer; 2], clients: [&mut Client; 2], moves: u32) -> Result<()> {
    let until = players[0].number + moves;
    let [first, second] = clients;
    while players[0].number < until || players[1].number < until {
        if players[0].is_to_move() && players[0].number == players[1].number {
            players[0].make_move(first).await?;
            players[1].wait(second).await?;
        } else if players[1].is_to_move() && players[0].number == players[1].number {
            players[1].make_move(second).await?;
            players[0].wait(first).await?;
        } else if players[0].number < players[1].number {
            players[0].wait(first).await?;
        } else {
            players[1].wait(second).await?;
        }
    }
    Ok(())
}

/// "Saw racks live, on refresh or on reconnect", "a player's second tab as a spectator saw everything", "hidden names
/// were in the payload": nothing that is a seat's, and nobody's account, reaches who only watches.
#[tokio::test]
async fn g5_a_spectator_sees_what_is_public_live_on_refresh_and_on_reconnect() -> Result<()> {
    let server = Server::start()?;
    let mut http = Http::connect(server.url()).await?;
    let guests = [http.sign_up("Ada").await?, http.sign_up("Blaise").await?];
    let mut ada = Client::enter(server.url(), &guests[0], Wire::Json).await?.0;
    let mut blaise = Client::enter(server.url(), &guests[1], Wire::Json).await?.0;
    let mut players = KalahPlayer::pair(&mut ada, &mut blaise, 5).await?;
    let id = players[0].id().to_owned();

    let (_, spectator) = Client::guest(server.url(), "Cleo", Wire::Json).await?;
    let mut live = Client::enter(server.url(), &spectator, Wire::Json).await?.0;
    live.keep_transcript();
    let Event::Table(shown) = live.done(ask::watch(&id, None)).await? else { bail!("a table was expected") };
    ensure!(shown.your_seat.is_none() && shown.legal_moves.is_none(), "{shown:?}");
    play_some(&mut players, [&mut ada, &mut blaise], 4).await?;
    for _ in 0..4 {
        let update = live.event_where(|event| match event {
            Event::OnGameUpdate(update) => Some(update),
            _ => None,
        });
        ensure!(update.await?.legal_moves.is_none(), "a seat's moves were shown");
    }
    let mut again = Client::enter(server.url(), &spectator, Wire::Json).await?.0;
    again.keep_transcript();
    let Event::Table(refreshed) = again.done(ask::watch(&id, None)).await? else {
        bail!("a table was expected")
    };
    ensure!(
        refreshed.view == Some(astragal_proto::content::Content::from(&players[0].view)),
        "another board"
    );
    let mut back = Client::enter(server.url(), &spectator, Wire::Binary).await?.0;
    back.keep_transcript();
    ensure!(matches!(back.done(ask::watch(&id, Some(0))).await?, Event::Ack(_)), "events were expected");
    for frames in [live.transcript(), again.transcript(), back.transcript()] {
        hides(frames, &guests)?;
    }
    // Another tab of a player is that seat, whatever it asks for.
    let mut tab = Client::enter(server.url(), &guests[1], Wire::Json).await?.0;
    let Event::Table(own) = tab.done(ask::watch(&id, None)).await? else { bail!("a table was expected") };
    ensure!(own.your_seat == Some(players[1].seat), "{own:?}");
    hides(&[http.get(&format!("/v1/tables/{id}")).await?.body.to_vec()], &guests)
}

/// No account and no token is among the bytes.
fn hides(frames: &[Vec<u8>], guests: &[Guest]) -> Result<()> {
    ensure!(!frames.is_empty(), "nothing was kept");
    for guest in guests {
        for secret in [&guest.account_id, &guest.token] {
            let has = |frame: &Vec<u8>| frame.windows(secret.len()).any(|part| part == secret.as_bytes());
            ensure!(!frames.iter().any(has), "{secret} was shown to a stranger");
        }
    }
    Ok(())
}

#[tokio::test]
async fn g5_unknown_private_and_waiting_tables_are_not_shown_to_strangers() -> Result<()> {
    let server = Server::start()?;
    let mut http = Http::connect(server.url()).await?;
    let mut ada = people::one(server.url(), Wire::Json).await?;
    let waiting = KalahPlayer::opener(&mut ada, ask::new_game(), 5).await?;
    let private = KalahPlayer::opener(&mut ada, ask::new_friend_game(), 6).await?;
    let mut cleo = people::one(server.url(), Wire::Json).await?;
    for (id, code) in
        [(UNKNOWN, "NOT_FOUND"), (waiting.id(), "PERMISSION_DENIED"), (private.id(), "PERMISSION_DENIED")]
    {
        for since in [None, Some(0), Some(7)] {
            let refused = cleo.refused(ask::watch(id, since)).await?;
            ensure!(
                refused.code == code && !refused.message.contains("Ada"),
                "{id} since {since:?}: {refused:?}"
            );
        }
        ensure!(http.get(&format!("/v1/tables/{id}")).await?.code()? == code, "{id} over HTTP");
    }
    // What was refused is not watched behind the back of the refusal.
    ada.done(ask::cancel(waiting.id())).await?;
    cleo.done(ask::ping()).await?;
    ensure!(cleo.unread().next().is_none(), "{:?}", cleo.unread().next());
    Ok(())
}

#[tokio::test]
async fn g6_a_thousand_watches_of_one_socket_are_refused_beyond_the_bound() -> Result<()> {
    const WATCHES: usize = 1_000;
    let server = Server::start()?;
    let (mut ada, guest) = Client::guest(server.url(), "Ada", Wire::Json).await?;
    let welcome = Client::enter(server.url(), &guest, Wire::Json).await?.1;
    let bound = welcome.limits.context("limits")?.watches_max as usize;
    let mut tables = Vec::new();
    for _ in 0..=bound {
        tables.push(KalahPlayer::against_robot(&mut ada, 1, 5).await?.id().to_owned());
    }
    let mut cleo = people::one(server.url(), Wire::Json).await?;
    // One's own games don't count.
    let own = KalahPlayer::against_robot(&mut cleo, 1, 6).await?;
    let (watched, beyond) = (&tables[..bound], &tables[bound]);
    for id in watched {
        ensure!(matches!(cleo.done(ask::watch(id, None)).await?, Event::Table(_)), "{id}");
    }
    let mut sent = Vec::new();
    for _ in bound..WATCHES {
        sent.push(cleo.send(ask::watch(beyond, None)).await?);
    }
    for id in sent {
        let Err(refused) = cleo.answer(&id).await? else { bail!("one more than {bound} was watched") };
        ensure!(refused.code == "FAILED_PRECONDITION" && refused.message.contains("unwatch"), "{refused:?}");
    }
    // A watched table is asked for again as often as one likes, and giving one up makes room.
    cleo.done(ask::watch(&watched[0], None)).await?;
    cleo.done(ask::watch(own.id(), None)).await?;
    cleo.done(Operation::Unwatch(Unwatch { game_id: watched[1].clone() })).await?;
    cleo.done(ask::watch(beyond, None)).await?;
    ada.done(ask::resign(beyond)).await?;
    let ended = cleo.event_where(|event| match event {
        Event::OnGameEnd(end) => Some(end.game_id),
        _ => None,
    });
    ensure!(ended.await? == *beyond, "another game ended");
    Ok(())
}
