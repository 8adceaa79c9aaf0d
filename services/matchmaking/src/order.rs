//! What is asked of the lobby, and what comes of it: many orders, one after the other, over one
//! picture of what the database holds. Pure; whoever paints the picture sees to it that nobody else
//! changes what is in it until the outcome is written.
//!
//! Each order sees what those before it did. One that is refused changes nothing, for nobody.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::{AccountId, RequestId, TableId};
use chrono::Duration;

use crate::error::{LobbyError, Result};
use crate::game::{Game, NewGame, Origin, Player, Status};
use crate::request::Request;
use crate::seating::DrawnPick;
use crate::standing::{Standing, Way};

/// For how long a game counts as an invitation in which friends were seated who did not ask for it.
pub const INVITATION_COUNTS_FOR: Duration = Duration::minutes(10);

/// A change that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// By a person, whose request is known again.
    Asked(Request, Wanted),
    /// Every empty seat of a waiting game goes to robots of one kind.
    Attach {
        /// The game.
        game: TableId,
        /// Who sits down.
        robot: Player,
        /// When.
        at: Timestamp,
    },
    /// A game whose players are all known, under an id that was fixed before. Once it is there, it is what comes of
    /// asking again.
    Fixed(Box<NewGame>),
    /// A game that has waited in vain is cancelled. One that waits no longer stays as it is.
    End {
        /// The game.
        game: TableId,
        /// When.
        at: Timestamp,
    },
}

/// What an order has led to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Done {
    /// The game that it is about.
    pub game: Game,
    /// Other searches of those who have found this game, which are over with it.
    pub ended: Vec<Game>,
    /// The picks that are written with it, if it is opened.
    pub drawn: Vec<DrawnPick>,
}

/// What a person wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// A seat in the oldest waiting game of the proposal's kind that somebody else opened, or else the
    /// proposal.
    FindOrOpen {
        /// What is opened if nobody waits.
        proposal: Box<NewGame>,
        /// In how many games its opener may wait.
        searches_max: u32,
    },
    /// This game.
    Create {
        /// The game.
        game: Box<NewGame>,
        /// In how many games its opener may wait; if nobody is waited for, how many [invitations](Order::invites) may
        /// stand.
        at_most: u32,
    },
    /// The first empty seat of a game in the order of asking.
    Join(TableId),
    /// A waiting game cancelled. Once it is cancelled, asking again changes nothing.
    Cancel(TableId),
}

/// What the engine has confirmed of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Confirmation {
    /// The game.
    pub game: TableId,
    /// The last change that is confirmed.
    pub change: u32,
}

/// What is written together.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    /// One after the other.
    pub orders: Vec<Order>,
    /// Noted first.
    pub confirmed: Vec<Confirmation>,
}

impl Order {
    /// The request, if a person asks.
    pub fn request(&self) -> Option<&Request> {
        match self {
            Self::Asked(request, _) => Some(request),
            Self::Attach { .. } | Self::Fixed(_) | Self::End { .. } => None,
        }
    }

    /// The game that it names.
    pub fn names(&self) -> Option<TableId> {
        match self {
            Self::Asked(_, Wanted::Join(game) | Wanted::Cancel(game))
            | Self::Attach { game, .. }
            | Self::End { game, .. } => Some(*game),
            Self::Fixed(new) => Some(new.id),
            Self::Asked(..) => None,
        }
    }

    /// What may be opened by somebody who asks.
    pub fn opens(&self) -> Option<&NewGame> {
        match self {
            Self::Asked(_, Wanted::FindOrOpen { proposal: new, .. } | Wanted::Create { game: new, .. }) => {
                Some(new)
            }
            _ => None,
        }
    }

    /// Who seats friends without asking them, and since when such games count.
    pub fn invites(&self) -> Option<(AccountId, Timestamp)> {
        let new = self.opens().filter(|new| new.origin == Origin::Friends && new.status() == Status::Full)?;
        Some((new.opener, new.at - INVITATION_COUNTS_FOR))
    }

    /// What is opened if nobody waits for it.
    pub fn seeks(&self) -> Option<&NewGame> {
        match self {
            Self::Asked(_, Wanted::FindOrOpen { proposal, .. }) => Some(proposal),
            _ => None,
        }
    }
}

/// What the database holds of all that some orders are about, and what becomes of it.
#[derive(Debug, Default)]
pub struct Picture<'o> {
    /// Those among the askers who have an account.
    pub people: HashSet<AccountId>,
    /// What known requests asked for, and which game they led to.
    pub requests: HashMap<(AccountId, RequestId), ([u8; 32], TableId)>,
    /// In how many games those among the askers wait who have opened one that waits.
    pub searches: HashMap<AccountId, u32>,
    /// How many invitations of theirs stand, of those among the askers who invite others: see [`Order::invites`].
    pub invitations: HashMap<AccountId, u32>,
    /// The games that are named, those that known requests led to, and as many waiting ones of each
    /// kind that is sought as there are who seek; and the live searches of all who sit in these or ask.
    pub games: BTreeMap<TableId, Game>,
    /// What those among the askers who may open a game drew last: see [`Standing`].
    pub standing: HashMap<AccountId, Vec<Standing>>,
    created: Vec<Cow<'o, NewGame>>,
    /// When a game changed last, and the change that it had in the database.
    touched: BTreeMap<TableId, (Timestamp, u32)>,
    noted: Vec<(&'o Request, TableId)>,
}

/// A game that was there before and has changed.
#[derive(Debug, Clone, Copy)]
pub struct Changed<'p> {
    /// As it is now.
    pub game: &'p Game,
    /// When it changed last.
    pub at: Timestamp,
    /// The change that it had in the database.
    before: u32,
}

impl Changed<'_> {
    /// The seats that were taken, by whom and by which change.
    pub fn taken(&self) -> impl Iterator<Item = (u8, Player, u32)> {
        let taken = |seat: &crate::game::Seat| seat.taken.map(|(player, change)| (seat.seat, player, change));
        self.game.seats.iter().filter_map(taken).filter(|(.., change)| *change > self.before)
    }
}

/// A game that was created, as it is now.
#[derive(Debug, Clone, Copy)]
pub struct Created<'p> {
    /// As it was to be created.
    pub new: &'p NewGame,
    /// As it is now.
    pub game: &'p Game,
    /// When it changed last.
    pub changed_at: Timestamp,
}

impl<'p> Created<'p> {
    /// The picks of its draw, each with who sits in its seat by now.
    pub fn picks(&self) -> impl Iterator<Item = (&'p DrawnPick, Option<Player>)> + use<'p> {
        let game = self.game;
        let sitting = |seat: u8| game.seats.iter().find(|other| other.seat == seat)?.taken;
        self.new.picks.iter().map(move |pick| (pick, sitting(pick.seat).map(|(player, _)| player)))
    }
}

impl<'o> Picture<'o> {
    /// Carries out all orders of a batch; what became of each, in their order.
    pub fn carry_out(&mut self, batch: &'o Batch) -> Vec<Result<Done>> {
        for Confirmation { game, change } in &batch.confirmed {
            if let Some(game) = self.games.get_mut(game) {
                game.settled = game.settled.max(*change);
            }
        }
        batch.orders.iter().map(|order| self.obey(order)).collect()
    }

    fn obey(&mut self, order: &'o Order) -> Result<Done> {
        let game = match order {
            Order::Asked(request, wanted) => self.ask(request, wanted)?,
            Order::Attach { game, robot, at } => self.attach(*game, *robot, *at)?,
            Order::Fixed(new) => match self.games.get(&new.id) {
                Some(there) if there.is_what(new) => there.clone(),
                Some(_) => return Err(LobbyError::DrawUsed),
                None => self.add(Cow::Borrowed(new)),
            },
            Order::End { game, at } => match self.game(*game)?.ended() {
                Some(ended) => self.put(ended, *at),
                None => self.game(*game)?.clone(),
            },
        };
        let ended = self.end_other_searches(&game);
        let opened = self.created.last().filter(|new| new.id == game.id);
        let drawn = opened.map_or_else(Vec::new, |new| new.picks.clone());
        Ok(Done { game, ended, drawn })
    }

    fn ask(&mut self, request: &'o Request, wanted: &'o Wanted) -> Result<Game> {
        if let Some((hash, game)) = self.requests.get(&(request.account, request.id)) {
            return if *hash == request.hash {
                self.game(*game).cloned()
            } else {
                Err(LobbyError::RequestReused)
            };
        }
        if !self.people.contains(&request.account) {
            return Err(LobbyError::UnknownAccount);
        }
        let player = Player::person(request.account);
        let game = match wanted {
            Wanted::FindOrOpen { proposal, searches_max } => match self.oldest_of_kind(proposal) {
                Some(waiting) => self.put(waiting.joined_by(player)?, request.at),
                None => self.create(proposal, *searches_max)?,
            },
            Wanted::Create { game, at_most } => self.create(game, *at_most)?,
            Wanted::Join(game) => self.put(self.game(*game)?.joined_by(player)?, request.at),
            Wanted::Cancel(game) => match self.game(*game)?.cancelled_by(request.account)? {
                Some(cancelled) => self.put(cancelled, request.at),
                None => self.game(*game)?.clone(),
            },
        };
        self.requests.insert((request.account, request.id), (request.hash, game.id));
        self.noted.push((request, game.id));
        Ok(game)
    }

    fn attach(&mut self, game: TableId, robot: Player, at: Timestamp) -> Result<Game> {
        let mut game = self.game(game)?.clone();
        while game.status == Status::Waiting {
            game = self.put(game.joined_by(robot)?, at);
        }
        Ok(game)
    }

    /// Whoever has found a game is not put at another table whose clock runs.
    fn end_other_searches(&mut self, found: &Game) -> Vec<Game> {
        let changed_at = self.touched.get(&found.id).map(|(at, _)| *at);
        let Some(at) = changed_at.filter(|_| found.origin == Origin::Auto && found.status == Status::Full)
        else {
            return Vec::new();
        };
        let others =
            self.games.values().filter(|game| game.is_live_search() && found.seat_of(game.opener).is_some());
        let ended: Vec<_> = others.filter_map(Game::ended).collect();
        ended.into_iter().map(|game| self.put(game, at)).collect()
    }

    fn game(&self, game: TableId) -> Result<&Game> {
        self.games.get(&game).ok_or(LobbyError::UnknownGame)
    }

    /// The oldest listed game of the proposal's kind that waits and in which its opener doesn't sit.
    fn oldest_of_kind(&self, proposal: &NewGame) -> Option<&Game> {
        self.games.values().find(|game| {
            game.status == Status::Waiting
                && game.origin == Origin::Auto
                && !game.away
                && game.seat_of(proposal.opener).is_none()
                && game.kind == proposal.kind
        })
    }

    fn create(&mut self, new: &'o NewGame, at_most: u32) -> Result<Game> {
        if new.status() == Status::Waiting {
            let searches = self.searches.entry(new.opener).or_default();
            if *searches >= at_most {
                return Err(LobbyError::AlreadySearching(*searches));
            }
            *searches += 1;
        } else if new.origin == Origin::Friends {
            let invitations = self.invitations.entry(new.opener).or_default();
            if *invitations >= at_most {
                return Err(LobbyError::TooManyInvitations(*invitations));
            }
            *invitations += 1;
        }
        let new = match self.standing_for(new) {
            Some(standing) => Cow::Owned(standing.repeated_by(new)),
            None => Cow::Borrowed(new),
        };
        self.standing.entry(new.opener).or_default().insert(0, Standing::of(&new));
        Ok(self.add(new))
    }

    /// The draw that stands for the opener of a game.
    fn standing_for(&self, new: &NewGame) -> Option<&Standing> {
        let all = self.standing.get(&new.opener)?;
        Way::counting_for(new).find_map(|way| {
            let newest = all.iter().find(|standing| standing.way == way && standing.is_for(new))?;
            // What waited when it was read may have been joined since, by an order of this batch.
            let is_played = self.games.get(&newest.game).is_some_and(|game| game.status == Status::Full);
            (newest.given_up || !is_played).then_some(newest)
        })
    }

    fn add(&mut self, new: Cow<'o, NewGame>) -> Game {
        let game = Game::from(&*new);
        self.touched.insert(game.id, (new.at, 0));
        self.games.insert(game.id, game.clone());
        self.created.push(new);
        game
    }

    fn put(&mut self, game: Game, at: Timestamp) -> Game {
        if game.status != Status::Waiting
            && let Some(searches) = self.searches.get_mut(&game.opener)
        {
            *searches = searches.saturating_sub(1);
        }
        let (changed_at, _) = self.touched.entry(game.id).or_insert((at, game.change - 1));
        *changed_at = at;
        self.games.insert(game.id, game.clone());
        game
    }

    /// What is to be inserted.
    pub fn created(&self) -> impl Iterator<Item = Created<'_>> {
        self.created.iter().filter_map(|new| {
            let (game, (changed_at, _)) = (self.games.get(&new.id)?, self.touched.get(&new.id)?);
            Some(Created { new, game, changed_at: *changed_at })
        })
    }

    /// What is to be brought up to date, by id.
    pub fn changed(&self) -> impl Iterator<Item = Changed<'_>> {
        let was_there = self.touched.iter().filter(|(_, (_, before))| *before > 0);
        was_there.filter_map(|(id, (at, before))| {
            Some(Changed { game: self.games.get(id)?, at: *at, before: *before })
        })
    }

    /// The requests that were done now, with the game that each led to.
    pub fn noted(&self) -> &[(&'o Request, TableId)] {
        &self.noted
    }
}
