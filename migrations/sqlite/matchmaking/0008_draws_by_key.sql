-- A draw that stands is found by whose it is and what it was drawn for, however many other games there are since: how
-- its account came to it (opened, joined, robots), the game, the number of seats and the tile set. Empty where nothing
-- was drawn.
ALTER TABLE game_players ADD COLUMN drawn_for TEXT NULL;
UPDATE game_players SET drawn_for = (
    SELECT CASE WHEN games.origin = 'robots' THEN 'robots'
                WHEN games.origin <> 'tournament' AND game_players.account_id = games.opener THEN 'opened'
                ELSE 'joined' END || ' ' || games.game || ' ' || games.seats || ' ' || pick.tile_set
    FROM games JOIN game_setup_draws AS pick ON pick.game_id = games.game_id
    WHERE games.game_id = game_players.game_id AND pick.round = 1 AND pick.pick_no = 1);
CREATE INDEX game_players_drawn ON game_players (account_id, drawn_for, game_id)
    WHERE robot_level = 0 AND drawn_for IS NOT NULL;
