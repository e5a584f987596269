-- may_send_alerts(target, configuration): whether a sender of add_alert_target()'s target and configuration may send.
-- Senders of one target that send to different places would share its alerts at random. So one configuration at a time
-- may send: the one that was introduced last, of those whose senders called this function within the last minute. A
-- sender calls it before every claim_alerts(), also while it may not send.
-- A sender that may not use the target may not send.
-- Touches: alert_configuration (periodically).
-- postrider: grant worker, operator
-- postrider: after may_use_target
create or replace function postrider.may_send_alerts(p_target text, p_configuration text) returns boolean
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_now timestamptz := clock_timestamp();
    v_introduced_at timestamptz;
begin
    -- A locked row is skipped: the sender that holds it updates the same column.
    update postrider.alert_configuration c set seen_at = v_now
    where (c.target, c.configuration) in (
        select o.target, o.configuration from postrider.alert_configuration o
        where o.target = p_target and o.configuration = p_configuration and o.seen_at < v_now - interval '15 seconds'
        for no key update skip locked);
    select c.introduced_at into v_introduced_at
    from postrider.alert_configuration c
    where c.target = p_target and c.configuration = p_configuration;
    return postrider.may_use_target(p_target, p_configuration) and not exists (
        select from postrider.alert_configuration c
        where c.target = p_target and c.seen_at > v_now - interval '1 minute'
          and (c.introduced_at, c.configuration) > (v_introduced_at, p_configuration));
end
$$;
