-- Tables, who sits at them, everything that happened there, and what the tables themselves have to do.
-- Ids are 16 bytes, instants are microseconds since 1970, content is canonical JSON.

CREATE TABLE tables (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    game TEXT NOT NULL,
    version INTEGER NOT NULL,
    variant TEXT NOT NULL,
    options TEXT NOT NULL,
    seats INTEGER NOT NULL,
    first_seat INTEGER NOT NULL,
    -- Read by src/store/seed_column.rs and by nothing else.
    seed BLOB NOT NULL CHECK (length(seed) = 32),
    commitment TEXT NOT NULL,
    series_id BLOB CHECK (length(series_id) = 16),
    -- The finished games of the series; with this one among them once it has ended.
    series TEXT NOT NULL,
    phase TEXT NOT NULL CHECK (phase IN ('waiting', 'playing', 'over')),
    outcome TEXT,
    opened_at INTEGER NOT NULL,
    ended_at INTEGER,
    CHECK ((phase = 'over') = (outcome IS NOT NULL))
) STRICT;

CREATE INDEX tables_by_series ON tables (series_id) WHERE series_id IS NOT NULL;

-- The opening instant and the end are kept here too, so that one index finds the tables of an account.
CREATE TABLE seats (
    table_id BLOB NOT NULL REFERENCES tables,
    seat INTEGER NOT NULL,
    account_id BLOB NOT NULL CHECK (length(account_id) = 16),
    robot_level INTEGER NOT NULL DEFAULT 0,
    opened_at INTEGER NOT NULL,
    over INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (table_id, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX seats_by_account ON seats (account_id, opened_at DESC, table_id DESC);
CREATE INDEX seats_in_progress ON seats (account_id, opened_at DESC, table_id DESC) WHERE over = 0;

-- The append is the lock: two replicas can't both write a revision of a table. Nothing else is unique
-- here, since each further index costs a page per move: whoever appends has folded all entries before
-- its own, so a request that was applied already is known by then.
CREATE TABLE journal (
    table_id BLOB NOT NULL REFERENCES tables,
    revision INTEGER NOT NULL CHECK (revision > 0),
    kind TEXT NOT NULL
        CHECK (kind IN ('move', 'undo', 'seat_taken', 'clock_stopped', 'clock_resumed', 'crashed')),
    -- Of a move: who moved, null for the table itself. Of a seat taken: the seat.
    seat INTEGER,
    -- Who asked.
    actor_seat INTEGER,
    -- Of a move in the log; of an undo: the number taken away.
    number INTEGER,
    -- The move; of a seat taken: the occupant; of a crash: the place.
    action TEXT,
    drew INTEGER NOT NULL DEFAULT 0,
    request_id BLOB CHECK (length(request_id) = 16),
    request_hash BLOB CHECK (length(request_hash) = 32),
    at INTEGER NOT NULL,
    spent INTEGER NOT NULL DEFAULT 0,
    credit INTEGER NOT NULL DEFAULT 0,
    -- SHA-256 of the state after the entry; null where there is none.
    state_hash BLOB CHECK (length(state_hash) = 32),
    PRIMARY KEY (table_id, revision)
) STRICT, WITHOUT ROWID;

CREATE TABLE due (
    table_id BLOB NOT NULL REFERENCES tables,
    kind TEXT NOT NULL CHECK (kind IN ('robot', 'automatic')),
    at INTEGER NOT NULL,
    PRIMARY KEY (table_id, kind)
) STRICT, WITHOUT ROWID;

CREATE INDEX due_by_instant ON due (at);
