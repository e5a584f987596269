-- audit_schedule(action, actor, reason, name, before, after): records the change of a schedule. Its payload, headers and metadata are
-- left out, like those of every message.
-- Touches: audit.
-- postrider: after write_audit
create or replace function postrider.audit_schedule(
    p_action text, p_actor text, p_reason text, p_name text, p_before postrider.schedule default null,
    p_after postrider.schedule default null
) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_definitions jsonb[];
begin
    select array_agg(case when d.name is not null then jsonb_build_object(
                         'cron', d.cron, 'time_zone', d.time_zone, 'overlap', d.overlap, 'catch_up', d.catch_up, 'jitter', d.jitter,
                         'message', d.message - '{payload,headers,metadata}'::text[]) end order by d.n)
    into v_definitions
    from (select 1 as n, (p_before).* union all select 2, (p_after).*) d;
    perform postrider.write_audit(p_actor, p_action, p_reason, jsonb_build_object('schedule', p_name), v_definitions[1], v_definitions[2]);
end
$$;
