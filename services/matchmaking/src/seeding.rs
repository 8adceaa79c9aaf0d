//! Draws tile by tile, for a tournament system: opened, drawn or noted by hand, given up, watched.
//!
//! Whatever happens to a draw is decided by `steps` over what was read, and written only if nobody has changed the
//! draw meanwhile; whoever comes second reads again and decides anew. So any process may go on where another one
//! stopped, and two at once add one pick.

pub mod error;
pub mod ledger;
pub mod request;
pub mod sheet;
mod steps;
pub mod watch;

use std::sync::Arc;

use astragal_proto::seeding::v1::DrawEvent;
use astragal_rules::draw::PARTICIPANTS;
use astragal_rules::said::Quoted;
use astragal_rules::tile_set::TileSet;
use astragal_runtime::bus::{Bus, Message, Topic};
use astragal_runtime::clock::Clock;
use astragal_runtime::entropy::Entropy;
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::id::{AccountId, RequestId, TableId};
use tokio_util::sync::CancellationToken;

use self::ledger::{Ledger, Line};
use self::request::{DrawRequest, DrawWish};
use self::sheet::{Fallen, Participant, Sheet, Stamp, Terms};
use crate::account::{Account, asked_level, robot_asked_for};
use crate::catalogue::Catalogue;
use crate::error::LobbyError;
use crate::game::Player;
use crate::name::{made_up, shown};
use crate::store::MatchmakingStore;
use crate::store::draws::{DrawStore, SheetStep};

/// How often a step is decided anew because somebody else was faster. Each time there is a step less to take.
const ATTEMPTS_MAX: usize = 64;

/// Draws tile by tile; cheap to clone.
#[derive(Clone)]
pub struct Seeding {
    pub(crate) draws: Arc<dyn DrawStore>,
    pub(crate) store: Arc<dyn MatchmakingStore>,
    pub(crate) catalogue: Catalogue,
    pub(crate) ledger: Ledger,
    pub(crate) bus: Bus,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    /// Those who watch are sent away when the process stops.
    pub(crate) stopping: CancellationToken,
}

impl Seeding {
    /// Opens a draw; an automatic one is over at once.
    pub async fn open(&self, request: RequestId, wish: &DrawWish<'_>) -> Result<Sheet> {
        let request = DrawRequest::open(request, wish);
        for _ in 0..ATTEMPTS_MAX {
            if let Some(known) = self.known(&request).await? {
                return Ok(known);
            }
            let terms = self.terms(wish)?;
            let participants = self.participants(wish, &terms).await?;
            let (id, at) = (TableId::new(), self.clock.now());
            let mut sheet = Sheet::open(id, terms, participants, at, &*self.entropy)?;
            if wish.automatic {
                sheet = sheet.drawn_to_the_end(at, &*self.entropy)?;
            }
            if self.write(None, &sheet, Some(&request)).await? {
                return Ok(sheet);
            }
        }
        Err(busy())
    }

    /// Draws the tile of a participant.
    pub async fn draw(&self, request: RequestId, game: TableId, participant: u32) -> Result<(Sheet, Fallen)> {
        let participant = number(participant)?;
        let request = DrawRequest::draw(request, game, participant);
        self.pick(game, &request, |sheet, stamp| Ok(sheet.drawn(participant, stamp, &*self.entropy)?)).await
    }

    /// Notes a tile that a participant drew by hand.
    pub async fn record(
        &self,
        request: RequestId,
        game: TableId,
        participant: u32,
        letter: &str,
        recorded_by: AccountId,
    ) -> Result<(Sheet, Fallen)> {
        let participant = number(participant)?;
        let request = DrawRequest::record(request, game, participant, letter, recorded_by);
        if self.store.accounts(&[recorded_by]).await?.is_empty() {
            let why = format!("recordedBy: there is no account {recorded_by}");
            return Err(Problem::invalid_argument(why));
        }
        let record = |sheet: &Sheet, stamp| {
            Ok(sheet.recorded(participant, letter, recorded_by, stamp, &*self.entropy)?)
        };
        self.pick(game, &request, record).await
    }

    /// The ledger of accounts over the games of a name, which there must be; the variant is empty for all of them.
    pub async fn ledger(&self, accounts: &[AccountId], game: &str, variant: &str) -> Result<Vec<Line>> {
        self.catalogue.variant(game, variant, None)?;
        self.ledger.lines(accounts, game, variant).await
    }

    /// Gives a draw up. Once it is given up, asking again changes nothing.
    pub async fn cancel(&self, request: RequestId, game: TableId) -> Result<()> {
        let request = DrawRequest::cancel(request, game);
        for _ in 0..ATTEMPTS_MAX {
            if self.known(&request).await?.is_some() {
                return Ok(());
            }
            let sheet = self.sheet(game).await?;
            let Some(cancelled) = sheet.cancelled()? else { return Ok(()) };
            if self.write(Some(&sheet), &cancelled, Some(&request)).await? {
                return Ok(());
            }
        }
        Err(busy())
    }

    /// Reserves a draw that is over for the game that is created from it, and says who leads. Asked again, nothing
    /// changes: what comes of the game is the lobby's business.
    pub async fn close(&self, game: TableId) -> Result<(Sheet, u8)> {
        for _ in 0..ATTEMPTS_MAX {
            let sheet = self.sheet(game).await?;
            let (closed, winner) = sheet.closed()?;
            let Some(closed) = closed else { return Ok((sheet, winner)) };
            if self.write(Some(&sheet), &closed, None).await? {
                return Ok((closed, winner));
            }
        }
        Err(busy())
    }

    /// A draw.
    pub async fn sheet(&self, game: TableId) -> Result<Sheet> {
        let found = self.draws.sheet(game).await?;
        found.ok_or_else(|| Problem::not_found("there is no such draw; open one first"))
    }

    /// Signs a robot up, with an account of its own. Its id, and its name if none is asked for, follow from the request,
    /// so asking again finds it.
    pub async fn create_robot(&self, request: RequestId, name: &str, level: u32) -> Result<Account> {
        let robot_level = asked_level(level)?;
        let id = robot_asked_for(request);
        let name = if name.is_empty() { made_up(id.0.as_fields().0) } else { shown(name)? };
        let robot = Account { robot_level, ..Account::person(id, name, self.clock.now()) };
        self.store.add_accounts(std::slice::from_ref(&robot)).await?;
        let there = self.store.accounts(&[id]).await?.pop().ok_or(LobbyError::UnknownAccount)?;
        if (&there.name, there.robot_level) == (&robot.name, robot.robot_level) {
            Ok(there)
        } else {
            Err(LobbyError::RequestReused.into())
        }
    }

    async fn pick(
        &self,
        game: TableId,
        request: &DrawRequest,
        step: impl Fn(&Sheet, Stamp) -> Result<Sheet>,
    ) -> Result<(Sheet, Fallen)> {
        for _ in 0..ATTEMPTS_MAX {
            if let Some(known) = self.known(request).await? {
                return fallen(&known, request);
            }
            let sheet = self.sheet(game).await?;
            let stamp = Stamp { request: Some(request.id), at: self.clock.now() };
            let next = match step(&sheet, stamp) {
                Ok(next) => next,
                // What refuses this request may be its twin, which was written between the two looks.
                Err(refusal) => {
                    let known = self.known(request).await?;
                    return known.map_or(Err(refusal), |known| fallen(&known, request));
                }
            };
            if self.write(Some(&sheet), &next, Some(request)).await? {
                return fallen(&next, request);
            }
        }
        Err(busy())
    }

    /// The draw that a request was about, if it was done already.
    async fn known(&self, request: &DrawRequest) -> Result<Option<Sheet>> {
        match self.draws.draw_request(request.id).await? {
            None => Ok(None),
            Some((hash, game)) if hash == request.hash => self.sheet(game).await.map(Some),
            Some(_) => Err(LobbyError::RequestReused.into()),
        }
    }

    /// Writes a step, and tells those who watch; false: somebody else was faster.
    async fn write(
        &self,
        before: Option<&Sheet>,
        after: &Sheet,
        request: Option<&DrawRequest>,
    ) -> Result<bool> {
        let step = SheetStep { before, after, request, at: self.clock.now() };
        match self.draws.write_sheet(&step).await {
            Ok(()) => {
                let event = DrawEvent { game_id: after.id.to_string() };
                self.bus.publish(Topic::Draw(after.id), &Message::Draw(Arc::new(event)));
                Ok(true)
            }
            Err(LobbyError::DrawChanged) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    fn terms(&self, wish: &DrawWish<'_>) -> Result<Terms> {
        if wish.game.is_empty() && (wish.tile_set.is_empty() || wish.balance) {
            let why = "name the game, whose tiles are drawn and whose ledger is asked, or a tile set";
            return Err(Problem::invalid_argument(why));
        }
        let (variant, of_the_game) = match wish.game {
            "" => (String::new(), None),
            game => {
                // A game of another number of seats could never be created from this draw.
                let seats = u32::try_from(wish.accounts.len()).unwrap_or(u32::MAX);
                let (variant, tile_set) = self.catalogue.variant(game, wish.variant, Some(seats))?;
                (variant, Some(tile_set))
            }
        };
        let tile_set = match wish.tile_set {
            "" => of_the_game,
            name => TileSet::named(name),
        };
        let tile_set = tile_set.ok_or_else(|| {
            let names: Vec<_> = TileSet::all().map(TileSet::name).collect();
            let why =
                format!("tileSet: there is no {}; there is {}", Quoted(wish.tile_set), names.join(", "));
            Problem::invalid_argument(why)
        })?;
        Ok(Terms { game: wish.game.to_owned(), variant, tile_set, balanced: wish.balance })
    }

    async fn participants(&self, wish: &DrawWish<'_>, terms: &Terms) -> Result<Vec<Participant>> {
        let accounts = wish.accounts;
        if !u8::try_from(accounts.len()).is_ok_and(|count| PARTICIPANTS.contains(&count)) {
            let why = format!("accountIds: a draw takes two to four participants, not {}", accounts.len());
            return Err(Problem::invalid_argument(why));
        }
        let known = self.store.accounts(accounts).await?;
        let mut participants = Vec::with_capacity(accounts.len());
        for (place, id) in accounts.iter().enumerate() {
            if accounts[..place].contains(id) {
                return Err(Problem::invalid_argument(format!("accountIds name {id} twice")));
            }
            let found = known.iter().find(|account| account.id == *id && !account.deleted);
            let account =
                found.ok_or_else(|| Problem::new(Code::NotFound, format!("there is no account {id}")))?;
            let player = Player { account: *id, robot_level: account.robot_level };
            participants.push(Participant { player, contends: true, firsts: None });
        }
        if wish.balance {
            let lines = self.ledger.lines(accounts, &terms.game, &terms.variant).await?;
            let fewest = lines.iter().map(|line| line.firsts).min();
            for (participant, line) in participants.iter_mut().zip(lines) {
                participant.contends = Some(line.firsts) == fewest;
                participant.firsts = Some(line.firsts);
            }
        }
        Ok(participants)
    }
}

/// The pick of a request, and the draw as it was right after it, however much has happened since.
fn fallen(sheet: &Sheet, request: &DrawRequest) -> Result<(Sheet, Fallen)> {
    let place = sheet.picks.iter().position(|pick| pick.request == Some(request.id));
    let found = place.and_then(|place| Some((sheet.after(place + 1), sheet.picks.get(place)?.clone())));
    let missing = || Problem::new(Code::Internal, "the pick of this request can't be found; read the draw");
    found.ok_or_else(missing)
}

fn number(participant: u32) -> Result<u8> {
    u8::try_from(participant).map_err(|_| {
        let why = format!("there is no participant {participant} in any draw; they are numbered from 0");
        Problem::invalid_argument(why)
    })
}

fn busy() -> Problem {
    Problem::unavailable("too many change this draw at once; send the request again")
}
