-- Clocks: how time is counted at a table, whose clock runs after an entry, when one can run out.

ALTER TABLE tables ADD COLUMN time_control text;

ALTER TABLE journal ADD COLUMN runs smallint;

ALTER TABLE due DROP CONSTRAINT due_kind_check;
ALTER TABLE due ADD CONSTRAINT due_kind_check CHECK (kind IN ('robot', 'automatic', 'flag'));

-- One row, which every engine renews: whether any of them lives.
CREATE TABLE heartbeat (
    single boolean NOT NULL PRIMARY KEY DEFAULT true CHECK (single),
    previous timestamptz,
    at timestamptz NOT NULL
);

-- Times in which none of them did. No clock runs then.
CREATE TABLE outages (
    ended_at timestamptz NOT NULL PRIMARY KEY,
    began_at timestamptz NOT NULL CHECK (began_at < ended_at)
);

-- The newest games that an account has aborted: a place is taken for an hour.
CREATE TABLE aborts (
    account_id uuid NOT NULL,
    place smallint NOT NULL,
    table_id uuid NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (account_id, place)
);
