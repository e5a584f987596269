-- is_member(role): whether the session user is a member of a role, or of postrider_owner.
-- The session user and not the current one: callers run with their owner's rights, and SET ROLE changes nothing. A role that does
-- not exist has no members but itself.
create or replace function postrider.is_member(p_role text) returns boolean
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return p_role = session_user
        or exists (select from pg_roles r
                   where r.rolname in (p_role, 'postrider_owner') and pg_has_role(session_user, r.oid, 'member'));
end
$$;
