-- lock_idle_ordered(): takes the claim locks of ordered consumers that no session claims for at this moment, of 100 of them at most: each takes a place
-- in the server's lock table until the caller ends. Owners of consumers take turns.
-- Returns: the ordered consumers whose lock it did not take; later calls handle them. Touches: consumer, consumer_owner (read).
-- postrider: after lock_claims
create or replace function postrider.lock_idle_ordered() returns int[]
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_ordered int[] := array(
        select t.id
        from (select o.id, row_number() over (partition by w.role order by random()) as turn
              from postrider.consumer o join postrider.consumer_owner w on w.name = o.name where o.ordered) t
        order by t.turn, random());
    v_locked int[] := array(select c from unnest(v_ordered[:100]) c where pg_try_advisory_xact_lock(postrider.lock_claims(), c));
begin
    return array(select c from unnest(v_ordered) c where c <> all (v_locked));
end
$$;
