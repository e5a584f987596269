-- slot_message(schedule, slot): the message of a slot, for publish_many(). Its id follows from the slot, it occurred at the slot, and
-- its source is 'schedule:' and the name of the schedule unless the definition has one.
--
-- Without a SET search_path clause, because firing calls it for every schedule and the clause costs more than the function. The callers pin it.
-- postrider: after slot_id
create or replace function postrider.slot_message(p_schedule postrider.schedule, p_slot timestamptz) returns jsonb
    language plpgsql stable
    as $$
begin
    return p_schedule.message || jsonb_build_object(
        'id', postrider.slot_id(p_schedule.name, p_slot), 'occurred_at', p_slot,
        'source', coalesce(nullif(p_schedule.message ->> 'source', ''), 'schedule:' || p_schedule.name));
end
$$;
