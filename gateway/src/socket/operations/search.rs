//! Looking for opponents: new games, joining, and taking a search back.

use astragal_proto::content::Content;
use astragal_proto::engine::v1::ClockSettings;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_proto::gateway::v1::{
    ClockRequest, MatchRequest, NewBotGame, NewFriendGame, NewGame, SearchCancelled, Searching,
};
use astragal_proto::matchmaking::v1::create_game_request::Kind;
use astragal_proto::matchmaking::v1::{
    CancelGameRequest, CreateGameRequest, FindGameRequest, Friends, GameRequest, JoinGameRequest, Robots,
};
use astragal_proto::seeding::v1::GetDrawResponse;
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::{AccountId, ROBOT_LEVEL_MAX, RequestId, TableId};

use super::super::session::Session;
use super::super::wire::Ending;
use super::rematch::Found;

/// More than any game seats.
const FRIENDS_MAX: usize = 16;

/// What all three kinds of new games ask for.
struct Wanted {
    game: String,
    variant: Option<String>,
    seats: Option<u32>,
    options: Option<Content>,
    clock: Option<ClockRequest>,
    r#match: Option<MatchRequest>,
}

impl Session {
    pub(super) async fn new_game(&mut self, id: &str, wanted: NewGame) -> Result<Event> {
        let NewGame { game, variant, seats, options, clock, r#match } = wanted;
        let game = self.wanted(id, Wanted { game, variant, seats, options, clock, r#match })?;
        let roles = self.gateway.roles();
        let found = roles.answer(roles.matchmaking().find_game(FindGameRequest { game: Some(game) })).await?;
        self.turn_away(&found.game_id, if found.joined { Found::Joined } else { Found::Opened }).await;
        self.note_draw(&found.game_id, found.drawn).await;
        Ok(Event::Searching(Searching { game_id: found.game_id, joined: found.joined }))
    }

    pub(super) async fn new_friend_game(&mut self, id: &str, wanted: NewFriendGame) -> Result<Event> {
        let NewFriendGame { game, variant, seats, options, clock, r#match, account_ids } = wanted;
        let game = self.wanted(id, Wanted { game, variant, seats, options, clock, r#match })?;
        if account_ids.len() > FRIENDS_MAX {
            return Err(Problem::invalid_argument(format!("accountIds may name {FRIENDS_MAX} friends")));
        }
        let friends: Result<Vec<String>> = account_ids
            .iter()
            .map(|friend| AccountId::parse("accountIds", friend).map(|friend| friend.to_string()))
            .collect();
        let friends = friends?;
        let game_id = self.create(game, Kind::Friends(Friends { account_ids: friends })).await?;
        Ok(Event::Searching(Searching { game_id, joined: false }))
    }

    pub(super) async fn new_bot_game(&mut self, id: &str, wanted: NewBotGame) -> Result<Event> {
        let NewBotGame { game, variant, seats, options, clock, r#match, level } = wanted;
        let game = self.wanted(id, Wanted { game, variant, seats, options, clock, r#match })?;
        if !(1..=u32::from(ROBOT_LEVEL_MAX)).contains(&level) {
            return Err(Problem::invalid_argument(format!("level must be 1 to {ROBOT_LEVEL_MAX}")));
        }
        let game_id = self.create(game, Kind::Robots(Robots { level })).await?;
        self.begin_game(TableId::parse("gameId", &game_id)?).await
    }

    pub(super) async fn join_game(&mut self, id: &str, game_id: &str) -> Result<Event> {
        let table = TableId::parse("gameId", game_id)?;
        let request = JoinGameRequest {
            account_id: self.account.to_string(),
            request_id: RequestId::parse("id", id)?.to_string(),
            game_id: table.to_string(),
        };
        let roles = self.gateway.roles();
        let joined = roles.answer(roles.matchmaking().join_game(request)).await?;
        self.turn_away(&joined.game_id, Found::Joined).await;
        self.note_draw(&joined.game_id, joined.drawn).await;
        self.begin_game(table).await
    }

    pub(super) async fn cancel_search(&mut self, id: &str, game_id: &str) -> Result<Event> {
        let table = TableId::parse("gameId", game_id)?;
        let request = CancelGameRequest {
            account_id: self.account.to_string(),
            request_id: RequestId::parse("id", id)?.to_string(),
            game_id: table.to_string(),
        };
        let roles = self.gateway.roles();
        roles.answer(roles.matchmaking().cancel_game(request)).await?;
        Ok(Event::SearchCancelled(SearchCancelled { game_id: table.to_string() }))
    }

    /// Answers a search, and begins its game on this socket. The account's other sockets learn of it by
    /// the bus, which may lose what it carries; the one that asked doesn't depend on that.
    pub(super) async fn searched(
        &mut self,
        id: &str,
        answer: Result<Event>,
    ) -> std::result::Result<(), Ending> {
        let found = match &answer {
            Ok(Event::Searching(searching)) => searching.game_id.parse().ok(),
            _ => None,
        };
        self.answer_or_refuse(id, answer).await?;
        match found {
            Some(table) => self.start(table).await,
            None => Ok(()),
        }
    }

    fn wanted(&self, id: &str, wanted: Wanted) -> Result<GameRequest> {
        let request_id = RequestId::parse("id", id)?;
        let best_of = wanted.r#match.map(|MatchRequest { best_of }| best_of);
        if best_of.is_some_and(|games| ![3, 5, 7].contains(&games)) {
            return Err(Problem::invalid_argument("match.bestOf must be 3, 5 or 7"));
        }
        if wanted.seats == Some(0) {
            return Err(Problem::invalid_argument(
                "seats must be 1 or more; leave it out for the fewest that the game has",
            ));
        }
        Ok(GameRequest {
            account_id: self.account.to_string(),
            request_id: request_id.to_string(),
            game: wanted.game,
            variant: wanted.variant.unwrap_or_default(),
            seats: wanted.seats.unwrap_or_default(),
            options: wanted.options.map(|options| options.as_json().clone()).unwrap_or_default(),
            clock: wanted.clock.map(|ClockRequest { initial, increment, per_move }| ClockSettings {
                initial,
                increment,
                per_move,
            }),
            best_of: best_of.unwrap_or_default(),
        })
    }

    async fn create(&mut self, game: GameRequest, kind: Kind) -> Result<String> {
        let request = CreateGameRequest { game: Some(game), kind: Some(kind) };
        let roles = self.gateway.roles();
        let created = roles.answer(roles.matchmaking().create_game(request)).await?;
        self.turn_away(&created.game_id, Found::Opened).await;
        self.note_draw(&created.game_id, created.drawn).await;
        Ok(created.game_id)
    }

    /// A draw that came with its game needs not be asked for.
    async fn note_draw(&mut self, game_id: &str, drawn: Option<GetDrawResponse>) {
        if let (Ok(table), Some(drawn)) = (game_id.parse(), drawn) {
            self.gateway.composer().draws.note(table, drawn).await;
        }
    }
}
