-- reap_deliveries(dead, busy, now, limit): takes back deliveries in flight of dead workers, of workers without a row, and those held past their
-- deadline. p_dead are the workers, p_busy consumers to leave out. A suspect was running, so it is charged with a crash. Of the others the worker may
-- have held many that had not started: they are returned uncharged, and conclude() makes them suspects.
-- Returns: how many it took back.
-- Touches: delivery and the tables that conclude() touches; rings.
-- postrider: after conclude, lost_deliveries, ring
create or replace function postrider.reap_deliveries(p_dead uuid[], p_busy int[], p_now timestamptz, p_limit int) returns int
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_lost constant bigint[] := postrider.lost_deliveries(p_dead, p_busy, p_now, p_limit);
    v_outcomes jsonb;
begin
    if v_lost = '{}' then
        return 0;
    end if;
    select jsonb_agg(jsonb_build_object(
               'delivery', d.id, 'token', d.lease_token,
               'outcome', case when d.suspect or d.crashes > 0 then 'crashed' else 'interrupted' end,
               'error', case when d.deadline < p_now then 'lease deadline passed' else 'worker lost' end,
               'error_class', case when d.deadline < p_now then 'lease_expired' else 'worker_lost' end))
    into v_outcomes
    from (
        select * from postrider.delivery
        where id = any (v_lost)
          -- Again, because a worker may have settled or extended it since.
          and status = 'in_flight'
          and (deadline < p_now or worker_id = any (p_dead)
               or not exists (select from postrider.worker w where w.id = worker_id))
        for update skip locked) d;
    if v_outcomes is null then
        return 0;
    end if;
    perform postrider.ring(d.channel)
    from (select distinct de.channel
          from postrider.conclude(v_outcomes) c
          join postrider.delivery de on de.id = c.delivery_id) d;
    return jsonb_array_length(v_outcomes);
end
$$;
