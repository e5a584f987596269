-- skip_missed(schedule, now): skips the slots of a schedule that are older than its catch-up window. They are counted, up to 1000 in
-- one call: after a year without workers a schedule of every second would be counted for minutes.
-- Returns: the schedule with its next slot and its counter.
--
-- Without a SET search_path clause, because firing calls it for every schedule and the clause costs more than the function. The callers pin it.
-- postrider: after next_slot, slot_at
create or replace function postrider.skip_missed(p_schedule postrider.schedule, p_now timestamptz) returns postrider.schedule
    language plpgsql stable
    as $$
declare
    s postrider.schedule := p_schedule;
    v_oldest constant timestamptz := p_now - s.catch_up;
    v_slot timestamptz := s.next_slot;
    v_skipped int := 0;
begin
    while postrider.slot_at(s.name, v_slot, s.jitter) < v_oldest loop
        v_skipped := v_skipped + 1;
        v_slot := postrider.next_slot(s.parsed, s.time_zone,
                                      case when v_skipped < 1000 then v_slot else greatest(v_slot, v_oldest - s.jitter) end);
    end loop;
    s.next_slot := v_slot;
    s.skipped := s.skipped + v_skipped;
    return s;
end
$$;
