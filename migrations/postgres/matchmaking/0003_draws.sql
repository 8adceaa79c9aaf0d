-- Draws of tournaments, how games ended, and draws that stand although their game was given up.

-- Which words there are is the program's business.
ALTER TABLE games DROP CONSTRAINT games_origin_check;
ALTER TABLE games DROP CONSTRAINT games_status_check;

-- As the engine said when it was asked; empty while the game goes on, or nobody has asked.
ALTER TABLE games ADD COLUMN end_reason text;
ALTER TABLE games ADD COLUMN ended_at timestamptz;

-- The game for which the pick was drawn, where it was copied from there.
ALTER TABLE game_setup_draws ADD COLUMN reused_from uuid;

-- A draw that is drawn tile by tile, under the id of the game that is created from it later. Whoever changes
-- it counts `change` on, and only from the number that they have read.
CREATE TABLE draws (
    game_id    uuid        NOT NULL PRIMARY KEY,
    game       text        NOT NULL,
    variant    text        NOT NULL,
    tile_set   text        NOT NULL,
    balanced   boolean     NOT NULL,
    status     text        NOT NULL CHECK (status IN ('open', 'closed', 'cancelled')),
    change     integer     NOT NULL,
    created_at timestamptz NOT NULL
);

-- In the order of asking. `firsts` is what the ledger said, if it was asked.
CREATE TABLE draw_participants (
    game_id     uuid     NOT NULL REFERENCES draws ON DELETE CASCADE,
    participant smallint NOT NULL CHECK (participant BETWEEN 0 AND 3),
    account_id  uuid     NOT NULL REFERENCES accounts,
    robot_level smallint NOT NULL,
    contends    boolean  NOT NULL,
    firsts      integer  NULL,
    PRIMARY KEY (game_id, participant),
    UNIQUE (game_id, account_id)
);

-- What lies ready for each pick from the beginning of its round. Its digest is shown at once, the bytes when
-- the draw is over.
CREATE TABLE draw_entropy (
    game_id     uuid     NOT NULL REFERENCES draws ON DELETE CASCADE,
    round       integer  NOT NULL CHECK (round >= 1),
    participant smallint NOT NULL,
    entropy     bytea    NOT NULL CHECK (octet_length(entropy) = 32),
    PRIMARY KEY (game_id, round, participant)
);

-- One row a pick; rows are appended and never changed. The game gets copies in game_setup_draws.
CREATE TABLE draw_picks (
    game_id     uuid        NOT NULL REFERENCES draws ON DELETE CASCADE,
    round       integer     NOT NULL CHECK (round >= 1),
    pick_no     integer     NOT NULL CHECK (pick_no >= 1),
    participant smallint    NOT NULL,
    letter      text        NOT NULL,
    is_blank    boolean     NOT NULL CHECK (NOT is_blank OR letter = ''),
    rank        smallint    NOT NULL CHECK (rank >= -1),
    recorded_by uuid        NULL REFERENCES accounts,
    request_id  uuid        NULL,
    drawn_at    timestamptz NOT NULL,
    PRIMARY KEY (game_id, round, pick_no),
    UNIQUE (game_id, round, participant)
);

-- What was asked about draws, so that a repetition is answered the same.
CREATE TABLE draw_requests (
    request_id   uuid        NOT NULL PRIMARY KEY,
    request_hash bytea       NOT NULL CHECK (octet_length(request_hash) = 32),
    game_id      uuid        NOT NULL REFERENCES draws ON DELETE CASCADE,
    created_at   timestamptz NOT NULL
);

CREATE INDEX draw_requests_by_age ON draw_requests (created_at);
