-- define_schedule(name, definition, actor, reason, consumer): makes sure that a schedule exists and is as the definition says.
-- definition: {"cron": "0 3 * * *", "message": {"event_type": "report.due", …}, "time_zone": "Europe/Berlin", "overlap": "skip",
-- "catch_up": "1 hour", "jitter": "30 seconds"}. cron and message are required. cron: parse_cron()'s. message: publish_many()'s, without
-- id, occurred_at, available_at and idempotency_key. overlap: the policy for a slot while the schedule's last message is unfinished
-- (slot_unfinished()): allow publishes its message anyway, skip does not, queue_one holds it back until the last message has ended, and
-- skips further slots. catch_up: how late a slot may be fired. jitter: slots are due up to this much later, each by an amount of its
-- own. A new schedule belongs to the session user; with p_consumer to the role that owns the consumer, so that workers of other logins
-- may declare it as well. A change does not pause or resume the schedule. If cron or time_zone changed, it continues with its first slot
-- after now. The same definition again changes nothing, and needs no right to the schedule.
-- Returns: created, changed or unchanged.
-- Raises: PR013 for a bad name, PR001 for a definition that cannot be used, PR002 for one that is too large, and above the
--   quota role_schedules, PR005 for a new schedule outside READ COMMITTED, PR010 for a session user who may not change the schedule or does
--   not work for the consumer, 55P03 when another transaction that defines it, or a new one of the
--   role, does not end within a second.
-- Touches: schedule, audit; consumer_owner (read); notifies workers.
-- postrider: grant worker, operator
-- postrider: after is_member, require_quota, lock_quota, read_schedule, require_schedule, require_owner, may_change_schedules, audit_schedule, notify_workers, slot_at
create or replace function postrider.define_schedule(
    p_name text, p_definition jsonb, p_actor text default session_user, p_reason text default 'not given',
    p_consumer text default null
) returns text
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '1s'
    as $$
declare
    s postrider.schedule;
    b postrider.schedule;  -- before
    v_owner text := session_user;
begin
    if not postrider.may_change_schedules(session_user) then
        raise exception using errcode = 'PR010', message = format('define_schedule: %s may not publish', session_user),
            hint = format('grant postrider_producer to %I;', session_user);
    end if;
    if p_consumer is not null then
        perform postrider.require_owner(p_consumer);
        v_owner := coalesce((select o.role from postrider.consumer_owner o where o.name = p_consumer), v_owner);
    end if;
    s := postrider.read_schedule(p_name, p_definition);
    if not exists (select from postrider.schedule e where e.name = p_name) then
        perform postrider.lock_quota(v_owner, 'schedules', '1s');
    end if;
    begin
        insert into postrider.schedule (name, cron, parsed, time_zone, message, overlap, catch_up, jitter, next_slot, next_at, owner)
        values (s.name, s.cron, s.parsed, s.time_zone, s.message, s.overlap, s.catch_up, s.jitter, s.next_slot, s.next_at, v_owner)
        on conflict (name) do nothing;
    exception when lock_not_available then
        raise exception using errcode = 'lock_not_available',
            message = format('define_schedule: another transaction defines the schedule %s and has not ended', p_name), hint = 'Try again.';
    end;
    if found then
        -- Every worker fires all schedules, and lists and figures show them all. Another transaction may have removed it meanwhile.
        perform postrider.lock_quota(v_owner, 'schedules', '1s');
        perform postrider.require_quota(v_owner, 'role_schedules', (select count(*) from postrider.schedule o where o.owner = v_owner), 'schedules');
        perform postrider.audit_schedule('define_schedule', p_actor, p_reason, p_name, null, s),
                postrider.notify_workers('schedule');
        return 'created';
    end if;
    if exists (select from postrider.schedule e
               where e.name = p_name and (e.cron, e.time_zone, e.message, e.overlap, e.catch_up, e.jitter)
                     = (s.cron, s.time_zone, s.message, s.overlap, s.catch_up, s.jitter)) then
        return 'unchanged';
    end if;
    b := postrider.require_schedule(p_name, 'define_schedule');
    if (b.cron, b.time_zone) = (s.cron, s.time_zone) then
        s.next_slot := b.next_slot;
        s.next_at := postrider.slot_at(s.name, s.next_slot, s.jitter);
    end if;
    update postrider.schedule
    set cron = s.cron, parsed = s.parsed, time_zone = s.time_zone, message = s.message, overlap = s.overlap,
        catch_up = s.catch_up, jitter = s.jitter, next_slot = s.next_slot, next_at = s.next_at, queued_slot = null,
        changed_at = clock_timestamp(), skipped = skipped + num_nonnulls(queued_slot)
    where name = p_name;
    perform postrider.audit_schedule('define_schedule', p_actor, p_reason, p_name, b, s), postrider.notify_workers('schedule');
    return 'changed';
end
$$;
