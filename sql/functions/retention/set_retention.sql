-- set_retention(entity, active_ttl, grace, disposal, class, actor, reason): changes how long rows of an entity are kept, and records
-- the change in the audit.
-- entity: outbox, dead_letter, event_handled, alert, replay or audit. p_class: a content class, only for outbox and
-- dead_letter ('*': all without a policy of their own). p_active_ttl null: removes the policy of a class.
-- disposal: hard_delete, or keep (nothing is removed). The times are in days or less, never in
-- months, and at most 1000000 days, because earlier dates are out of range.
-- Audit entries are kept for the setting audit_floor at least, which only members of postrider_owner can change.
-- Raises: PR001 for another value, or if event_handled would not outlive outbox, or without actor or reason.
-- Touches: retention_policy, audit.
-- postrider: grant operator
-- postrider: after write_audit, audit_floor
create or replace function postrider.set_retention(
    p_entity text,
    p_active_ttl interval,
    p_grace interval default '0',
    p_disposal text default 'hard_delete',
    p_class text default '*',
    p_actor text default session_user,
    p_reason text default 'not given'
) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_before jsonb;
    v_after jsonb;
begin
    if p_entity is null or p_entity not in ('outbox', 'dead_letter', 'event_handled', 'alert', 'replay', 'audit') then
        raise exception using errcode = 'PR001',
            message = format('set_retention: there is no retention policy for %L', p_entity),
            hint = 'Use outbox, dead_letter, event_handled, alert, replay or audit.';
    elsif p_class is null or octet_length(p_class) not between 1 and 255
          or (p_class <> '*' and p_entity not in ('outbox', 'dead_letter')) then
        raise exception using errcode = 'PR001',
            message = format('set_retention: %s has no class %L', p_entity, p_class),
            hint = 'Only outbox and dead_letter have classes, the content_class of the message; * is for all others.';
    elsif p_grace is null or p_active_ttl <= interval '0' or p_grace < interval '0'
          or exists (select from unnest(array[p_active_ttl, p_grace]) t
                     where extract(year from t) <> 0 or extract(month from t) <> 0 or least(extract(day from t), extract(hour from t)) < 0) then
        raise exception using errcode = 'PR001',
            message = 'set_retention: active_ttl must be positive, grace not negative, both without months, years and negative parts',
            hint = 'Write days: interval ''45 days''.';
    elsif greatest(p_active_ttl, p_grace) > interval '1000000 days' then
        raise exception using errcode = 'PR001', message = 'set_retention: active_ttl and grace must be at most 1000000 days each',
            hint = 'Use the disposal keep to keep rows for ever.';
    elsif p_disposal is null or p_disposal not in ('hard_delete', 'keep') then
        raise exception using errcode = 'PR001', message = 'set_retention: disposal must be hard_delete or keep';
    elsif p_entity = 'audit' and p_disposal <> 'keep' and p_active_ttl + p_grace < postrider.audit_floor() then
        raise exception using errcode = 'PR001',
            message = format('set_retention: audit entries are kept for at least %s', postrider.audit_floor()),
            hint = 'Only a member of postrider_owner can lower that: the setting audit_floor.';
    end if;
    select to_jsonb(p) into v_before from postrider.retention_policy p where p.entity = p_entity and p.class = p_class for update;
    if p_active_ttl is null then
        delete from postrider.retention_policy where entity = p_entity and class = p_class;
    else
        insert into postrider.retention_policy as p (entity, class, active_ttl, grace, disposal)
        values (p_entity, p_class, p_active_ttl, p_grace, p_disposal)
        on conflict (entity, class) do update
        set active_ttl = excluded.active_ttl, grace = excluded.grace, disposal = excluded.disposal,
            changed_at = clock_timestamp(), changed_by = session_user
        returning to_jsonb(p) into v_after;
    end if;
    perform postrider.write_audit(
        p_actor, 'set_retention', p_reason, jsonb_build_object('entity', p_entity, 'class', p_class),
        v_before - '{entity,class}'::text[], v_after - '{entity,class}'::text[]);
end
$$;
