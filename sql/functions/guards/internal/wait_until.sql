-- wait_until(time): the next locks of the calling function are waited for until this time at most. The caller restores lock_timeout, by a SET of
-- its own. Called for each row of a statement that locks rows,
--   perform postrider.wait_until(v_until) from t order by t.id for update;
-- it bounds the waits for all of them together: PostgreSQL computes a row's columns before it locks the row, also behind a sort. A
-- lock_timeout alone is one for each row, and another transaction that releases them one after the other makes them add up.
create or replace function postrider.wait_until(p_time timestamptz) returns void
    language plpgsql volatile
    as $$
begin
    perform pg_catalog.set_config(
        'lock_timeout', greatest(1, pg_catalog.ceil(extract(epoch from p_time - pg_catalog.clock_timestamp()) * 1000)) || 'ms', true);
end
$$;
