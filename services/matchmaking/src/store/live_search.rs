//! The condition that both databases are asked in the same words: which games are live searches.

/// [`Game::is_live_search`](crate::game::Game::is_live_search), asked of a row of `games`. Of all clocks, the text of
/// those of sudden death alone begins so.
macro_rules! live_search {
    () => {
        r#"status = 'waiting' AND origin = 'auto' AND time_control LIKE '{"initialMs"%'"#
    };
}

pub(super) use live_search;
