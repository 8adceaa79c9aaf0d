-- How often somebody tried to sign in of late. A name falls to one of a fixed number of slots, by its digest: there are
-- never more rows, and none tells of a name. `free_at` is when the slot is as free as if nobody had tried.

CREATE TABLE sign_in_attempts (
    slot    integer     NOT NULL PRIMARY KEY CHECK (slot >= 0),
    free_at timestamptz NOT NULL
);
