-- end_soon(): for functions that lock rows or tables of all consumers until the caller's transaction ends. If the session then does nothing
-- for a minute, the server ends it (idle_in_transaction_session_timeout), unless the session has a shorter time already.
create or replace function postrider.end_soon() returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if current_setting('idle_in_transaction_session_timeout')::interval not between interval '1 ms' and interval '1 minute' then
        perform set_config('idle_in_transaction_session_timeout', '1min', true);
    end if;
end
$$;
