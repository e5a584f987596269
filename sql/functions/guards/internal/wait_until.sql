-- wait_until(time): the next locks of the calling function are waited for until this time at most. The caller restores lock_timeout, by a SET of
-- its own.
create or replace function postrider.wait_until(p_time timestamptz) returns void
    language plpgsql volatile
    as $$
begin
    perform pg_catalog.set_config(
        'lock_timeout', greatest(1, pg_catalog.ceil(extract(epoch from p_time - pg_catalog.clock_timestamp()) * 1000)) || 'ms', true);
end
$$;
