-- may_work_for(consumer): whether the session user is a member of the role that owns the consumers of this name.
-- A consumer without an owner is open to every worker. Members of postrider_owner may work for all.
-- Touches: consumer_owner (read).
-- postrider: after is_member
create or replace function postrider.may_work_for(p_consumer text) returns boolean
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_role text := (select o.role from postrider.consumer_owner o where o.name = p_consumer);
begin
    return v_role is null or postrider.is_member(v_role);
end
$$;
