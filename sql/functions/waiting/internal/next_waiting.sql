-- next_waiting(consumer_id): when the next message that waits comes due; null when none waits or the consumer is held or paused.
-- A message that is ready among those of its ordering key is due. A throttled one may start when the rate of its handler allows it, and is
-- looked for again after 100 ms: another worker may have finished one.
-- Touches: waiting, follower, consumer, handler_limit, limit_bucket (read). The caller's settings pin the plan.
create or replace function postrider.next_waiting(p_consumer_id int) returns timestamptz
    language plpgsql stable
    as $$
begin
    return (
        with recursive level (priority, due_at) as (
            (select w.priority, w.due_at from postrider.waiting w
             where w.consumer_id = p_consumer_id
             order by w.priority desc, w.due_at limit 1)
            union all
            select n.* from level l cross join lateral (
                select w.priority, w.due_at from postrider.waiting w
                where w.consumer_id = p_consumer_id and w.priority < l.priority
                order by w.priority desc, w.due_at limit 1) n
        )
        select case when min(l.due_at) = '-infinity'
                      or exists (select from postrider.follower f where f.consumer_id = p_consumer_id and f.ready) then pg_catalog.clock_timestamp()
                    else least(nullif(min(l.due_at), 'infinity'), case
                        when exists (select from postrider.waiting w where w.consumer_id = -p_consumer_id)
                        then (select pg_catalog.clock_timestamp() + least(interval '100 ms', min(greatest(
                                  b.paid_at - (r.burst - 1) * r.period / r.starts - pg_catalog.clock_timestamp(), interval '1 ms')))
                              from postrider.handler_limit r
                              join postrider.limit_bucket b on b.consumer_id = r.consumer_id and b.key = r.handler
                              where r.consumer_id = p_consumer_id and r.starts is not null
                                and b.paid_at - (r.burst - 1) * r.period / r.starts > pg_catalog.clock_timestamp()) end) end
        from level l
        where not exists (select from postrider.consumer c
                          where c.id = p_consumer_id and (c.paused or c.held_handlers @> c.handlers)));
end
$$;
