-- Clocks: how time is counted at a table, whose clock runs after an entry, when one can run out.

ALTER TABLE tables ADD COLUMN time_control TEXT;

ALTER TABLE journal ADD COLUMN runs INTEGER;

-- SQLite changes no check of a table that is there.
CREATE TABLE due_with_flags (
    table_id BLOB NOT NULL REFERENCES tables,
    kind TEXT NOT NULL CHECK (kind IN ('robot', 'automatic', 'flag')),
    at INTEGER NOT NULL,
    PRIMARY KEY (table_id, kind)
) STRICT, WITHOUT ROWID;

INSERT INTO due_with_flags SELECT table_id, kind, at FROM due;
DROP TABLE due;
ALTER TABLE due_with_flags RENAME TO due;
CREATE INDEX due_by_instant ON due (at);

-- One row, which every engine renews: whether any of them lives.
CREATE TABLE heartbeat (
    single INTEGER NOT NULL PRIMARY KEY CHECK (single = 1),
    previous INTEGER,
    at INTEGER NOT NULL
) STRICT;

-- Times in which none of them did. No clock runs then.
CREATE TABLE outages (
    ended_at INTEGER NOT NULL PRIMARY KEY,
    began_at INTEGER NOT NULL CHECK (began_at < ended_at)
) STRICT;

-- The newest games that an account has aborted: a place is taken for an hour.
CREATE TABLE aborts (
    account_id BLOB NOT NULL CHECK (length(account_id) = 16),
    place INTEGER NOT NULL,
    table_id BLOB NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (account_id, place)
) STRICT, WITHOUT ROWID;
