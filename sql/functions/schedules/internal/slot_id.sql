-- slot_id(schedule, slot): the id of the message of a slot, always the same: a UUID version 8 of 48 bits of milliseconds of the slot
-- and 74 bits of a hash of both. The time first, because the log is searched by ids that grow with time.
--
-- Without a SET search_path clause, because firing calls it for every schedule and the clause costs more than the function. The callers pin it.
create or replace function postrider.slot_id(p_schedule text, p_slot timestamptz) returns uuid
    language plpgsql immutable parallel safe
    as $$
declare
    v_micros constant bigint := extract(epoch from p_slot) * 1000000;
    v_id bytea := substring(int8send(v_micros / 1000), 3)
        || substring(sha256(convert_to(p_schedule, 'UTF8') || decode('00', 'hex') || int8send(v_micros)), 1, 10);
begin
    v_id := set_byte(v_id, 6, 128 | (get_byte(v_id, 6) & 15));
    return encode(set_byte(v_id, 8, 128 | (get_byte(v_id, 8) & 63)), 'hex')::uuid;
end
$$;
