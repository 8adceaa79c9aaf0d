//! The one question that both databases are asked in the same words: which game of an account was drawn last.

/// A query for the newest game in which an account sits and which was drawn from a tile set. An account that looks for
/// its last draw has begun few other games since.
macro_rules! newest_drawn {
    ($account:literal, $game:literal, $seats:literal, $tile_set:literal) => {
        concat!(
            "SELECT mine.game_id
             FROM (SELECT game_id FROM game_players WHERE account_id = ",
            $account,
            " AND robot_level = 0 ORDER BY game_id DESC LIMIT 64) AS mine
             JOIN games AS drawn ON drawn.game_id = mine.game_id
             JOIN game_setup_draws AS first_pick ON first_pick.game_id = mine.game_id
             WHERE first_pick.round = 1 AND first_pick.pick_no = 1 AND first_pick.tile_set = ",
            $tile_set,
            " AND drawn.game = ",
            $game,
            " AND drawn.seats = ",
            $seats,
            " ORDER BY mine.game_id DESC LIMIT 1"
        )
    };
}

pub(super) use newest_drawn;
