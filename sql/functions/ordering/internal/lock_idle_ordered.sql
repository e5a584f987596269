-- lock_idle_ordered(): takes the claim locks of ordered consumers that no session claims for at this moment, of 100 of them at most: each takes a place
-- in the server's lock table until the caller ends.
-- Returns: the ordered consumers whose lock it did not take; later calls handle them. Touches: consumer (read).
-- postrider: after lock_claims
create or replace function postrider.lock_idle_ordered() returns int[]
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_ordered int[] := array(select o.id from postrider.consumer o where o.ordered order by random());
    v_locked int[] := array(select c from unnest(v_ordered[:100]) c where pg_try_advisory_xact_lock(postrider.lock_claims(), c));
begin
    return array(select c from unnest(v_ordered) c where c <> all (v_locked));
end
$$;
