-- Tables, who sits at them, everything that happened there, and what the tables themselves have to do.
-- Content is canonical JSON, which jsonb would reorder: the bytes count.

CREATE TABLE tables (
    id uuid NOT NULL PRIMARY KEY,
    game text NOT NULL,
    version integer NOT NULL,
    variant text NOT NULL,
    options text NOT NULL,
    seats smallint NOT NULL,
    first_seat smallint NOT NULL,
    -- Read by src/store/seed_column.rs and by nothing else.
    seed bytea NOT NULL CHECK (octet_length(seed) = 32),
    commitment text NOT NULL,
    series_id uuid,
    -- The finished games of the series; with this one among them once it has ended.
    series text NOT NULL,
    phase text NOT NULL CHECK (phase IN ('waiting', 'playing', 'over')),
    outcome text,
    opened_at timestamptz NOT NULL,
    ended_at timestamptz,
    CHECK ((phase = 'over') = (outcome IS NOT NULL))
);

CREATE INDEX tables_by_series ON tables (series_id) WHERE series_id IS NOT NULL;

-- The opening instant and the end are kept here too, so that one index finds the tables of an account.
CREATE TABLE seats (
    table_id uuid NOT NULL REFERENCES tables,
    seat smallint NOT NULL,
    account_id uuid NOT NULL,
    robot_level smallint NOT NULL DEFAULT 0,
    opened_at timestamptz NOT NULL,
    over boolean NOT NULL DEFAULT false,
    PRIMARY KEY (table_id, seat)
);

CREATE INDEX seats_by_account ON seats (account_id, opened_at DESC, table_id DESC);
CREATE INDEX seats_in_progress ON seats (account_id, opened_at DESC, table_id DESC) WHERE NOT over;

-- The append is the lock: two replicas can't both write a revision of a table. Nothing else is unique
-- here, since each further index costs a page per move: whoever appends has folded all entries before
-- its own, so a request that was applied already is known by then. For the same reason nothing refers
-- to `tables`: it would lock and write the table's row at every move, whoever appends has loaded
-- that row, and no table is ever deleted.
CREATE TABLE journal (
    table_id uuid NOT NULL,
    revision integer NOT NULL CHECK (revision > 0),
    kind text NOT NULL
        CHECK (kind IN ('move', 'undo', 'seat_taken', 'clock_stopped', 'clock_resumed', 'crashed')),
    -- Of a move: who moved, null for the table itself. Of a seat taken: the seat.
    seat smallint,
    -- Who asked.
    actor_seat smallint,
    -- Of a move in the log; of an undo: the number taken away.
    number integer,
    -- The move; of a seat taken: the occupant; of a crash: the place.
    action text,
    drew boolean NOT NULL DEFAULT false,
    request_id uuid,
    request_hash bytea CHECK (octet_length(request_hash) = 32),
    at timestamptz NOT NULL,
    spent bigint NOT NULL DEFAULT 0,
    credit bigint NOT NULL DEFAULT 0,
    -- SHA-256 of the state after the entry; null where there is none.
    state_hash bytea CHECK (octet_length(state_hash) = 32),
    PRIMARY KEY (table_id, revision)
);

CREATE TABLE due (
    table_id uuid NOT NULL REFERENCES tables,
    kind text NOT NULL CHECK (kind IN ('robot', 'automatic')),
    at timestamptz NOT NULL,
    PRIMARY KEY (table_id, kind)
);

CREATE INDEX due_by_instant ON due (at);
