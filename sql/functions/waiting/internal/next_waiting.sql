-- next_waiting(consumer_id): when the next message that waits comes due; null when none waits or the consumer is held or paused.
-- A ready follower is due at once. For throttled messages the time is next_throttled()'s.
-- Touches: waiting, follower, consumer (read). The caller's settings pin the plan.
-- postrider: after next_throttled
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
                      or exists (select from postrider.noted_before(p_consumer_id) b
                                 join postrider.follower f on (f.segment, f.seq) < (b.segment, b.seq)
                                 where f.consumer_id = p_consumer_id and f.ready)
                    then pg_catalog.clock_timestamp()
                    else least(nullif(min(l.due_at), 'infinity'), postrider.next_throttled(p_consumer_id)) end
        from level l
        where not exists (select from postrider.consumer c
                          where c.id = p_consumer_id and (c.paused or c.held_handlers @> c.handlers)));
end
$$;
