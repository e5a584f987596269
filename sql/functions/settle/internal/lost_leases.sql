-- lost_leases(dead, busy, now, limit): open leases of dead workers, of workers without a row, and those past their deadline. p_dead are the
-- workers, p_busy consumers to leave out. Consumers of different owners take turns.
-- Returns: at most p_limit leases. Touches: lease, lease_mark, worker, consumer, consumer_owner (read).
-- postrider: after open_leases
create or replace function postrider.lost_leases(p_dead uuid[], p_busy int[], p_now timestamptz, p_limit int)
    returns table (stream int, id bigint)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
#variable_conflict use_column
begin
    return query
    select t.stream, t.id
    from (select l.stream, l.id, row_number() over (partition by o.role order by l.stream, l.id) as turn
          from postrider.open_leases l
          left join postrider.consumer c on c.id = l.consumer_id
          left join postrider.consumer_owner o on o.name = c.name
          where l.consumer_id <> all (p_busy)
            -- With IN the workers are hashed: there may be many.
            and (l.deadline < p_now or l.worker_id in (select unnest(p_dead))
                 or not exists (select from postrider.worker w where w.id = l.worker_id))) t
    order by t.turn, random()
    limit p_limit;
end
$$;
