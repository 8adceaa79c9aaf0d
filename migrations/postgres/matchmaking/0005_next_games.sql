-- Games that follow a finished one, and matches on top of games.

ALTER TABLE games ADD COLUMN best_of smallint NOT NULL DEFAULT 0;

-- What the engine is told of such a game besides its row. `series` is a JSON array of finished games.
CREATE TABLE next_games (
    game_id uuid    NOT NULL PRIMARY KEY REFERENCES games ON DELETE CASCADE,
    follows uuid    NOT NULL REFERENCES games ON DELETE CASCADE,
    series  text    NOT NULL,
    listed  boolean NOT NULL
);
