//! Coming back to a game, at the same gateway or at another one.

use crate::journal::Journal;
use anyhow::{Context, Result, bail, ensure};
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_tests::ask;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::{Guest, Http};
use astragal_tests::kalah_player::KalahPlayer;
use astragal_tests::roles::{Plan, Roles};
use std::time::Duration;

/// One engine and two gateways, between which there is no bus: the heads alone bring the news.
const PLAN: Plan = Plan {
    engines: 1,
    matchmakings: 1,
    rematches: 0,
    gateways: 2,
    heads_interval: Duration::from_millis(50),
    database_url: None,
    redis_url: None,
};

struct Pair {
    roles: Roles,
    guests: [Guest; 2],
    clients: [Client; 2],
    players: [KalahPlayer; 2],
}

impl Pair {
    /// Two people at the first gateway.
    async fn seat() -> Result<Self> {
        let roles = Roles::start(&PLAN)?;
        let url = roles.gateways[0].url();
        let mut http = Http::connect(url).await?;
        let guests = [http.sign_up("Ada").await?, http.sign_up("Blaise").await?];
        let mut ada = Client::enter(url, &guests[0], Wire::Json).await?.0;
        let mut blaise = Client::enter(url, &guests[1], Wire::Json).await?.0;
        let players = KalahPlayer::pair(&mut ada, &mut blaise, 5).await?;
        Ok(Self { roles, guests, clients: [ada, blaise], players })
    }

    fn mover(&self) -> usize {
        usize::from(self.players[1].is_to_move())
    }

    /// Another socket of a player, at the other gateway.
    async fn elsewhere(&self, player: usize) -> Result<Client> {
        let url = self.roles.gateways[1].url();
        Ok(Client::enter(url, &self.guests[player], Wire::Json).await?.0)
    }

    async fn play(&mut self, moves: u32) -> Result<()> {
        let until = self.players[1].number + moves;
        let Self { players: [first, second], clients: [ada, blaise], .. } = self;
        tokio::try_join!(follow(first, ada, until), follow(second, blaise, until))?;
        Ok(())
    }
}

async fn follow(player: &mut KalahPlayer, client: &mut Client, until: u32) -> Result<()> {
    while player.number < until {
        if player.is_to_move() {
            player.make_move(client).await?;
        } else {
            player.wait(client).await?;
        }
    }
    Ok(())
}

/// "A resent move was another move": the answer is lost with the socket, and the client sends the move again under
/// its id, at another gateway.
#[tokio::test]
async fn g4_l14_a_move_resent_after_a_lost_answer_is_made_once_at_another_gateway_too() -> Result<()> {
    const ID: &str = "018f2b6a-7c1e-7a4b-9d30-5a1d3c0e4f22";
    let mut pair = Pair::seat().await?;
    let (mover, id, revision) = (pair.mover(), pair.players[0].id().to_owned(), pair.players[1].revision);
    let operation = ask::make_move(&id, revision, &pair.players[mover].pick()?);
    pair.clients[mover].send_as(ID, operation.clone()).await?;
    // The other player sees the move, so it is made; whoever made it has read no answer.
    let other = 1 - mover;
    let Pair { players, clients, .. } = &mut pair;
    while players[other].number < 1 {
        players[other].wait(&mut clients[other]).await?;
    }
    for _ in 0..2 {
        let mut back = pair.elsewhere(mover).await?;
        back.send_as(ID, operation.clone()).await?;
        match back.answer(ID).await? {
            Ok(Event::Ack(ack)) if ack.revision == Some(revision + 1) => {}
            odd => bail!("the move sent again: {odd:?}"),
        }
    }
    let (mut historian, _) = Client::guest(pair.roles.gateways[1].url(), "Clio", Wire::Json).await?;
    let journal = Journal::read(&mut historian, &id, revision + 1).await?;
    ensure!(journal.moves().count() == 1, "the move was made {} times", journal.moves().count());
    Ok(())
}

/// What a watch brings: the revision of its answer, and the revisions of what follows.
async fn watched(client: &mut Client, id: &str, since: u32, until: u32) -> Result<Vec<u32>> {
    match client.done(ask::watch(id, Some(since))).await? {
        Event::Ack(ack) => ensure!(ack.revision == Some(until), "{ack:?}"),
        odd => bail!("since {since}: {odd:?}"),
    }
    // The answer to what is asked afterwards comes after what was missed.
    client.done(ask::ping()).await?;
    let mut revisions = Vec::new();
    while client.unread().next().is_some() {
        match client.event().await? {
            Event::OnGameUpdate(update) => revisions.push(update.revision),
            Event::OnSeatTaken(taken) => revisions.push(taken.revision),
            _ => {}
        }
    }
    Ok(revisions)
}

#[tokio::test]
async fn g4_a_watch_answers_nothing_or_exactly_what_was_missed_at_any_gateway() -> Result<()> {
    let mut pair = Pair::seat().await?;
    pair.play(6).await?;
    let (id, head) = (pair.players[0].id().to_owned(), pair.players[0].revision);
    for gateway in 0..2 {
        let (mut cleo, _) = Client::guest(pair.roles.gateways[gateway].url(), "Cleo", Wire::Json).await?;
        for since in [head, head - 1, head - 4, 0] {
            let missed: Vec<u32> = (since + 1..=head).collect();
            let told = watched(&mut cleo, &id, since, head).await?;
            ensure!(told == missed, "since {since}: {told:?}");
        }
        // A revision that never was: the whole table says how things stand.
        match cleo.done(ask::watch(&id, Some(head + 1))).await? {
            Event::Table(table) => ensure!(table.revision == head, "{table:?}"),
            odd => bail!("{odd:?}"),
        }
    }
    Ok(())
}

/// "A stale revision was dropped silently": both tabs move at once from the same board, and each is answered.
#[tokio::test]
async fn g4_a_stale_revision_is_answered_wherever_it_comes_from() -> Result<()> {
    let mut pair = Pair::seat().await?;
    let (mover, id, revision) = (pair.mover(), pair.players[0].id().to_owned(), pair.players[1].revision);
    let operation = ask::make_move(&id, revision, &pair.players[mover].pick()?);
    let mut tab = pair.elsewhere(mover).await?;
    let (here, there) =
        (pair.clients[mover].send(operation.clone()).await?, tab.send(operation.clone()).await?);
    let answers = [pair.clients[mover].answer(&here).await?, tab.answer(&there).await?];
    let stale: Vec<_> = answers.iter().filter_map(|answer| answer.as_ref().err()).collect();
    ensure!(answers.iter().filter(|answer| answer.is_ok()).count() == 1, "{answers:?}");
    ensure!(stale.len() == 1 && stale[0].code == "CONCURRENT_MOVE", "{stale:?}");
    let undo = tab.refused(ask::undo(&id, revision)).await?;
    ensure!(undo.code == "CONCURRENT_MOVE", "{undo:?}");
    tab.done(ask::undo(&id, revision + 1)).await.context("the undo of what is newest")?;
    Ok(())
}
