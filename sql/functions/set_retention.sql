-- set_retention(entity, active_ttl, grace, disposal, class): changes how long things of a kind are kept.
-- entity: outbox, dead_letter, event_handled, alert, replay or audit. p_class: a content class, only for outbox and
-- dead_letter ('*': all without a policy of their own). p_active_ttl null: takes the policy of a class away.
-- disposal: hard_delete, or keep (nothing is removed). The times are in days or less, never in
-- months, and at most 1000000 days: what lies further back is before every date.
-- Raises: PR001 for another value, or if event_handled would not outlive outbox. Touches: retention_policy.
create or replace function postrider.set_retention(
    p_entity text,
    p_active_ttl interval,
    p_grace interval default '0',
    p_disposal text default 'hard_delete',
    p_class text default '*'
) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if p_entity is null or p_entity not in ('outbox', 'dead_letter', 'event_handled', 'alert', 'replay', 'audit') then
        raise exception using errcode = 'PR001',
            message = format('set_retention: %L is not kept by a policy', p_entity),
            hint = 'Use outbox, dead_letter, event_handled, alert, replay or audit.';
    elsif p_class is null or octet_length(p_class) not between 1 and 255
          or (p_class <> '*' and p_entity not in ('outbox', 'dead_letter')) then
        raise exception using errcode = 'PR001',
            message = format('set_retention: %s has no class %L', p_entity, p_class),
            hint = 'Only outbox and dead_letter have classes, the content_class of the message; * is for all others.';
    elsif p_grace is null or p_active_ttl <= interval '0' or p_grace < interval '0'
          or exists (select from unnest(array[p_active_ttl, p_grace]) t
                     where extract(year from t) <> 0 or extract(month from t) <> 0) then
        raise exception using errcode = 'PR001',
            message = 'set_retention: active_ttl must be positive, grace not negative, both without months or years',
            hint = 'Write days: interval ''45 days''.';
    elsif greatest(p_active_ttl, p_grace) > interval '1000000 days' then
        raise exception using errcode = 'PR001', message = 'set_retention: active_ttl and grace may have 1000000 days each',
            hint = 'What is never to go has the disposal keep.';
    elsif p_disposal is null or p_disposal not in ('hard_delete', 'keep') then
        raise exception using errcode = 'PR001', message = 'set_retention: disposal must be hard_delete or keep';
    end if;
    if p_active_ttl is null then
        delete from postrider.retention_policy where entity = p_entity and class = p_class;
        return;
    end if;
    insert into postrider.retention_policy (entity, class, active_ttl, grace, disposal)
    values (p_entity, p_class, p_active_ttl, p_grace, p_disposal)
    on conflict (entity, class) do update
    set active_ttl = excluded.active_ttl, grace = excluded.grace, disposal = excluded.disposal,
        changed_at = clock_timestamp(), changed_by = session_user;
end
$$;
