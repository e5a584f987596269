-- slot_unfinished(schedule): whether the message that a schedule published last has not ended for a consumer: for one that wants it,
-- it is behind the cursor, waits or is a member of an open lease; or a delivery of it is pending or in flight. A dead letter has ended.
-- A consumer without workers and a paused one count. Earlier messages of the schedule are not checked.
-- Reads the cursor, the open leases and an index entry per consumer of the channel.
-- Touches: consumer, lease, waiting, follower, delivery (read).
-- postrider: after wants, covers, cursor_of, open_leases
create or replace function postrider.slot_unfinished(p_schedule postrider.schedule) returns boolean
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    s constant postrider.schedule := p_schedule;
    v_priority constant int := coalesce((s.message ->> 'priority')::int, 0);
begin
    if s.last_message_id is null then
        return false;
    end if;
    return exists (select from postrider.delivery d
                   where d.message_id = s.last_message_id and d.status in ('pending', 'in_flight'))
        or exists (
            select from postrider.consumer c
            cross join lateral (select case when v_priority = 0 then c.id else -c.id end as stream) t
            where c.channel = coalesce(s.message ->> 'channel', 'outbox_default')
              and postrider.wants(c.name, c.all_types, c.exact_types, c.type_prefixes, s.message ->> 'target',
                                  s.message ->> 'event_type')
              and (not postrider.covers(postrider.cursor_of(t.stream), s.last_xid, s.last_seq)
                   or exists (select from postrider.open_leases l
                              where l.consumer_id = c.id and l.stream in (t.stream, case when c.ordered or c.limited then -c.id end) and s.last_seq = any (l.members))
                   or exists (select from postrider.follower f
                              where f.consumer_id = c.id and f.key = s.message ->> 'ordering_key' and f.seq = s.last_seq)
                   or exists (select from postrider.waiting w
                              where w.consumer_id in (c.id, -c.id) and w.priority = v_priority and w.due_at = s.last_published_at
                                and w.seq = s.last_seq)));
end
$$;
