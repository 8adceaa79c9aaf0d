-- Matches, the game that a table is the rematch of, and the news of ends that are told at least once.

ALTER TABLE tables ADD COLUMN best_of INTEGER NOT NULL DEFAULT 0;

ALTER TABLE tables ADD COLUMN follows BLOB CHECK (length(follows) = 16);

-- SQLite changes no check of a table that is there.
CREATE TABLE due_with_ends (
    table_id BLOB NOT NULL REFERENCES tables,
    kind TEXT NOT NULL CHECK (kind IN ('robot', 'automatic', 'flag', 'ended')),
    at INTEGER NOT NULL,
    PRIMARY KEY (table_id, kind)
) STRICT, WITHOUT ROWID;

INSERT INTO due_with_ends SELECT table_id, kind, at FROM due;
DROP TABLE due;
ALTER TABLE due_with_ends RENAME TO due;
CREATE INDEX due_by_instant ON due (at);
