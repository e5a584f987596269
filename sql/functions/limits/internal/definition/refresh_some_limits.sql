-- refresh_some_limits(): refresh_limits() for consumers that no session claims for at this moment, 100 of them at most: each takes a place in the
-- server's lock table until the caller ends. Later calls handle the others.
-- Touches: the tables that refresh_limits() touches.
-- postrider: after lock_claims, refresh_limits
create or replace function postrider.refresh_some_limits() returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    perform postrider.refresh_limits(c.id)
    from (select o.id from postrider.consumer o where o.limited order by random() limit 100) c
    where pg_try_advisory_xact_lock(postrider.lock_claims(), c.id);
end
$$;
