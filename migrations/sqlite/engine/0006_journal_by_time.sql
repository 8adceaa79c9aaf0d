-- The journal by the order of writing. The rows of a transaction lie side by side then, and only the index is
-- spread over as many pages as there are tables in it; before, the rows themselves were.
--
-- Nothing refers to `tables`, as nothing does in PostgreSQL: it would be looked up at every move, whoever
-- appends has loaded that row, and no table is ever deleted.
CREATE TABLE journal_by_time (
    table_id BLOB NOT NULL,
    revision INTEGER NOT NULL CHECK (revision > 0),
    kind TEXT NOT NULL
        CHECK (kind IN ('move', 'undo', 'seat_taken', 'clock_stopped', 'clock_resumed', 'crashed')),
    seat INTEGER,
    actor_seat INTEGER,
    number INTEGER,
    action TEXT,
    drew INTEGER NOT NULL DEFAULT 0,
    request_id BLOB CHECK (length(request_id) = 16),
    request_hash BLOB CHECK (length(request_hash) = 32),
    at INTEGER NOT NULL,
    spent INTEGER NOT NULL DEFAULT 0,
    credit INTEGER NOT NULL DEFAULT 0,
    state_hash BLOB CHECK (length(state_hash) = 32),
    runs INTEGER,
    UNIQUE (table_id, revision)
) STRICT;

INSERT INTO journal_by_time (table_id, revision, kind, seat, actor_seat, number, action, drew, request_id,
    request_hash, at, spent, credit, state_hash, runs)
SELECT table_id, revision, kind, seat, actor_seat, number, action, drew, request_id, request_hash, at, spent,
    credit, state_hash, runs FROM journal ORDER BY at;

DROP TABLE journal;
ALTER TABLE journal_by_time RENAME TO journal;
