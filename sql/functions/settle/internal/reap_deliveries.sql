-- reap_deliveries(dead, busy, now, until, limit): takes back deliveries in flight of dead workers, of workers without a row, and those held past their
-- deadline. p_dead are the workers, p_busy consumers to leave out. A suspect was running, so it is charged with a crash. Of the others the worker may
-- have held many that had not started: they are returned uncharged, and conclude() makes them suspects. Consumers are handled one by one, for a
-- second; one whose circuits or unique keys other transactions hold until p_until is left to a later call.
-- Returns: how many it took back.
-- Touches: delivery and the tables that conclude() touches; rings.
-- postrider: after conclude, lock_circuits, lock_keys, lost_deliveries, ring
create or replace function postrider.reap_deliveries(p_dead uuid[], p_busy int[], p_now timestamptz, p_until timestamptz, p_limit int) returns int
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_lost constant bigint[] := postrider.lost_deliveries(p_dead, p_busy, p_now, p_limit);
    v_end constant timestamptz := clock_timestamp() + interval '1 second';
    v_outcomes jsonb;
    v_count int := 0;
    c record;
begin
    if v_lost = '{}' then
        return 0;
    end if;
    for c in
        select d.consumer_id, array_agg(d.id) as deliveries, array_agg(d.seq) as seqs
        from unnest(v_lost) with ordinality as t(id, n) join postrider.delivery d on d.id = t.id
        group by 1 order by min(t.n)
    loop
        -- An error with one consumer must not affect the others.
        begin
            select jsonb_agg(jsonb_build_object(
                       'delivery', d.id, 'token', d.lease_token,
                       'outcome', case when d.suspect or d.crashes > 0 then 'crashed' else 'interrupted' end,
                       'error', case when d.deadline < p_now then 'lease deadline passed' else 'worker lost' end,
                       'error_class', case when d.deadline < p_now then 'lease_expired' else 'worker_lost' end))
            into v_outcomes
            from (
                select * from postrider.delivery
                where id = any (c.deliveries)
                  -- Again, because a worker may have settled or extended it since.
                  and status = 'in_flight'
                  and (deadline < p_now or worker_id in (select unnest(p_dead))
                       or not exists (select from postrider.worker w where w.id = worker_id))
                for update skip locked) d;
            continue when v_outcomes is null;
            perform postrider.lock_circuits(array[c.consumer_id], p_until);
            perform postrider.lock_keys(c.seqs, p_until);
            perform postrider.conclude(v_outcomes);
            perform postrider.ring(o.channel) from postrider.consumer o where o.id = c.consumer_id;
            v_count := v_count + jsonb_array_length(v_outcomes);
        exception when others then
            raise warning 'deliveries of consumer % cannot be taken back: %', c.consumer_id, sqlerrm;
        end;
        exit when clock_timestamp() > v_end;
    end loop;
    return v_count;
end
$$;
