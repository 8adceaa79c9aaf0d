-- Draws of tournaments, how games ended, and draws that stand although their game was given up.

-- Which words there are for the origin and the status of a game is the program's business. SQLite can't take
-- a check away, so the tables are written anew, first the one that the others refer to.
CREATE TABLE games_anew (
    game_id    BLOB    NOT NULL PRIMARY KEY CHECK (length(game_id) = 16),
    game       TEXT    NOT NULL,
    version    INTEGER NOT NULL,
    variant    TEXT    NOT NULL,
    options    TEXT    NOT NULL,
    seats      INTEGER NOT NULL CHECK (seats BETWEEN 2 AND 4),
    kind_hash  BLOB    NOT NULL CHECK (length(kind_hash) = 32),
    origin     TEXT    NOT NULL,
    status     TEXT    NOT NULL,
    opener     BLOB    NOT NULL REFERENCES accounts,
    first_seat INTEGER NOT NULL,
    series_id  BLOB    NOT NULL CHECK (length(series_id) = 16),
    change     INTEGER NOT NULL DEFAULT 1,
    settled    INTEGER NOT NULL DEFAULT 0 CHECK (settled <= change),
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    time_control TEXT  NULL,
    -- As the engine said when it was asked; empty while the game goes on, or nobody has asked.
    end_reason TEXT    NULL,
    ended_at   INTEGER NULL
) STRICT, WITHOUT ROWID;

INSERT INTO games_anew
SELECT game_id, game, version, variant, options, seats, kind_hash, origin, status, opener, first_seat,
       series_id, change, settled, created_at, changed_at, time_control, NULL, NULL
FROM games;

CREATE TABLE game_players_anew (
    game_id     BLOB    NOT NULL REFERENCES games_anew ON DELETE CASCADE,
    seat        INTEGER NOT NULL CHECK (seat BETWEEN 0 AND 3),
    participant INTEGER NOT NULL CHECK (participant BETWEEN 0 AND 3),
    account_id  BLOB    NULL REFERENCES accounts,
    robot_level INTEGER NOT NULL DEFAULT 0,
    change      INTEGER NULL CHECK ((change IS NULL) = (account_id IS NULL)),
    PRIMARY KEY (game_id, seat),
    UNIQUE (game_id, participant)
) STRICT, WITHOUT ROWID;

INSERT INTO game_players_anew
SELECT game_id, seat, participant, account_id, robot_level, change FROM game_players;

CREATE TABLE game_setup_draws_anew (
    game_id        BLOB    NOT NULL REFERENCES games_anew ON DELETE CASCADE,
    round          INTEGER NOT NULL CHECK (round >= 1),
    pick_no        INTEGER NOT NULL CHECK (pick_no >= 1),
    account_id     BLOB    NULL REFERENCES accounts,
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
    -- The game for which the pick was drawn, where it was copied from there.
    reused_from    BLOB    NULL CHECK (reused_from IS NULL OR length(reused_from) = 16),
    PRIMARY KEY (game_id, round, pick_no)
) STRICT, WITHOUT ROWID;

INSERT INTO game_setup_draws_anew
SELECT game_id, round, pick_no, account_id, seat, letter, is_blank, rank, tile_set, source, recorded_by,
       entropy_sha256, entropy, created_at, NULL
FROM game_setup_draws;

CREATE TABLE requests_anew (
    account_id   BLOB    NOT NULL REFERENCES accounts,
    request_id   BLOB    NOT NULL CHECK (length(request_id) = 16),
    request_hash BLOB    NOT NULL CHECK (length(request_hash) = 32),
    game_id      BLOB    NOT NULL REFERENCES games_anew ON DELETE CASCADE,
    created_at   INTEGER NOT NULL,
    PRIMARY KEY (account_id, request_id)
) STRICT, WITHOUT ROWID;

INSERT INTO requests_anew SELECT account_id, request_id, request_hash, game_id, created_at FROM requests;

DROP TABLE requests;
DROP TABLE game_setup_draws;
DROP TABLE game_players;
DROP TABLE games;

ALTER TABLE games_anew RENAME TO games;
ALTER TABLE game_players_anew RENAME TO game_players;
ALTER TABLE game_setup_draws_anew RENAME TO game_setup_draws;
ALTER TABLE requests_anew RENAME TO requests;

CREATE INDEX games_waiting_by_kind ON games (kind_hash, game_id) WHERE status = 'waiting' AND origin = 'auto';
CREATE INDEX games_waiting_by_age ON games (created_at, game_id) WHERE status = 'waiting';
CREATE INDEX games_waiting_by_opener ON games (opener) WHERE status = 'waiting';
CREATE INDEX games_unsettled ON games (game_id) WHERE settled < change;
CREATE UNIQUE INDEX game_players_person ON game_players (account_id, game_id)
    WHERE account_id IS NOT NULL AND robot_level = 0;
CREATE INDEX requests_by_age ON requests (created_at);

-- A draw that is drawn tile by tile, under the id of the game that is created from it later. Whoever changes
-- it counts `change` on, and only from the number that they have read.
CREATE TABLE draws (
    game_id    BLOB    NOT NULL PRIMARY KEY,
    game       TEXT    NOT NULL,
    variant    TEXT    NOT NULL,
    tile_set   TEXT    NOT NULL,
    balanced   INTEGER NOT NULL,
    status     TEXT    NOT NULL CHECK (status IN ('open', 'closed', 'cancelled')),
    change     INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- In the order of asking. `firsts` is what the ledger said, if it was asked.
CREATE TABLE draw_participants (
    game_id     BLOB    NOT NULL REFERENCES draws ON DELETE CASCADE,
    participant INTEGER NOT NULL CHECK (participant BETWEEN 0 AND 3),
    account_id  BLOB    NOT NULL REFERENCES accounts,
    robot_level INTEGER NOT NULL,
    contends    INTEGER NOT NULL,
    firsts      INTEGER NULL,
    PRIMARY KEY (game_id, participant),
    UNIQUE (game_id, account_id)
) STRICT, WITHOUT ROWID;

-- What lies ready for each pick from the beginning of its round. Its digest is shown at once, the bytes when
-- the draw is over.
CREATE TABLE draw_entropy (
    game_id     BLOB    NOT NULL REFERENCES draws ON DELETE CASCADE,
    round       INTEGER NOT NULL CHECK (round >= 1),
    participant INTEGER NOT NULL,
    entropy     BLOB    NOT NULL CHECK (length(entropy) = 32),
    PRIMARY KEY (game_id, round, participant)
) STRICT, WITHOUT ROWID;

-- One row a pick; rows are appended and never changed. The game gets copies in game_setup_draws.
CREATE TABLE draw_picks (
    game_id     BLOB    NOT NULL REFERENCES draws ON DELETE CASCADE,
    round       INTEGER NOT NULL CHECK (round >= 1),
    pick_no     INTEGER NOT NULL CHECK (pick_no >= 1),
    participant INTEGER NOT NULL,
    letter      TEXT    NOT NULL,
    is_blank    INTEGER NOT NULL CHECK (is_blank IN (0, 1) AND (is_blank = 0 OR letter = '')),
    rank        INTEGER NOT NULL CHECK (rank >= -1),
    recorded_by BLOB    NULL REFERENCES accounts,
    request_id  BLOB    NULL,
    drawn_at    INTEGER NOT NULL,
    PRIMARY KEY (game_id, round, pick_no),
    UNIQUE (game_id, round, participant)
) STRICT, WITHOUT ROWID;

-- What was asked about draws, so that a repetition is answered the same.
CREATE TABLE draw_requests (
    request_id   BLOB    NOT NULL PRIMARY KEY,
    request_hash BLOB    NOT NULL CHECK (length(request_hash) = 32),
    game_id      BLOB    NOT NULL REFERENCES draws ON DELETE CASCADE,
    created_at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX draw_requests_by_age ON draw_requests (created_at);
