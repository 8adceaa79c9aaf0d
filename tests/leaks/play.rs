//! One game after the other in both worlds, and the comparison of what everybody was sent.

use crate::stage::SPECTATOR;
use crate::subjects::Subject;
use crate::toys::random::Whim;
use crate::twins::{TwinStep, Twins};
use crate::world::{Robot, Wanted, World, registry};
use anyhow::{Context, Result, anyhow, bail, ensure};
use astragal_proto::gateway::v1::Unwatch;
use astragal_proto::gateway::v1::client_frame::Operation;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_rules::log::Opening;
use astragal_rules::seat::Seat;
use astragal_rules::seed::Seed;
use astragal_tests::ask;
use astragal_tests::client::{Answer, Client, Wire};
use astragal_tests::http::Http;
use futures::future::try_join_all;
use serde_json::Value;
use uuid::Uuid;

/// Moves of one game.
const MOVES_MAX: usize = 6;
/// In one game of so many all look at the whole table again, one reconnects, and a stranger loads the page.
const LOOKS_AGAIN: usize = 3;

/// What was compared.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tally {
    /// Moves that were not the same in both worlds.
    pub(crate) differing: u32,
    /// Frames of those who must not know.
    pub(crate) frames: u32,
    /// Moves of robots.
    pub(crate) robots: u32,
    /// Verdicts on challenges.
    pub(crate) verdicts: u32,
    /// Moves against the clock.
    pub(crate) timed: u32,
}

/// Two worlds, and who compares them.
pub(crate) struct Oracle {
    worlds: [World; 2],
    whim: Whim,
    ids: u128,
    pub(crate) tally: Tally,
}

/// A game that is played in both worlds.
struct Game<'s> {
    subject: &'s dyn Subject,
    twins: Twins,
    id: String,
    seats: usize,
    revision: u32,
    robot: Option<Robot>,
    timed: bool,
    /// Who has made the last move, and might take it back.
    last: Option<usize>,
}

impl Oracle {
    /// Oracles of different numbers play different games.
    pub(crate) async fn begin(number: u8) -> Result<Self> {
        let worlds = [World::begin().await?, World::begin().await?];
        Ok(Self {
            worlds,
            whim: Whim::new(number.into()),
            ids: Uuid::max().as_u128() >> 1,
            tally: Tally::default(),
        })
    }

    pub(crate) async fn end(self) {
        let [one, other] = self.worlds;
        tokio::join!(one.end(), other.end());
    }

    /// One game, up to some moves or as far as nothing is shown.
    pub(crate) async fn play(&mut self, subject: &dyn Subject) -> Result<()> {
        let mut game = self.open(subject).await?;
        for _ in 0..MOVES_MAX {
            if self.whim.once_in(3) {
                self.refuse(&game).await?;
            }
            let Some(step) = game.twins.step(subject, &mut self.whim)? else { break };
            self.tally.differing += u32::from(step.actions[0] != step.actions[1]);
            self.make(&mut game, &step).await?;
        }
        if self.whim.once_in(LOOKS_AGAIN) {
            self.look_again(&game).await?;
            self.come_again(&game).await?;
        }
        self.leave(&game).await
    }

    fn id(&mut self) -> String {
        self.ids -= 1;
        Uuid::from_u128(self.ids).to_string()
    }

    async fn open<'s>(&mut self, subject: &'s dyn Subject) -> Result<Game<'s>> {
        let entropy = self.whim.entropy();
        let (seats, options) = subject.table(&mut self.whim);
        let registry = registry();
        let about = registry.newest(subject.name()).context("a registered game")?;
        let opening = Opening {
            table: self.id().parse()?,
            game: subject.name().to_owned(),
            version: about.about().version,
            seed: Seed::new(entropy),
            seats,
            options: about.options(None, &options.to_string())?,
            first_seat: Seat(self.whim.below(seats.into()) as u8),
        };
        let (id, seats) = (opening.table.to_string(), usize::from(seats));
        // A robot sits behind the first seat, so that a person opens the game.
        let robot = (about.about().robots && self.whim.once_in(3)).then(|| Robot {
            seat: Seat(((opening.first_seat.index() + 1) % seats) as u8),
            level: 1 + self.whim.below(5) as u8,
        });
        let odd = match robot {
            Some(robot) => Seat(((robot.seat.index() + 1 + self.whim.below(seats - 1)) % seats) as u8),
            None => Seat(self.whim.below(seats) as u8),
        };
        let timed = self.whim.once_in(2);
        let wanted = Wanted { opening: &opening, entropy, robot, timed };
        let mut revision = 0;
        for world in &mut self.worlds {
            let commitment;
            (commitment, revision) = world.open(&wanted).await?;
            ensure!(commitment == opening.seed.commitment().to_string(), "another seed was drawn");
        }
        let mut twins = Twins::open(opening, odd, robot.map(|robot| (robot, entropy)))?;
        let begun = twins.begin(subject)?;
        self.tally.robots += begun.robots;
        revision += begun.moves();
        let game = Game { subject, twins, id, seats, revision, robot, timed, last: None };
        self.begun(&game).await?;
        self.ask_all(&game, ask::watch(&game.id, None)).await?;
        self.compare(&game, None)?;
        Ok(game)
    }

    /// Waits until robots that need not be waited for have moved.
    async fn begun(&mut self, game: &Game<'_>) -> Result<()> {
        for world in &mut self.worlds {
            let spectator = &mut world.sockets[SPECTATOR][0];
            loop {
                let shown = spectator.done(ask::watch(&game.id, None)).await?;
                let Event::Table(table) = shown else { bail!("a table was expected") };
                if table.revision >= game.revision {
                    break;
                }
            }
            world.sockets.iter_mut().flatten().for_each(|client| drop(client.take_transcript()));
        }
        Ok(())
    }

    /// Asks the same on all sockets of all viewers in both worlds; the answers of the first world.
    async fn ask_all(&mut self, game: &Game<'_>, operation: Operation) -> Result<Vec<Event>> {
        let id = self.id();
        let [one, other] = self.worlds.each_mut().map(|world| {
            let calls = viewers(world, game.seats).map(|client| {
                let (id, operation) = (id.clone(), operation.clone());
                async move {
                    client.send_as(&id, operation).await?;
                    client.answer(&id).await
                }
            });
            try_join_all(calls)
        });
        let (one, other) = tokio::try_join!(one, other)?;
        let done = |answer: Answer| answer.map_err(|refusal| anyhow!("a question was refused: {refusal:?}"));
        other.into_iter().try_for_each(|answer| done(answer).map(drop))?;
        one.into_iter().map(done).collect()
    }

    /// Makes a step, and waits until everybody has been told of it.
    async fn make(&mut self, game: &mut Game<'_>, step: &TwinStep) -> Result<()> {
        let (id, next) = (self.id(), game.revision + 1 + step.followed.moves());
        let tab = self.whim.below(2);
        self.tally.timed += u32::from(game.timed);
        self.tally.robots += step.followed.robots;
        self.tally.verdicts += step.followed.verdicts;
        let steps = self.worlds.iter_mut().zip(&step.actions).map(|(world, action)| {
            let (id, game) = (id.clone(), &*game);
            async move {
                let action: Value = serde_json::from_str(action)?;
                let operation = ask::make_move(&game.id, game.revision, &action);
                let mover = &mut world.sockets[step.seat.index()][tab];
                mover.send_as(&id, operation).await?;
                let answer = mover.answer(&id).await?;
                ensure!(matches!(answer, Ok(Event::Ack(_))), "{action} was answered {answer:?}");
                let told = viewers(world, game.seats).map(|client| {
                    client.event_where(|event| match event {
                        Event::OnGameUpdate(update)
                            if update.game_id == game.id && update.revision == next =>
                        {
                            Some(())
                        }
                        _ => None,
                    })
                });
                try_join_all(told).await?;
                anyhow::Ok(())
            }
        });
        try_join_all(steps).await.with_context(|| format!("{:?}", step.actions))?;
        game.revision = next;
        game.last = Some(step.seat.index());
        self.compare(game, Some((step.seat, tab)))
    }

    /// Moves that can't be made, by those who must not know.
    async fn refuse(&mut self, game: &Game<'_>) -> Result<()> {
        let refused = game.subject.refused();
        let action = &refused[self.whim.below(refused.len())];
        if !game.twins.refuse(action)? {
            return Ok(());
        }
        let revision = game.revision - u32::from(self.whim.once_in(4));
        let operation = match self.whim.below(5) {
            0 => ask::undo(&game.id, game.revision),
            1 => ask::join(&game.id),
            _ => ask::make_move(&game.id, revision, action),
        };
        let id = self.id();
        let odd = game.twins.odd.index();
        for world in &mut self.worlds {
            let others = viewers_but(world, game.seats, [Some(odd), game.last]);
            try_join_all(others.map(|client| {
                let (id, operation) = (id.clone(), operation.clone());
                async move {
                    client.send_as(&id, operation).await?;
                    client.answer(&id).await
                }
            }))
            .await?;
        }
        self.compare(game, None)
    }

    /// The whole table, and all events from the beginning, on every socket.
    async fn look_again(&mut self, game: &Game<'_>) -> Result<()> {
        self.ask_all(game, ask::watch(&game.id, None)).await?;
        self.compare(game, None)?;
        self.ask_all(game, ask::watch(&game.id, Some(0))).await?;
        // The events come after the answer, and before that of the next question.
        self.ask_all(game, ask::ping()).await?;
        self.compare(game, None)
    }

    /// A new connection of somebody who must not know, and what HTTP tells a stranger.
    async fn come_again(&mut self, game: &Game<'_>) -> Result<()> {
        let odd = game.twins.odd.index();
        let who = (odd + 1) % game.seats;
        let mut seen = Vec::new();
        for world in &self.worlds {
            let mut client = world.enter(who, Wire::Json).await?;
            let mut http = Http::connect(&world.url).await?;
            let mut frames = client.take_transcript();
            for path in ["", "/log", "/certificate", "/timeline"] {
                let answer = http.get(&format!("/v1/tables/{}{path}", game.id)).await?;
                frames.push(format!("{path} {} {}", answer.status, answer.text()).into_bytes());
            }
            frames.push(http.get("/v1/tables?state=live").await?.body.to_vec());
            client.close().await?;
            // Ids of hello differ from socket to socket.
            seen.push(frames.into_iter().map(|frame| without_reply(&frame)).collect::<Vec<_>>());
        }
        ensure!(seen[0] == seen[1], "{}", difference(&seen[0], &seen[1]));
        self.tally.frames += seen[0].len() as u32;
        Ok(())
    }

    /// Ends the game. From then on the secrets are everybody's, so nothing is compared.
    async fn leave(&mut self, game: &Game<'_>) -> Result<()> {
        // The last one needs not resign, whether that is a robot or a person.
        let persons =
            (0..game.seats).filter(|seat| game.robot.is_none_or(|robot| robot.seat.index() != *seat));
        let persons: Vec<usize> = persons.skip(usize::from(game.robot.is_none())).collect();
        let ids: Vec<String> = persons.iter().map(|_| self.id()).collect();
        for world in &mut self.worlds {
            for (seat, id) in persons.iter().zip(&ids) {
                let client = &mut world.sockets[*seat][0];
                client.send_as(id, ask::resign(&game.id)).await?;
                let answer = client.answer(id).await?;
                ensure!(answer.is_ok(), "resigning was refused: {answer:?}");
            }
            let ends = viewers(world, game.seats).map(|client| {
                client.event_where(|event| match event {
                    Event::OnGameEnd(end) if end.game_id == game.id => Some(()),
                    _ => None,
                })
            });
            try_join_all(ends).await?;
            // A spectator goes on waiting for a rematch otherwise, and so does who saw a robot in their seat.
            let watched = [Some(SPECTATOR), game.robot.map(|robot| robot.seat.index())];
            let spectators = world.sockets.iter_mut().enumerate();
            let spectators = spectators.filter(|(account, _)| watched.contains(&Some(*account)));
            for spectator in spectators.flat_map(|(_, tabs)| tabs) {
                spectator.done(Operation::Unwatch(Unwatch { game_id: game.id.clone() })).await?;
            }
            world.sockets.iter_mut().flatten().for_each(|client| drop(client.take_transcript()));
        }
        Ok(())
    }

    /// Holds what all but the odd seat were sent in one world against the other. The answer and the event of a
    /// move may come to its own socket in either order.
    fn compare(&mut self, game: &Game<'_>, mover: Option<(Seat, usize)>) -> Result<()> {
        let odd = game.twins.odd.index();
        let [one, other] = &mut self.worlds;
        for (account, (ones, others)) in one.sockets.iter_mut().zip(&mut other.sockets).enumerate() {
            for (tab, (one, other)) in ones.iter_mut().zip(others).enumerate() {
                let (mut one, mut other) = (one.take_transcript(), other.take_transcript());
                if account == odd {
                    continue;
                }
                if mover.is_some_and(|(seat, of)| seat.index() == account && of == tab) {
                    one.sort_unstable();
                    other.sort_unstable();
                }
                ensure!(
                    one == other,
                    "account {account}, tab {tab}, but not seat {odd}, can tell apart {:?}: {}",
                    game.twins.shown()?,
                    difference(&one, &other)
                );
                self.tally.frames += one.len() as u32;
            }
        }
        Ok(())
    }
}

/// All sockets of the seats and of the spectator.
fn viewers(world: &mut World, seats: usize) -> impl Iterator<Item = &mut Client> {
    viewers_but(world, seats, [None; 2])
}

fn viewers_but(
    world: &mut World,
    seats: usize,
    but: [Option<usize>; 2],
) -> impl Iterator<Item = &mut Client> {
    let watches =
        move |account: usize| (account < seats || account == SPECTATOR) && !but.contains(&Some(account));
    let tabs = world.sockets.iter_mut().enumerate();
    tabs.filter(move |(account, _)| watches(*account)).flat_map(|(_, tabs)| tabs)
}

fn without_reply(frame: &[u8]) -> Vec<u8> {
    let Ok(mut frame) = serde_json::from_slice::<Value>(frame) else { return frame.to_vec() };
    if let Some(frame) = frame.as_object_mut() {
        frame.remove("replyTo");
    }
    frame.to_string().into_bytes()
}

/// The first frames that differ.
fn difference(one: &[Vec<u8>], other: &[Vec<u8>]) -> String {
    let text = |frame: Option<&Vec<u8>>| frame.map(|frame| String::from_utf8_lossy(frame).into_owned());
    let at = (0..one.len().max(other.len())).find(|at| one.get(*at) != other.get(*at)).unwrap_or_default();
    format!(
        "frame {at} of {} and {}:\n{:?}\n{:?}",
        one.len(),
        other.len(),
        text(one.get(at)),
        text(other.get(at))
    )
}
