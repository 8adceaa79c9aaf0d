//! The one question that both databases are asked in the same words: which game of an account was drawn last.

/// A query for the newest game in which an account sits and which was drawn from a tile set. An account that looks for
/// its last draw has begun few other games since. Each is looked up by its id, whatever the database knows of sizes.
macro_rules! newest_drawn {
    ($account:literal, $game:literal, $seats:literal, $tile_set:literal) => {
        concat!(
            "SELECT mine.game_id
             FROM (SELECT game_id FROM game_players WHERE account_id = ",
            $account,
            " AND robot_level = 0 ORDER BY game_id DESC LIMIT 64) AS mine
             WHERE (SELECT tile_set FROM game_setup_draws AS first_pick
                    WHERE first_pick.game_id = mine.game_id AND round = 1 AND pick_no = 1) = ",
            $tile_set,
            " AND (SELECT drawn.game FROM games AS drawn WHERE drawn.game_id = mine.game_id) = ",
            $game,
            " AND (SELECT drawn.seats FROM games AS drawn WHERE drawn.game_id = mine.game_id) = ",
            $seats,
            " ORDER BY mine.game_id DESC LIMIT 1"
        )
    };
}

pub(super) use newest_drawn;
