-- Nothing refers to `tables` any more but looks, as in the journal from the start: at every opening and end each row
-- looked the table's up and locked it. Whoever writes a seat or what is due has loaded that row or writes it along, and
-- no table is ever deleted.
ALTER TABLE seats DROP CONSTRAINT seats_table_id_fkey;
ALTER TABLE due DROP CONSTRAINT due_table_id_fkey;
