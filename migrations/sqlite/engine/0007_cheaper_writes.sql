-- The journal without checks that call a function. Because a function may fail, SQLite kept a copy of every page that a
-- batch changed, in a file made for that batch, to be able to take back its statement alone. The lengths are looked at
-- when rows are read.
CREATE TABLE journal_without_lengths (
    table_id BLOB NOT NULL,
    revision INTEGER NOT NULL CHECK (revision > 0),
    kind TEXT NOT NULL
        CHECK (kind IN ('move', 'undo', 'seat_taken', 'clock_stopped', 'clock_resumed', 'crashed')),
    seat INTEGER,
    actor_seat INTEGER,
    number INTEGER,
    action TEXT,
    drew INTEGER NOT NULL DEFAULT 0,
    request_id BLOB,
    request_hash BLOB,
    at INTEGER NOT NULL,
    spent INTEGER NOT NULL DEFAULT 0,
    credit INTEGER NOT NULL DEFAULT 0,
    state_hash BLOB,
    runs INTEGER,
    UNIQUE (table_id, revision)
) STRICT;

INSERT INTO journal_without_lengths SELECT * FROM journal ORDER BY rowid;

DROP TABLE journal;
ALTER TABLE journal_without_lengths RENAME TO journal;
