//! What both databases are asked in the same words of draws that stand: which game of an account was drawn last, and
//! whether it waits or was cancelled or aborted.

/// A query for the newest game to whose draw an account came as [`DrawKey::drawn_for`](super::draws::DrawKey) says.
macro_rules! newest_drawn {
    ($account:literal, $drawn_for:literal) => {
        concat!(
            "SELECT game_id FROM game_players WHERE account_id = ",
            $account,
            " AND drawn_for = ",
            $drawn_for,
            " AND robot_level = 0 ORDER BY game_id DESC LIMIT 1"
        )
    };
}

/// Whether the draw of a row of `games`, as `last`, stands: see [`crate::standing`].
macro_rules! stands_since {
    ($since:literal) => {
        concat!(
            "(last.status = 'waiting'
              OR (last.status = 'cancelled' AND last.changed_at >= ",
            $since,
            ") OR (last.end_reason = 'aborted' AND last.ended_at >= ",
            $since,
            "))"
        )
    };
}

pub(super) use {newest_drawn, stands_since};
