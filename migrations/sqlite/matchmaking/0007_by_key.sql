-- Each row of a game looked the game's row up, and so did each pick and request with the account's. They are written
-- along with the game, and neither games nor accounts are ever deleted. Who opens a game and who sits in it is still
-- looked up: friends are named by others.
CREATE TABLE players_alone (
    game_id     BLOB    NOT NULL CHECK (length(game_id) = 16),
    seat        INTEGER NOT NULL CHECK (seat BETWEEN 0 AND 3),
    participant INTEGER NOT NULL CHECK (participant BETWEEN 0 AND 3),
    account_id  BLOB    NULL REFERENCES accounts,
    robot_level INTEGER NOT NULL DEFAULT 0,
    change      INTEGER NULL CHECK ((change IS NULL) = (account_id IS NULL)),
    PRIMARY KEY (game_id, seat),
    UNIQUE (game_id, participant)
) STRICT, WITHOUT ROWID;
INSERT INTO players_alone SELECT game_id, seat, participant, account_id, robot_level, change FROM game_players;
DROP TABLE game_players;
ALTER TABLE players_alone RENAME TO game_players;
CREATE UNIQUE INDEX game_players_person ON game_players (account_id, game_id)
    WHERE account_id IS NOT NULL AND robot_level = 0;

CREATE TABLE draws_alone (
    game_id        BLOB    NOT NULL CHECK (length(game_id) = 16),
    round          INTEGER NOT NULL CHECK (round >= 1),
    pick_no        INTEGER NOT NULL CHECK (pick_no >= 1),
    account_id     BLOB    NULL,
    seat           INTEGER NOT NULL CHECK (seat BETWEEN 0 AND 3),
    letter         TEXT    NOT NULL,
    is_blank       INTEGER NOT NULL CHECK (is_blank IN (0, 1) AND (is_blank = 0 OR letter = '')),
    rank           INTEGER NOT NULL CHECK (rank >= -1),
    tile_set       TEXT    NOT NULL,
    source         TEXT    NOT NULL CHECK (source IN ('auto', 'recorded')),
    recorded_by    BLOB    NULL REFERENCES accounts,
    entropy_sha256 TEXT    NULL CHECK ((entropy_sha256 IS NULL) = (source = 'recorded')),
    entropy        BLOB    NULL CHECK (entropy IS NULL OR length(entropy) = 32),
    created_at     INTEGER NOT NULL,
    reused_from    BLOB    NULL CHECK (reused_from IS NULL OR length(reused_from) = 16),
    PRIMARY KEY (game_id, round, pick_no)
) STRICT, WITHOUT ROWID;
INSERT INTO draws_alone
SELECT game_id, round, pick_no, account_id, seat, letter, is_blank, rank, tile_set, source, recorded_by,
       entropy_sha256, entropy, created_at, reused_from
FROM game_setup_draws;
DROP TABLE game_setup_draws;
ALTER TABLE draws_alone RENAME TO game_setup_draws;

CREATE TABLE requests_alone (
    account_id   BLOB    NOT NULL CHECK (length(account_id) = 16),
    request_id   BLOB    NOT NULL CHECK (length(request_id) = 16),
    request_hash BLOB    NOT NULL CHECK (length(request_hash) = 32),
    game_id      BLOB    NOT NULL,
    created_at   INTEGER NOT NULL,
    PRIMARY KEY (account_id, request_id)
) STRICT, WITHOUT ROWID;
INSERT INTO requests_alone SELECT account_id, request_id, request_hash, game_id, created_at FROM requests;
DROP TABLE requests;
ALTER TABLE requests_alone RENAME TO requests;
CREATE INDEX requests_by_age ON requests (created_at);

-- The ledger of firsts counts the games of robots too.
CREATE INDEX game_players_robot ON game_players (account_id, game_id) WHERE robot_level > 0;
