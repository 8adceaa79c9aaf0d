-- The clock of a game, as it was asked for; part of its kind.

ALTER TABLE games ADD COLUMN time_control TEXT;
