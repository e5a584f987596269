-- note_published(schedules, since): records where the last messages of these schedules are in the log, for slot_unfinished().
-- p_since: an instant before they were published, which was in the same transaction.
-- Touches: schedule; message (read).
create or replace function postrider.note_published(p_schedules text[], p_since timestamptz) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    update postrider.schedule s
    set last_published_at = m.published_at, last_xid = m.xid, last_seq = m.seq
    from postrider.message m
    where s.name = any (p_schedules) and s.overlap <> 'allow' and m.id = s.last_message_id
      and m.channel = coalesce(s.message ->> 'channel', 'outbox_default') and m.xid = pg_current_xact_id()
      and m.published_at >= p_since - interval '1 hour';
end
$$;
