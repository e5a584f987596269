-- retry_lock(until, rows): called by a function that has found rows locked by other transactions, before it tries again with SKIP LOCKED. The function
-- has locks that other roles wait for, and a blocking wait has no bound: lock_timeout begins again for each row, and for the same row when a
-- third transaction locks it before the waiting one wakes up. p_rows names the rows for the error.
-- Raises: 55P03 when the time has passed.
create or replace function postrider.retry_lock(p_until timestamptz, p_rows text) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if clock_timestamp() >= p_until then
        raise exception using errcode = 'lock_not_available',
            message = format('other transactions hold %s, and have not ended', p_rows),
            hint = 'Workers hold them for milliseconds. Try again, or find the session: postrider doctor.';
    end if;
    perform pg_sleep(0.002);
end
$$;
