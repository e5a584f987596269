-- slot_at(schedule, slot, jitter): when a slot is due: up to p_jitter later, by a hash of schedule and slot. Deterministic for a slot, and
-- evenly distributed over slots and schedules.
--
-- Without a SET search_path clause, because firing calls it for every schedule and the clause costs more than the function. The callers pin it.
create or replace function postrider.slot_at(p_schedule text, p_slot timestamptz, p_jitter interval) returns timestamptz
    language plpgsql immutable parallel safe
    as $$
begin
    if p_jitter = interval '0' then
        return p_slot;
    end if;
    return p_slot + p_jitter * ((hashtextextended(p_schedule, extract(epoch from p_slot)::bigint) & 1048575) / 1048576.0);
end
$$;
