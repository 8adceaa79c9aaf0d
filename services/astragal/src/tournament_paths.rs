//! What a tournament system may call, with a token of its role: draws, games from them, and what is anyone's to see.

/// Of matchmaking.
pub(crate) const MATCHMAKING: &[&str] = &[
    "/astragal.seeding.v1.SeedingService/",
    "/astragal.matchmaking.v1.MatchmakingService/CreateGame",
    "/astragal.matchmaking.v1.MatchmakingService/GetGame",
    "/astragal.matchmaking.v1.MatchmakingService/WatchGame",
    "/astragal.matchmaking.v1.MatchmakingService/WatchOpenGames",
];

/// Of an engine.
pub(crate) const ENGINE: &[&str] = &["/astragal.engine.v1.EngineService/GetFinishedLog"];
