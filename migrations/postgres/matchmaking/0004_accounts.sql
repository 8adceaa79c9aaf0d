-- Names of one's own, and sessions that can be ended. `name_folded` and `name_likeness` are what no two named
-- accounts share. An account that is deleted keeps its row, because its games refer to it, and nothing else.

ALTER TABLE accounts
    ADD COLUMN name_folded   text        NULL,
    ADD COLUMN name_likeness text        NULL,
    ADD COLUMN password_hash text        NULL,
    ADD COLUMN session_epoch integer     NOT NULL DEFAULT 0 CHECK (session_epoch >= 0),
    ADD COLUMN deleted_at    timestamptz NULL,
    ADD CHECK ((name_folded IS NULL) = (password_hash IS NULL)),
    ADD CHECK ((name_folded IS NULL) = (name_likeness IS NULL)),
    ADD CHECK (deleted_at IS NULL OR name_folded IS NULL);

CREATE UNIQUE INDEX accounts_by_name ON accounts (name_folded) WHERE name_folded IS NOT NULL;
CREATE UNIQUE INDEX accounts_by_likeness ON accounts (name_likeness) WHERE name_likeness IS NOT NULL;

-- A listed game against the clock whose opener is offline waits on, but nobody is matched with it.

ALTER TABLE games ADD COLUMN away boolean NOT NULL DEFAULT false;

DROP INDEX games_waiting_by_kind;
CREATE INDEX games_waiting_by_kind ON games (kind_hash, game_id)
    WHERE status = 'waiting' AND origin = 'auto' AND NOT away;
