-- run_schedule(name, actor, reason): publishes the message of a schedule now, paused or not, whatever its overlap policy. Its slots do
-- not change. For the overlap policy of later slots, this message is the schedule's last one.
-- Returns: the id of the message.
-- Raises: PR014 when there is no such schedule, PR010 for a session user who may not change it, PR001 without actor or reason.
-- Touches: schedule, message, audit.
-- postrider: grant worker, operator
-- postrider: after require_schedule, audit_schedule, slot_message, note_published, publish_many
create or replace function postrider.run_schedule(
    p_name text, p_actor text default session_user, p_reason text default 'not given'
) returns uuid
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set timezone = 'UTC'  -- times in JSON do not depend on the caller's settings
    as $$
declare
    s postrider.schedule := postrider.require_schedule(p_name, 'run_schedule');
    v_now constant timestamptz := clock_timestamp();
    v_message constant jsonb := postrider.slot_message(s, v_now);
begin
    perform postrider.publish_many(jsonb_build_array(v_message));
    update postrider.schedule
    set last_fired_at = v_now, last_message_id = (v_message ->> 'id')::uuid, fired = fired + 1
    where name = p_name;
    perform postrider.note_published(array[p_name], v_now);
    perform postrider.audit_schedule('run_schedule', p_actor, p_reason, p_name);
    return v_message ->> 'id';
end
$$;
