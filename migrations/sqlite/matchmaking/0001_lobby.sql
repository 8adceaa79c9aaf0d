-- Accounts, games with their seats, draws, and requests. Ids are 16 bytes, instants are
-- microseconds since 1970, content is canonical JSON text.

CREATE TABLE accounts (
    account_id  BLOB    NOT NULL PRIMARY KEY CHECK (length(account_id) = 16),
    name        TEXT    NOT NULL,
    robot_level INTEGER NOT NULL CHECK (robot_level BETWEEN 0 AND 5),
    created_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Every change of a game (created, seat claimed, cancelled) adds 1 to `change`; `settled` is the
-- last change that the engine has confirmed. Where they differ, somebody has to tell the engine.
CREATE TABLE games (
    game_id    BLOB    NOT NULL PRIMARY KEY CHECK (length(game_id) = 16),
    game       TEXT    NOT NULL,
    version    INTEGER NOT NULL,
    variant    TEXT    NOT NULL,
    options    TEXT    NOT NULL,
    seats      INTEGER NOT NULL CHECK (seats BETWEEN 2 AND 4),
    kind_hash  BLOB    NOT NULL CHECK (length(kind_hash) = 32),
    origin     TEXT    NOT NULL CHECK (origin IN ('auto', 'friends', 'robots')),
    status     TEXT    NOT NULL CHECK (status IN ('waiting', 'full', 'cancelled')),
    opener     BLOB    NOT NULL REFERENCES accounts,
    first_seat INTEGER NOT NULL,
    series_id  BLOB    NOT NULL CHECK (length(series_id) = 16),
    change     INTEGER NOT NULL DEFAULT 1,
    settled    INTEGER NOT NULL DEFAULT 0 CHECK (settled <= change),
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX games_waiting_by_kind ON games (kind_hash, game_id) WHERE status = 'waiting' AND origin = 'auto';
CREATE INDEX games_waiting_by_age ON games (created_at, game_id) WHERE status = 'waiting';
CREATE INDEX games_waiting_by_opener ON games (opener) WHERE status = 'waiting';
CREATE INDEX games_unsettled ON games (game_id) WHERE settled < change;

-- Who sits where. `participant` is the place in the circle of the draw, in the order of asking;
-- `change` is the change of the game by which the seat was taken.
CREATE TABLE game_players (
    game_id     BLOB    NOT NULL REFERENCES games ON DELETE CASCADE,
    seat        INTEGER NOT NULL CHECK (seat BETWEEN 0 AND 3),
    participant INTEGER NOT NULL CHECK (participant BETWEEN 0 AND 3),
    account_id  BLOB    NULL REFERENCES accounts,
    robot_level INTEGER NOT NULL DEFAULT 0,
    change      INTEGER NULL CHECK ((change IS NULL) = (account_id IS NULL)),
    PRIMARY KEY (game_id, seat),
    UNIQUE (game_id, participant)
) STRICT, WITHOUT ROWID;

-- Nobody plays themselves; a robot may sit in several seats.
CREATE UNIQUE INDEX game_players_person ON game_players (account_id, game_id)
    WHERE account_id IS NOT NULL AND robot_level = 0;

-- One row a pick. The account is empty while the seat is: `seat` tells placeholders apart.
CREATE TABLE game_setup_draws (
    game_id        BLOB    NOT NULL REFERENCES games ON DELETE CASCADE,
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
    PRIMARY KEY (game_id, round, pick_no)
) STRICT, WITHOUT ROWID;

-- What an account has asked for, so that a repetition is answered the same.
CREATE TABLE requests (
    account_id   BLOB    NOT NULL REFERENCES accounts,
    request_id   BLOB    NOT NULL CHECK (length(request_id) = 16),
    request_hash BLOB    NOT NULL CHECK (length(request_hash) = 32),
    game_id      BLOB    NOT NULL REFERENCES games ON DELETE CASCADE,
    created_at   INTEGER NOT NULL,
    PRIMARY KEY (account_id, request_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX requests_by_age ON requests (created_at);
