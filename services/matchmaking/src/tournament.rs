//! Games of tournaments: created from draws that are over, and followed to their end.
//!
//! The draw's id is the game's, so asking twice, also on two processes or after a crash, creates one game.

use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::id::{SeriesId, TableId};

use crate::catalogue::Wish;
use crate::follow::Follower;
use crate::game::{Game, NewGame, Origin};
use crate::kind::Kind;
use crate::lobby::Lobby;
use crate::order::{Done, Order};
use crate::seating::seats_of;
use crate::seeding::Seeding;
use crate::seeding::sheet::Sheet;

/// What a tournament system does with draws that are over; cheap to clone.
#[derive(Clone)]
pub struct Tournament {
    pub(crate) seeding: Seeding,
    pub(crate) lobby: Lobby,
    pub(crate) follower: Follower,
}

impl Tournament {
    /// Creates the game of a draw that is over: the leader sits at seat 0, and the circle is turned.
    pub async fn create(&self, game: TableId, wish: &Wish<'_>) -> Result<Game> {
        let sheet = self.seeding.sheet(game).await?;
        sheet.closed()?;
        let kind = self.kind(&sheet, wish)?;
        // From here on the draw can't be cancelled any more; whoever asks again goes on.
        let (sheet, winner) = self.seeding.close(game).await?;
        let (seats, picks) = seats_of(&sheet, winner);
        let opener = sheet.participants.first().map(|first| first.player.account);
        let opener = opener.ok_or_else(|| Problem::new(Code::Internal, "a draw without participants"))?;
        let (series, at) = (SeriesId::new(), self.lobby.clock.now());
        let new = NewGame { id: game, kind, origin: Origin::Tournament, opener, series, seats, picks, at };
        self.lobby.settler.settle_all(self.write(new).await?).await
    }

    /// Two processes that write the same game at once hinder each other: the second one finds it afterwards.
    async fn write(&self, new: NewGame) -> Result<Done> {
        let (order, proposed) = (Order::Fixed(Box::new(new.clone())), Some(new.id));
        match self.lobby.write(order.clone(), proposed).await {
            Err(Problem { code: Code::Unavailable | Code::Internal, .. }) => {
                self.lobby.write(order, proposed).await
            }
            other => other,
        }
    }

    fn kind(&self, sheet: &Sheet, wish: &Wish<'_>) -> Result<Kind> {
        let participants = sheet.participants.len() as u32;
        if wish.seats.is_some_and(|seats| seats != participants) {
            let why = format!("seats: {participants} took part in the draw; leave the number out");
            return Err(Problem::invalid_argument(why));
        }
        let terms = &sheet.terms;
        let wish = Wish { seats: Some(participants), ..*wish };
        let kind = self.lobby.catalogue.kind(&wish)?;
        if !terms.game.is_empty() && (&terms.game, &terms.variant) != (&kind.game, &kind.variant) {
            let why = format!("the draw was opened for {}, variant {}; play that", terms.game, terms.variant);
            return Err(Problem::invalid_argument(why));
        }
        let has_robots = sheet.participants.iter().any(|one| one.player.is_robot());
        if has_robots && !self.lobby.catalogue.robots_play(&kind) {
            return Err(Problem::invalid_argument(format!("robots don't play {}", kind.game)));
        }
        Ok(kind)
    }
}
