-- claim_alerts(target, limit, lease, configuration): leases unsent alerts to a sender of a target, the oldest first. Consumers take turns, so that the
-- alerts of one with many do not delay those of the others.
-- Several senders may claim at once. An alert that is not settled within p_lease is handed out again, so a target may see an
-- alert twice, with the same alert_id. A target that fails delays no other. p_configuration: as in add_alert_target().
-- Returns: at most p_limit alerts, each with the token to settle it by. kind is dead_letter, key_backlog, key_released or circuit_opened; the last
--   one has no event. last_error is null for a caller that may neither work for the alert's consumer nor is an operator: error texts quote the
--   messages of a consumer.
-- Raises: PR001 for a bad limit or lease, PR010 where may_use_target() is false.
-- Touches: alert_sending (update), alert_target (periodically); alert (read).
-- postrider: grant worker, operator
-- postrider: after is_member, may_use_target, may_work_for, next_alerts
create or replace function postrider.claim_alerts(
    p_target text, p_limit int default 10, p_lease interval default '1 minute', p_configuration text default null
) returns table (
    alert_id bigint, token uuid, kind text, event_id uuid, event_type text, source text, target text,
    handler_name text, last_error text, attempts int, consumer text, channel text, delivery_id bigint, cycle int,
    fingerprint text, error_class text, at timestamptz, tries int
)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
#variable_conflict use_column
declare
    v_now timestamptz := clock_timestamp();
    v_token uuid := gen_random_uuid();
    v_operator constant boolean := postrider.is_member('postrider_operator');
begin
    if p_limit is null or p_limit not between 1 and 10000 then
        raise exception using errcode = 'PR001', message = 'claim_alerts: the limit must be between 1 and 10000';
    elsif p_lease is null or p_lease <= interval '0' then
        raise exception using errcode = 'PR001', message = 'claim_alerts: the lease must be a positive interval';
    elsif not postrider.may_use_target(p_target, p_configuration) then
        raise exception using errcode = 'PR010',
            message = format('claim_alerts: the target %s belongs to another role, which sends its alerts elsewhere', p_target),
            hint = 'Give the target another name, or connect as a member of the role that introduced it.';
    end if;
    -- retention_records() removes a target without senders.
    update postrider.alert_target t set seen_at = v_now
    where t.name in (select o.name from postrider.alert_target o
                     where o.name = p_target and o.seen_at < v_now - interval '1 hour' for no key update skip locked);
    return query
    with chosen as materialized (
        select s.alert_id
        from postrider.next_alerts(p_target, v_now, p_limit) n
        join postrider.alert_sending s on s.alert_id = n.alert_id and s.target = p_target
        where s.available_at <= v_now
        order by n.turn, n.available_at, n.alert_id
        limit p_limit
        for no key update of s skip locked
    ), claimed as (
        update postrider.alert_sending s
        set token = v_token, attempts = s.attempts + 1, available_at = v_now + p_lease
        from chosen c
        where s.target = p_target and s.alert_id = c.alert_id
        returning s.alert_id, s.attempts
    )
    select a.id, v_token, a.kind, a.event_id, a.event_type, a.source, a.target, a.handler_name,
           case when v_operator or postrider.may_work_for(a.consumer) then a.last_error end, a.attempts, a.consumer, a.channel,
           a.delivery_id, a.cycle, a.fingerprint, a.error_class, a.at, c.attempts
    from claimed c join postrider.alert a on a.id = c.alert_id
    order by a.id;
end
$$;
