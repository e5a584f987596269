-- refresh_some_limits(): refresh_limits() for consumers that no session claims for at this moment, 100 of them at most: each takes a place in the
-- server's lock table until the caller ends. Later calls handle the others.
-- Touches: the tables that refresh_limits() touches.
-- postrider: after lock_claims, refresh_limits
create or replace function postrider.refresh_some_limits() returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_until constant timestamptz := clock_timestamp() + interval '1 second';
    v_consumer int;
begin
    for v_consumer in select o.id from postrider.consumer o where o.limited order by random() limit 100 loop
        -- An error with one consumer must not affect the others.
        begin
            if pg_try_advisory_xact_lock(postrider.lock_claims(), v_consumer) then
                perform postrider.refresh_limits(v_consumer);
            end if;
        exception when others then
            raise warning 'limits of consumer % cannot be refreshed: %', v_consumer, sqlerrm;
        end;
        exit when clock_timestamp() > v_until;
    end loop;
end
$$;
