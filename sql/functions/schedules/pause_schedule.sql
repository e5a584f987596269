-- pause_schedule(name, paused, actor, reason): stops or resumes a schedule. A resumed one continues with its first slot behind now: slots
-- of the pause do not fire by themselves; backfill_schedule() fires them.
-- Raises: PR014 when there is no such schedule, PR010 for a session user who may not change it, PR001 when p_paused is null, or for a
--   time zone that the server no longer has.
-- Touches: schedule, audit; notifies workers.
-- postrider: grant worker, operator
-- postrider: after require_schedule, require_time_zone, audit_schedule, notify_workers, next_slot, slot_at
create or replace function postrider.pause_schedule(
    p_name text, p_paused boolean default true, p_actor text default session_user, p_reason text default 'not given'
) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    s postrider.schedule := postrider.require_schedule(p_name, 'pause_schedule');
begin
    if p_paused is null then
        raise exception using errcode = 'PR001', message = 'pause_schedule: paused must be true to pause the schedule or false to resume it, got null';
    elsif p_paused then
        update postrider.schedule
        set paused = true, queued_slot = null, skipped = skipped + num_nonnulls(queued_slot)
        where name = p_name;
    elsif s.paused then
        perform postrider.require_time_zone(s.time_zone);
        s.next_slot := postrider.next_slot(s.parsed, s.time_zone, clock_timestamp());
        update postrider.schedule
        set paused = false, paused_reason = null, next_slot = s.next_slot,
            next_at = postrider.slot_at(s.name, s.next_slot, s.jitter)
        where name = p_name;
        perform postrider.notify_workers('schedule');
    end if;
    perform postrider.audit_schedule(
        case when p_paused then 'pause_schedule' else 'resume_schedule' end, p_actor, p_reason, p_name);
end
$$;
