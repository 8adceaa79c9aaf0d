//! The conditions that both databases are asked in the same words: which games are searches that may be found, and
//! which are live searches.

/// Whether a row of `games` waits for whoever seeks a game of its kind.
macro_rules! listed_search {
    () => {
        "status = 'waiting' AND origin = 'auto' AND NOT away"
    };
}

/// [`Game::is_live_search`](crate::game::Game::is_live_search), asked of a row of `games`. Of all clocks, the text of
/// those of sudden death alone begins so.
macro_rules! live_search {
    () => {
        r#"status = 'waiting' AND origin = 'auto' AND time_control LIKE '{"initialMs"%'"#
    };
}

pub(super) use {listed_search, live_search};
