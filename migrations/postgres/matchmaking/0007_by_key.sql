-- Each row of a game looked the game's row up and locked it, and so did each pick and request with the account's. They
-- are written by the statement that writes the game, by whoever has locked the accounts, and neither games nor accounts
-- are ever deleted. Who opens a game and who sits in it is still looked up: friends are named by others.
ALTER TABLE game_players DROP CONSTRAINT game_players_game_id_fkey;
ALTER TABLE game_setup_draws DROP CONSTRAINT game_setup_draws_game_id_fkey;
ALTER TABLE game_setup_draws DROP CONSTRAINT game_setup_draws_account_id_fkey;
ALTER TABLE requests DROP CONSTRAINT requests_account_id_fkey;
ALTER TABLE requests DROP CONSTRAINT requests_game_id_fkey;

-- The ledger of firsts counts the games of robots too.
CREATE INDEX game_players_robot ON game_players (account_id, game_id) WHERE robot_level > 0;
