-- take_slots(schedule, now, limit): decides on the due slots of a locked schedule, at most p_limit of them: which fire, and which are
-- skipped or queued because of its overlap or its catch-up window.
-- Returns: the schedule as it is afterwards, with its next slot, counters and times, and the slots to fire, the oldest first.
--
-- Without a SET search_path clause, because firing calls it for every schedule and the clause costs more than the function. The callers pin it.
-- postrider: after next_slot, slot_at, slot_id, slot_unfinished, skip_missed
create or replace function postrider.take_slots(
    p_schedule postrider.schedule, p_now timestamptz, p_limit int, out schedule postrider.schedule, out slots timestamptz[]
)
    language plpgsql stable
    as $$
declare
    s postrider.schedule := p_schedule;
    v_busy boolean := s.overlap <> 'allow' and postrider.slot_unfinished(s);
    v_at timestamptz;
begin
    slots := '{}';
    if s.queued_slot is not null and not v_busy then
        slots := slots || s.queued_slot;
        s.queued_slot := null;
        v_busy := true;
    end if;
    s := postrider.skip_missed(s, p_now);
    v_at := postrider.slot_at(s.name, s.next_slot, s.jitter);
    for i in 1 .. p_limit loop
        exit when v_at > p_now;
        if not v_busy then
            slots := slots || s.next_slot;
            s.late := s.late + (p_now > v_at + interval '1 second')::int;
            v_busy := s.overlap <> 'allow';
        elsif s.overlap = 'queue_one' and s.queued_slot is null then
            s.queued_slot := s.next_slot;
        else
            s.skipped := s.skipped + 1;
        end if;
        s.next_slot := postrider.next_slot(s.parsed, s.time_zone, s.next_slot);
        v_at := postrider.slot_at(s.name, s.next_slot, s.jitter);
    end loop;
    s.fired := s.fired + cardinality(slots);
    if cardinality(slots) > 0 then
        s.last_slot := slots[cardinality(slots)];
        s.last_fired_at := p_now;
        s.last_message_id := postrider.slot_id(s.name, s.last_slot);
        s.last_xid := null;  -- note_published() sets it
        s.last_seq := null;
    end if;
    -- A queued slot is checked again after a second, and less often the longer its predecessor takes.
    s.next_at := least(v_at, case when s.queued_slot is not null then
        p_now + least(interval '1 minute', greatest(interval '1 second', (p_now - s.last_fired_at) / 20)) end);
    schedule := s;
end
$$;
