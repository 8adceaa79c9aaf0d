-- Names of one's own, and sessions that can be ended. `name_folded` and `name_likeness` are what no two named
-- accounts share. An account that is deleted keeps its row, because its games refer to it, and nothing else.

ALTER TABLE accounts ADD COLUMN name_folded TEXT NULL;
ALTER TABLE accounts ADD COLUMN name_likeness TEXT NULL
    CHECK ((name_folded IS NULL) = (name_likeness IS NULL));
ALTER TABLE accounts ADD COLUMN password_hash TEXT NULL
    CHECK ((name_folded IS NULL) = (password_hash IS NULL));
ALTER TABLE accounts ADD COLUMN session_epoch INTEGER NOT NULL DEFAULT 0 CHECK (session_epoch >= 0);
ALTER TABLE accounts ADD COLUMN deleted_at INTEGER NULL CHECK (deleted_at IS NULL OR name_folded IS NULL);

CREATE UNIQUE INDEX accounts_by_name ON accounts (name_folded) WHERE name_folded IS NOT NULL;
CREATE UNIQUE INDEX accounts_by_likeness ON accounts (name_likeness) WHERE name_likeness IS NOT NULL;

-- A listed game against the clock whose opener is offline waits on, but nobody is matched with it.

ALTER TABLE games ADD COLUMN away INTEGER NOT NULL DEFAULT 0 CHECK (away IN (0, 1));

DROP INDEX games_waiting_by_kind;
CREATE INDEX games_waiting_by_kind ON games (kind_hash, game_id)
    WHERE status = 'waiting' AND origin = 'auto' AND NOT away;
