-- Nothing: the journal of PostgreSQL is in the order of writing from the start. The numbers of both databases
-- stay the same.
SELECT 1;
