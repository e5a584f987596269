-- backfill_schedule(name, from, to, limit, actor, reason): publishes the messages of the slots from p_from on and before p_to, which are
-- in the past, the oldest first, whatever the overlap policy: for slots that were missed because of a pause, an outage or a later
-- definition. Slots that have fired are published again. The message of a slot has the same id and idempotency key each time, so a
-- handler that uses the inbox has its effect once.
-- Returns: how many were published; next_from: where to continue when there were more than p_limit, or messages of more than
--   64 MB, else null.
-- Raises: PR014 when there is no such schedule, PR010 for a session user who may not change it, PR001 for bad bounds and without
--   actor or reason.
-- Touches: schedule (lock), message, audit.
-- postrider: grant worker, operator
-- postrider: after require_schedule, write_audit, slot_message, next_slot, publish_many
create or replace function postrider.backfill_schedule(
    p_name text, p_from timestamptz, p_to timestamptz, p_limit int default 1000, p_actor text default session_user,
    p_reason text default 'not given', out fired int, out next_from timestamptz
)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set timezone = 'UTC'  -- times in JSON do not depend on the caller's settings
    as $$
declare
    s postrider.schedule := postrider.require_schedule(p_name, 'backfill_schedule');
    v_end constant timestamptz := least(p_to, clock_timestamp(), case when not s.paused then s.next_slot end);
    v_slot timestamptz;
    v_messages jsonb[] := '{}';
    v_most constant int := least(p_limit, 1 + 67108864 / octet_length(s.message::text));
begin
    if p_limit is null or p_limit not between 1 and 10000 then
        raise exception using errcode = 'PR001', message = 'backfill_schedule: the limit must be between 1 and 10000';
    elsif p_from is null or p_to is null or not isfinite(p_from) or p_from >= p_to then
        raise exception using errcode = 'PR001', message = 'backfill_schedule: from must be an instant before to';
    end if;
    v_slot := postrider.next_slot(s.parsed, s.time_zone, p_from - interval '1 microsecond');
    while v_slot < v_end and cardinality(v_messages) < v_most loop
        v_messages := v_messages || postrider.slot_message(s, v_slot);
        v_slot := postrider.next_slot(s.parsed, s.time_zone, v_slot);
    end loop;
    fired := postrider.publish_many(to_jsonb(v_messages));
    next_from := case when v_slot < v_end then v_slot end;
    update postrider.schedule set fired = schedule.fired + backfill_schedule.fired where name = p_name;
    perform postrider.write_audit(
        p_actor, 'backfill_schedule', p_reason, jsonb_build_object('schedule', p_name, 'from', p_from, 'to', p_to), null,
        jsonb_build_object('fired', fired, 'next_from', next_from));
end
$$;
