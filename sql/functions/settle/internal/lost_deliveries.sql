-- lost_deliveries(dead, busy, now, limit): ids of deliveries in flight that reap_deliveries() takes back; its arguments. Consumers of
-- different owners take turns.
-- Returns: at most p_limit ids. Touches: delivery, worker, consumer, consumer_owner (read).
create or replace function postrider.lost_deliveries(p_dead uuid[], p_busy int[], p_now timestamptz, p_limit int) returns bigint[]
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return array(
        select t.id
        from (select d.id, row_number() over (partition by o.role order by d.worker_id, d.deadline) as turn
              from (select l.id, l.consumer_id, l.worker_id, l.deadline from postrider.delivery l
                    where l.status = 'in_flight' and l.consumer_id <> all (p_busy)
                      and (l.deadline < p_now or l.worker_id = any (p_dead)
                           or not exists (select from postrider.worker w where w.id = l.worker_id))
                    order by l.worker_id, l.deadline) d  -- of the index of deliveries in flight: by id the whole table may be read
              left join postrider.consumer c on c.id = d.consumer_id
              left join postrider.consumer_owner o on o.name = c.name) t
        order by t.turn, random()
        limit p_limit);
end
$$;
