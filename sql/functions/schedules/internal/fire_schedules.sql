-- fire_schedules(schedules, now, limit): fires the due slots of locked schedules, in the given order: publishes their messages and moves the schedules on.
-- At most p_limit slots of each, or its part of them when there are several owners, and no further schedule once p_limit messages, or messages of 8 MB, are to be published, or a second has
-- passed: this bounds the time that a worker spends on schedules.
-- Returns: how many messages were published, and how many slots were skipped.
-- Touches: schedule, message.
-- postrider: after take_slots, slot_message, note_published, publish_many
create or replace function postrider.fire_schedules(
    p_schedules text[], p_now timestamptz, p_limit int, out fired int, out skipped int
)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_messages jsonb[] := '{}';
    v_guarded text[] := '{}';  -- schedules for note_published()
    v_room constant int := 8388608;
    v_bytes int := 0;  -- of the messages
    v_size int;        -- of one
    v_owners constant int := (select count(distinct o.owner) from postrider.schedule o where o.name = any (p_schedules));
    s postrider.schedule;
    t record;
begin
    skipped := 0;
    for s in
        select o.* from unnest(p_schedules) with ordinality as given(name, n) join postrider.schedule o on o.name = given.name order by given.n
    loop
        v_size := octet_length(s.message::text);  -- numbers like 1e100000 are short as jsonb
        t := postrider.take_slots(s, p_now, least(
            p_limit - cardinality(v_messages), 1 + p_limit / v_owners, 1 + least(v_room - v_bytes, v_room / v_owners) / v_size));
        v_bytes := v_bytes + v_size * cardinality(t.slots);
        for i in 1 .. cardinality(t.slots) loop
            v_messages := v_messages || postrider.slot_message(s, t.slots[i]);
        end loop;
        skipped := skipped + (t.schedule).skipped - s.skipped;
        update postrider.schedule
        set next_slot = (t.schedule).next_slot, next_at = (t.schedule).next_at, queued_slot = (t.schedule).queued_slot,
            last_slot = (t.schedule).last_slot, last_fired_at = (t.schedule).last_fired_at, fired = (t.schedule).fired,
            late = (t.schedule).late, skipped = (t.schedule).skipped, last_message_id = (t.schedule).last_message_id,
            last_xid = (t.schedule).last_xid, last_seq = (t.schedule).last_seq
        where name = s.name;
        if s.overlap <> 'allow' and cardinality(t.slots) > 0 then
            v_guarded := v_guarded || s.name;
        end if;
        exit when cardinality(v_messages) >= p_limit or v_bytes > v_room or clock_timestamp() > p_now + interval '1 second';
    end loop;
    fired := postrider.publish_many(to_jsonb(v_messages));
    if cardinality(v_guarded) > 0 then
        perform postrider.note_published(v_guarded, p_now);
    end if;
end
$$;
