-- Looks of administrators at the hidden state of tables that went on: one row for what each saw of each revision.
CREATE TABLE looks (
    table_id uuid NOT NULL REFERENCES tables,
    revision integer NOT NULL,
    looker text NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (table_id, revision, looker)
);

-- Administrators page through all tables.
CREATE INDEX tables_by_opening ON tables (opened_at DESC, id DESC);
