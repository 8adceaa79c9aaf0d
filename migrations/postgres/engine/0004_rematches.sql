-- Matches, the game that a table is the rematch of, and the news of ends that are told at least once.

ALTER TABLE tables ADD COLUMN best_of smallint NOT NULL DEFAULT 0;

ALTER TABLE tables ADD COLUMN follows uuid;

ALTER TABLE due DROP CONSTRAINT due_kind_check;
ALTER TABLE due ADD CONSTRAINT due_kind_check CHECK (kind IN ('robot', 'automatic', 'flag', 'ended'));
