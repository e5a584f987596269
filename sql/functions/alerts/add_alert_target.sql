-- add_alert_target(target, configuration, started): adds a target: every alert that is raised from now on is also sent to it.
-- A target is a name; the sender defines its meaning, for example a webhook. p_configuration: a fingerprint of the place that the caller
-- sends to, without secrets; may_send_alerts() compares it with those of other senders. p_started: the caller has just started. A
-- configuration that no sender used for a minute is then introduced once more, so that a deployment that was rolled back takes over.
-- The session user who introduces a target owns it.
-- Returns: whether the caller may send the target's alerts, as may_use_target(); if not, nothing has changed.
-- Raises: PR001 for a target or a configuration that is empty or longer than 127 bytes, PR002 for more than 100 targets, because every
--   alert has a row for each, and above the quota role_alert_targets. PR005 for a
--   new target outside READ COMMITTED, 55P03 when the transaction of another caller goes on: workers claim in the same session.
-- Touches: alert_target, alert_configuration, audit.
-- postrider: grant worker, operator
-- postrider: after end_soon, may_use_target, require_quota, write_audit
create or replace function postrider.add_alert_target(
    p_target text, p_configuration text default null, p_started boolean default false
) returns boolean
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '100ms'
    as $$
declare
    v_now timestamptz := clock_timestamp();
begin
    if coalesce(octet_length(p_target), 0) not between 1 and 127 then
        raise exception using errcode = 'PR001', message = 'add_alert_target: the name of a target must have 1 to 127 bytes';
    elsif octet_length(p_configuration) not between 1 and 127 then
        raise exception using errcode = 'PR001',
            message = 'add_alert_target: a configuration must be a fingerprint of 1 to 127 bytes';
    end if;
    perform postrider.end_soon();
    if not exists (select from postrider.alert_target where name = p_target) then
        -- Serializes the count, so that two callers cannot both add the hundredth target. The lock mode does not
        -- block claim_alerts().
        begin
            lock table postrider.alert_target in share update exclusive mode;
        exception when lock_not_available then
            raise exception using errcode = 'lock_not_available',
                message = 'add_alert_target: another transaction adds or removes a target and has not ended', hint = 'Try again.';
        end;
        if (select count(*) >= 100 from postrider.alert_target) then
            raise exception using errcode = 'PR002', message = 'add_alert_target: there are 100 alert targets, which is the limit',
                hint = 'Remove targets that are no longer used: postrider.remove_alert_target.';
        end if;
        perform postrider.require_quota(
            session_user, 'role_alert_targets', (select count(*) + 1 from postrider.alert_target t where t.owner = session_user), 'alert targets');
        insert into postrider.alert_target (name, owner) values (p_target, session_user) on conflict do nothing;
        if found then
            perform postrider.write_audit(
                session_user, 'add_alert_target', 'by ' || session_user, jsonb_build_object('target', p_target));
        end if;
    end if;
    if not postrider.may_use_target(p_target, p_configuration) then
        return false;
    end if;
    if p_configuration is not null then
        delete from postrider.alert_configuration c
        where c.target = p_target and c.seen_at < v_now - interval '1 day' and c.configuration <> p_configuration;
        insert into postrider.alert_configuration as c (target, configuration, introduced_at, seen_at)
        values (p_target, p_configuration, v_now, v_now)
        on conflict (target, configuration) do update
        set seen_at = v_now,
            introduced_at = case when p_started and c.seen_at < v_now - interval '1 minute' then v_now
                                 else c.introduced_at end;
    end if;
    return true;
end
$$;
