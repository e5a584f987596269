-- remove_schedule(name, actor, reason): removes a schedule. Its messages stay.
-- Raises: PR014 when there is no such schedule, PR010 for a session user who may not change it, PR001 without actor or reason.
-- Touches: schedule, audit.
-- postrider: grant worker, operator
-- postrider: after require_schedule, audit_schedule
create or replace function postrider.remove_schedule(
    p_name text, p_actor text default session_user, p_reason text default 'not given'
) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    s postrider.schedule := postrider.require_schedule(p_name, 'remove_schedule');
begin
    delete from postrider.schedule where name = p_name;
    perform postrider.audit_schedule('remove_schedule', p_actor, p_reason, p_name, s);
end
$$;
