-- Games that follow a finished one, and matches on top of games.

ALTER TABLE games ADD COLUMN best_of INTEGER NOT NULL DEFAULT 0;

-- What the engine is told of such a game besides its row. `series` is a JSON array of finished games.
CREATE TABLE next_games (
    game_id BLOB    NOT NULL PRIMARY KEY REFERENCES games ON DELETE CASCADE,
    follows BLOB    NOT NULL REFERENCES games ON DELETE CASCADE,
    series  TEXT    NOT NULL,
    listed  INTEGER NOT NULL CHECK (listed IN (0, 1))
) STRICT, WITHOUT ROWID;
