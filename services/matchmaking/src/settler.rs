//! Tells the engine what was written, and then everyone whom it concerns.
//!
//! Every call to the engine may be repeated, so settling a game twice, or on two replicas at once,
//! does no harm; who notes the engine's confirmation first is the one who tells the news.

mod elsewhere;
mod teller;

use std::sync::Arc;

use astragal_proto::engine::v1::{CancelTableRequest, OpenTableRequest, SeatPlayerRequest};
use astragal_runtime::bus::Bus;
use astragal_runtime::channel::RoleChannel;
use astragal_runtime::clock::Clock;
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::fault::{self, Point};
use astragal_runtime::telemetry::span;
use astragal_runtime::time_control::TimeControl;
use bytes::Bytes;

use self::elsewhere::Elsewhere;
use self::teller::Teller;
use crate::desk::{Desk, Noted};
use crate::engine::{answer, engine_of, occupant};
use crate::game::{CREATED, Game, Origin, Player, Status};
use crate::next_games::Following;
use crate::order::{Confirmation, Done};
use crate::store::MatchmakingStore;

/// Brings the engine, and everyone's knowledge, up to what the database says. Cheap to clone.
#[derive(Clone)]
pub struct Settler(Arc<Inner>);

struct Inner {
    store: Arc<dyn MatchmakingStore>,
    desk: Desk,
    engine: RoleChannel,
    clock: Arc<dyn Clock>,
    teller: Teller,
    elsewhere: Elsewhere,
}

impl Settler {
    pub(crate) fn new(
        store: Arc<dyn MatchmakingStore>,
        desk: Desk,
        engine: RoleChannel,
        bus: Bus,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let (teller, elsewhere) = (Teller::new(bus), Elsewhere::default());
        Self(Arc::new(Inner { store, desk, engine, clock, teller, elsewhere }))
    }

    /// Says who offers rematches, or that nobody does.
    pub(crate) fn offer_rematches(&self, rematch: Option<RoleChannel>) {
        self.0.elsewhere.set(rematch);
    }

    /// Tells the engine all about a game that it doesn't know yet, and then everyone. Goes on to the
    /// end even if the caller goes away. That it is done is noted later, along with other changes.
    pub async fn settle(&self, game: &Game) -> Result<()> {
        self.settle_and_note(game, None).await.map(drop)
    }

    /// As [`Self::settle`], a game of which it is at hand what it follows.
    pub async fn settle_next(&self, game: &Game, following: Following) -> Result<()> {
        self.settle_and_note(game, Some(following)).await.map(drop)
    }

    /// As [`Self::settle`], the game that an order is about. Nobody waits for the searches that are over with it.
    pub async fn settle_all(&self, done: Done) -> Result<Game> {
        for ended in done.ended {
            self.settle_beside(ended);
        }
        self.settle(&done.game).await?;
        Ok(done.game)
    }

    /// As [`Self::settle`], without anyone waiting for it. What fails is left to the sweeper.
    fn settle_beside(&self, game: Game) {
        let settler = self.clone();
        tokio::spawn(async move {
            if let Err(problem) = settler.settle(&game).await {
                tracing::warn!(game = %game.id, %problem, "a game could not be settled; a sweep does it");
            }
        });
    }

    /// As [`Self::settle`], and returns once it is noted.
    pub async fn settle_for_good(&self, game: &Game) -> Result<()> {
        match self.settle_and_note(game, None).await? {
            Some(noted) => noted.await.unwrap_or_else(|cause| Err(Problem::internal(&cause))).map(drop),
            None => Ok(()),
        }
    }

    async fn settle_and_note(&self, game: &Game, following: Option<Following>) -> Result<Option<Noted>> {
        if game.settled == game.change {
            return Ok(None);
        }
        let (inner, game) = (self.0.clone(), game.clone());
        let settled = tokio::spawn(span::carried(async move {
            inner.settle(&game, following).await?;
            Ok(inner.desk.note(Confirmation { game: game.id, change: game.change }).ok())
        }));
        settled.await.unwrap_or_else(|cause| Err(Problem::internal(&cause)))
    }
}

impl Inner {
    async fn settle(&self, game: &Game, following: Option<Following>) -> Result<()> {
        let confirmed = self.teller.confirmed(game);
        if confirmed == 0 {
            fault::reach(Point::MatchmakingWritten);
            self.open(game, following).await?;
        }
        if confirmed < game.change {
            fault::reach(Point::MatchmakingClaimed);
            if game.status == Status::Cancelled {
                self.cancel(game).await?;
            } else {
                for (seat, player) in game.taken_after(confirmed.max(CREATED)) {
                    self.seat(game, seat, player).await?;
                }
            }
        }
        fault::reach(Point::MatchmakingConfirmed);
        self.teller.tell(game);
        self.elsewhere.tell(game, confirmed);
        fault::reach(Point::MatchmakingTold);
        Ok(())
    }

    /// A table that is cancelled before it was opened is opened all the same, and then cancelled:
    /// a late call of somebody else's would open it otherwise.
    async fn open(&self, game: &Game, following: Option<Following>) -> Result<()> {
        let later: Vec<_> = game.taken_after(CREATED).collect();
        let from_the_start = game.taken_after(0).filter(|taken| !later.contains(taken));
        let following = match following {
            None if game.origin == Origin::Rematch => self.store.following(game.id).await?,
            known => known,
        };
        let listed = following.as_ref().map_or(game.origin != Origin::Friends, |following| following.listed);
        let follows = following.as_ref().map(|following| following.follows.to_string());
        let request = OpenTableRequest {
            table_id: game.id.to_string(),
            game: game.kind.game.clone(),
            version: game.kind.version,
            variant: game.kind.variant.clone(),
            options: Bytes::from(game.kind.options.clone()),
            seats: game.kind.seats.into(),
            first_seat: game.first_seat.into(),
            occupants: from_the_start.map(|(seat, player)| occupant(seat, player)).collect(),
            series_id: game.series.to_string(),
            series: following.map_or(Bytes::from_static(b"[]"), |following| following.series.into()),
            listed,
            clock: game.kind.clock.map(TimeControl::to_wire),
            best_of: game.kind.best_of.into(),
            follows_table_id: follows.unwrap_or_default(),
        };
        let opened = answer(engine_of(&self.engine, game.id).open_table(request)).await.map(drop);
        if let Err(problem) = &opened
            && problem.is_final()
        {
            tracing::error!(game = %game.id, %problem, "the engine refuses to open this table; the game is cancelled");
            self.store.abandon(game.id, self.clock.now()).await?;
        }
        opened
    }

    async fn seat(&self, game: &Game, seat: u8, player: Player) -> Result<()> {
        let occupant = Some(occupant(seat, player));
        let request = SeatPlayerRequest { table_id: game.id.to_string(), occupant };
        unless_final(game, "seat", answer(engine_of(&self.engine, game.id).seat_player(request)).await)
    }

    async fn cancel(&self, game: &Game) -> Result<()> {
        let request = CancelTableRequest { table_id: game.id.to_string() };
        unless_final(game, "cancel", answer(engine_of(&self.engine, game.id).cancel_table(request)).await)
    }
}

/// A table that has ended otherwise, by a crash say, can't be seated or cancelled any more: that
/// is no reason to ask for ever.
fn unless_final<T>(game: &Game, what: &str, answered: Result<T>) -> Result<()> {
    match answered {
        Err(problem) if problem.is_final() => {
            tracing::error!(game = %game.id, %problem, what, "the engine refuses for good");
            Ok(())
        }
        other => other.map(drop),
    }
}
