-- Tables that are shown to everyone who looks for something to watch. Older ones are not: whoever opened
-- them was not asked.
ALTER TABLE tables ADD COLUMN listed INTEGER NOT NULL DEFAULT 0;

CREATE INDEX tables_live ON tables (opened_at DESC, id DESC) WHERE listed = 1 AND phase = 'playing';
