//! The lobby: looking for an opponent, games among friends and against robots, joining, cancelling.
//!
//! A change is written first, in one transaction; then the engine is told. An answer that is no
//! error says that both have happened.

use std::sync::Arc;

use astragal_runtime::clock::Clock;
use astragal_runtime::entropy::Entropy;
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::id::{AccountId, RequestId, SeriesId, TableId};
use astragal_runtime::telemetry::span;

use crate::account::asked_level;
use crate::catalogue::{Catalogue, Wish};
use crate::desk::Desk;
use crate::error::LobbyError;
use crate::fresh_draws::{FreshDraws, seated};
use crate::game::{Game, NewGame, Origin, Player, Status};
use crate::kind::Kind;
use crate::metrics::MatchmakingMetrics;
use crate::order::{Done, Order, Wanted};
use crate::request::{Request, cancel_content, game_content, join_content};
use crate::seating::{DrawnPick, draw_seats};
use crate::settings::Settings;
use crate::settler::Settler;
use crate::store::{MatchmakingStore, OpenGames};

/// The most games in one answer.
const LIST_MAX: u32 = 100;
/// More games than an account waits in.
const WAITING_MAX: u32 = 10_000;

/// Who plays whom.
#[derive(Clone)]
pub struct Lobby {
    pub(crate) store: Arc<dyn MatchmakingStore>,
    pub(crate) desk: Desk,
    pub(crate) catalogue: Catalogue,
    pub(crate) settler: Settler,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) settings: Arc<Settings>,
    pub(crate) drawn: FreshDraws,
    pub(crate) metrics: MatchmakingMetrics,
}

/// Who asks, and by which request.
#[derive(Debug, Clone, Copy)]
pub struct Asker {
    /// Who asks.
    pub account: AccountId,
    /// Of their own choosing.
    pub request: RequestId,
}

impl Lobby {
    /// Joins a waiting game of the kind that is wished for, or opens one.
    pub async fn find(&self, asker: Asker, wish: &Wish<'_>) -> Result<Game> {
        let kind = self.catalogue.kind(wish)?;
        let empty = vec![None; usize::from(kind.seats) - 1];
        let (request, proposal) = self.propose(asker, Origin::Auto, kind, empty)?;
        let (proposed, searches_max) = (proposal.id, self.settings.searches_max);
        let wanted = Wanted::FindOrOpen { proposal: Box::new(proposal), searches_max };
        self.carry_out(Order::Asked(request, wanted), Some(proposed)).await
    }

    /// Creates a game among friends. Those who are named are seated at once; seats that are left
    /// are for whoever knows the game's id.
    pub async fn create_for_friends(
        &self,
        asker: Asker,
        wish: &Wish<'_>,
        friends: &[AccountId],
    ) -> Result<Game> {
        let seats = wish.seats.or((!friends.is_empty()).then_some(friends.len() as u32 + 1));
        let kind = self.catalogue.kind(&Wish { seats, ..*wish })?;
        self.check_friends(asker.account, friends, &kind).await?;
        let mut others: Vec<_> = friends.iter().map(|friend| Some(Player::person(*friend))).collect();
        others.resize(usize::from(kind.seats) - 1, None);
        self.create(asker, Origin::Friends, kind, others).await
    }

    /// Creates a game against robots of one level.
    pub async fn create_for_robots(&self, asker: Asker, wish: &Wish<'_>, level: u32) -> Result<Game> {
        let level = asked_level(level)?;
        let kind = self.catalogue.kind(wish)?;
        if !self.catalogue.robots_play(&kind) {
            return Err(Problem::invalid_argument(format!("robots don't play {}", kind.game)));
        }
        let others = vec![Some(Player::robot(level)); usize::from(kind.seats) - 1];
        self.create(asker, Origin::Robots, kind, others).await
    }

    /// Takes a seat in a game that waits.
    pub async fn join(&self, asker: Asker, game: TableId) -> Result<Game> {
        let request = self.request(asker, join_content(game));
        self.carry_out(Order::Asked(request, Wanted::Join(game)), None).await
    }

    /// Cancels a game that waits.
    pub async fn cancel(&self, asker: Asker, game: TableId) -> Result<()> {
        let request = self.request(asker, cancel_content(game));
        self.carry_out(Order::Asked(request, Wanted::Cancel(game)), None).await.map(drop)
    }

    /// Cancels every game that still waits and in which an account sits that is gone: nobody should begin one with it.
    pub async fn end_searches_of(&self, account: AccountId) -> Result<()> {
        let own = OpenGames { game: None, account: Some(account), limit: WAITING_MAX };
        for Game { id: game, .. } in self.store.open_games(&own).await? {
            self.carry_out(Order::End { game, at: self.clock.now() }, None).await?;
        }
        Ok(())
    }

    /// Games that wait for players.
    pub async fn open_games(&self, mut asked: OpenGames) -> Result<Vec<Game>> {
        asked.limit = if asked.limit == 0 { LIST_MAX } else { asked.limit.min(LIST_MAX) };
        Ok(self.store.open_games(&asked).await?)
    }

    /// A game with its draw.
    pub async fn draw(&self, game: TableId) -> Result<(Game, Vec<DrawnPick>)> {
        Ok(self.store.draw(game).await?.ok_or(LobbyError::UnknownGame)?)
    }

    /// The draw of a game that this process has opened lately.
    pub(crate) fn fresh_draw(&self, game: &Game) -> Option<Vec<DrawnPick>> {
        self.drawn.of(game.id).map(|picks| seated(&picks, game))
    }

    async fn create(
        &self,
        asker: Asker,
        origin: Origin,
        kind: Kind,
        others: Vec<Option<Player>>,
    ) -> Result<Game> {
        let (request, game) = self.propose(asker, origin, kind, others)?;
        let Settings { searches_max, invitations_max, .. } = *self.settings;
        let at_most = if game.status() == Status::Full { invitations_max } else { searches_max };
        let (proposed, wanted) = (game.id, Wanted::Create { game: Box::new(game), at_most });
        self.carry_out(Order::Asked(request, wanted), Some(proposed)).await
    }

    /// A game as it would be created now: the draw decides the seats before anyone else is known. Where a draw of the
    /// account stands, that is what is written instead.
    fn propose(
        &self,
        asker: Asker,
        origin: Origin,
        kind: Kind,
        others: Vec<Option<Player>>,
    ) -> Result<(Request, NewGame)> {
        let request = self.request(asker, game_content(origin, &kind, &others));
        let mut circle = vec![Some(Player::person(asker.account))];
        circle.extend(others);
        let tile_set = self.catalogue.draw_set(&kind)?;
        let (seats, picks) = draw_seats(&circle, tile_set, &*self.entropy)?;
        let (id, series) = (TableId::new(), SeriesId::new());
        let opener = asker.account;
        Ok((request, NewGame { id, kind, origin, opener, series, seats, picks, at: request.at }))
    }

    /// Writes a change. If what was proposed is what came of it, a game was opened and its draw counts.
    pub(crate) async fn write(&self, order: Order, proposed: Option<TableId>) -> Result<Done> {
        let mut done = span::part("write").run(self.desk.order(order), span::code_of).await?;
        if proposed == Some(done.game.id) {
            self.drawn.note(done.game.id, std::mem::take(&mut done.drawn));
            self.metrics.opened(done.game.origin);
        }
        Ok(done)
    }

    /// As [`Self::write`], and tells the engine.
    async fn carry_out(&self, order: Order, proposed: Option<TableId>) -> Result<Game> {
        self.settler.settle_all(self.write(order, proposed).await?).await
    }

    fn request(&self, asker: Asker, hash: [u8; 32]) -> Request {
        Request { account: asker.account, id: asker.request, hash, at: self.clock.now() }
    }

    async fn check_friends(&self, opener: AccountId, friends: &[AccountId], kind: &Kind) -> Result<()> {
        if friends.len() >= usize::from(kind.seats) {
            let message = format!("{} friends and you don't fit in {} seats", friends.len(), kind.seats);
            return Err(Problem::invalid_argument(message));
        }
        if friends.contains(&opener) {
            return Err(Problem::invalid_argument("accountIds are the others; leave yourself out"));
        }
        if friends.is_empty() {
            return Ok(());
        }
        let known = self.store.accounts(friends).await?;
        for (place, friend) in friends.iter().enumerate() {
            if friends[..place].contains(friend) {
                return Err(Problem::invalid_argument(format!("accountIds name {friend} twice")));
            }
            match known.iter().find(|account| account.id == *friend && !account.deleted) {
                Some(account) if account.robot_level == 0 => {}
                Some(_) => {
                    return Err(Problem::invalid_argument("a robot is no friend; ask for a robot game"));
                }
                None => return Err(Problem::new(Code::NotFound, format!("there is no account {friend}"))),
            }
        }
        Ok(())
    }
}
