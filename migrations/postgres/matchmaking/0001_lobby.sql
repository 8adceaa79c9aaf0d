-- Accounts, games with their seats, draws, and requests. Content is canonical JSON, which jsonb would
-- reorder: the bytes count.

CREATE TABLE accounts (
    account_id  uuid        NOT NULL PRIMARY KEY,
    name        text        NOT NULL,
    robot_level smallint    NOT NULL CHECK (robot_level BETWEEN 0 AND 5),
    created_at  timestamptz NOT NULL
);

-- Every change of a game (created, seat claimed, cancelled) adds 1 to `change`; `settled` is the
-- last change that the engine has confirmed. Where they differ, somebody has to tell the engine.
CREATE TABLE games (
    game_id    uuid        NOT NULL PRIMARY KEY,
    game       text        NOT NULL,
    version    integer     NOT NULL,
    variant    text        NOT NULL,
    options    text        NOT NULL,
    seats      smallint    NOT NULL CHECK (seats BETWEEN 2 AND 4),
    kind_hash  bytea       NOT NULL CHECK (octet_length(kind_hash) = 32),
    origin     text        NOT NULL CHECK (origin IN ('auto', 'friends', 'robots')),
    status     text        NOT NULL CHECK (status IN ('waiting', 'full', 'cancelled')),
    opener     uuid        NOT NULL REFERENCES accounts,
    first_seat smallint    NOT NULL,
    series_id  uuid        NOT NULL,
    change     integer     NOT NULL DEFAULT 1,
    settled    integer     NOT NULL DEFAULT 0 CHECK (settled <= change),
    created_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL
);

CREATE INDEX games_waiting_by_kind ON games (kind_hash, game_id) WHERE status = 'waiting' AND origin = 'auto';
CREATE INDEX games_waiting_by_age ON games (created_at, game_id) WHERE status = 'waiting';
CREATE INDEX games_waiting_by_opener ON games (opener) WHERE status = 'waiting';
CREATE INDEX games_unsettled ON games (game_id) WHERE settled < change;

-- Who sits where. `participant` is the place in the circle of the draw, in the order of asking;
-- `change` is the change of the game by which the seat was taken.
CREATE TABLE game_players (
    game_id     uuid     NOT NULL REFERENCES games ON DELETE CASCADE,
    seat        smallint NOT NULL CHECK (seat BETWEEN 0 AND 3),
    participant smallint NOT NULL CHECK (participant BETWEEN 0 AND 3),
    account_id  uuid     NULL REFERENCES accounts,
    robot_level smallint NOT NULL DEFAULT 0,
    change      integer  NULL CHECK ((change IS NULL) = (account_id IS NULL)),
    PRIMARY KEY (game_id, seat),
    UNIQUE (game_id, participant)
);

-- Nobody plays themselves; a robot may sit in several seats.
CREATE UNIQUE INDEX game_players_person ON game_players (account_id, game_id)
    WHERE account_id IS NOT NULL AND robot_level = 0;

-- One row a pick. The account is empty while the seat is: `seat` tells placeholders apart.
CREATE TABLE game_setup_draws (
    game_id        uuid        NOT NULL REFERENCES games ON DELETE CASCADE,
    round          integer     NOT NULL CHECK (round >= 1),
    pick_no        integer     NOT NULL CHECK (pick_no >= 1),
    account_id     uuid        NULL REFERENCES accounts,
    seat           smallint    NOT NULL CHECK (seat BETWEEN 0 AND 3),
    letter         text        NOT NULL,
    is_blank       boolean     NOT NULL CHECK (NOT is_blank OR letter = ''),
    rank           smallint    NOT NULL CHECK (rank >= -1),
    tile_set       text        NOT NULL,
    source         text        NOT NULL CHECK (source IN ('auto', 'recorded')),
    recorded_by    uuid        NULL REFERENCES accounts,
    entropy_sha256 text        NULL CHECK ((entropy_sha256 IS NULL) = (source = 'recorded')),
    entropy        bytea       NULL CHECK (entropy IS NULL OR octet_length(entropy) = 32),
    created_at     timestamptz NOT NULL,
    PRIMARY KEY (game_id, round, pick_no)
);

-- What an account has asked for, so that a repetition is answered the same.
CREATE TABLE requests (
    account_id   uuid        NOT NULL REFERENCES accounts,
    request_id   uuid        NOT NULL,
    request_hash bytea       NOT NULL CHECK (octet_length(request_hash) = 32),
    game_id      uuid        NOT NULL REFERENCES games ON DELETE CASCADE,
    created_at   timestamptz NOT NULL,
    PRIMARY KEY (account_id, request_id)
);

CREATE INDEX requests_by_age ON requests (created_at);

-- Rows that exist to be locked: whoever opens a listed game holds the one that its kind falls to, so
-- that two who look for the same game don't both open one. As many as kinds should be opened at once.
CREATE TABLE kind_locks (
    slot smallint NOT NULL PRIMARY KEY
);

INSERT INTO kind_locks SELECT generate_series(0, 255);
