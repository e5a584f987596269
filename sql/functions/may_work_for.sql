-- may_work_for(consumer): whether the session user is a member of the role that owns the consumers of this name.
-- The session user and not the current one: callers run with their owner's rights, and SET ROLE changes nothing. A consumer
-- without an owner is open to every worker. Members of postrider_owner may work for all.
-- Touches: consumer_owner (read).
create or replace function postrider.may_work_for(p_consumer text) returns boolean
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_role text := (select o.role from postrider.consumer_owner o where o.name = p_consumer);
begin
    return v_role is null or v_role = session_user
        or exists (select from pg_roles r
                   where r.rolname in (v_role, 'postrider_owner') and pg_has_role(session_user, r.oid, 'member'));
end
$$;
