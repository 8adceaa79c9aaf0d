-- Looks of administrators at the hidden state of tables that went on: one row for what each saw of each revision.
CREATE TABLE looks (
    table_id BLOB NOT NULL REFERENCES tables,
    revision INTEGER NOT NULL,
    looker TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (table_id, revision, looker)
) STRICT, WITHOUT ROWID;

-- Administrators page through all tables.
CREATE INDEX tables_by_opening ON tables (opened_at DESC, id DESC);
