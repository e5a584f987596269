-- lost_deliveries(dead, busy, now, limit): ids of deliveries in flight that reap_deliveries() takes back; its arguments. Consumers of
-- different owners take turns. Workers are found by skips through the index, and each gives its share of the limit of its owner, so a large
-- number of lost deliveries costs no more than a small one.
-- Returns: at most p_limit ids. Touches: delivery, worker, consumer, consumer_owner (read).
create or replace function postrider.lost_deliveries(p_dead uuid[], p_busy int[], p_now timestamptz, p_limit int) returns bigint[]
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return array(
        with recursive holder as (
            (select d.worker_id, d.consumer_id, d.deadline from postrider.delivery d
             where d.status = 'in_flight' order by d.worker_id, d.deadline limit 1)
            union all
            select n.* from holder h cross join lateral (
                select d.worker_id, d.consumer_id, d.deadline from postrider.delivery d
                where d.status = 'in_flight' and d.worker_id > h.worker_id order by d.worker_id, d.deadline limit 1) n),
        lost as (
            select h.worker_id, h.is_lost, o.role, ceil(p_limit::numeric / count(*) over (partition by o.role)) as share
            from (select s.*, s.worker_id in (select unnest(p_dead))  -- hashed: there may be many
                             or not exists (select from postrider.worker w where w.id = s.worker_id) as is_lost
                  from holder s) h
            left join postrider.consumer c on c.id = h.consumer_id
            left join postrider.consumer_owner o on o.name = c.name
            where h.is_lost or h.deadline < p_now)
        select t.id
        from (select d.id, row_number() over (partition by l.role order by d.worker_id, d.deadline) as turn
              from lost l cross join lateral (
                  select i.id, i.worker_id, i.deadline from postrider.delivery i
                  where i.status = 'in_flight' and i.worker_id = l.worker_id and i.consumer_id <> all (p_busy)
                    and (l.is_lost or i.deadline < p_now)
                  order by i.deadline limit l.share) d) t
        order by t.turn, random()
        limit p_limit);
end
$$;
