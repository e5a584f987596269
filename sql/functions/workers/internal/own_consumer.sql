-- own_consumer(consumer, owner): gives the consumers of a name that have no owner to a role: p_owner, or the session user.
-- Does nothing where the name has an owner.
-- Raises: PR001 for a role that does not exist, PR010 for one that the session user is not a member of and for Postrider's own roles, whose
--   members are the logins of all applications, unless the session user is an operator.
-- Touches: consumer_owner, audit.
-- postrider: after write_audit
create or replace function postrider.own_consumer(p_consumer text, p_owner text default null) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if p_owner is not null and not exists (select from pg_roles where rolname = p_owner) then
        raise exception using errcode = 'PR001', message = format('owner %L of consumer %s is not a role', p_owner, p_consumer),
            hint = 'Create the role first, or give one of pg_roles.';
    elsif p_owner is not null and not pg_has_role(session_user, p_owner, 'member')
          and not pg_has_role(session_user, 'postrider_operator', 'member') then
        raise exception using errcode = 'PR010',
            message = format('%s cannot give consumer %s to the role %s: it is not a member of that role', session_user, p_consumer,
                             p_owner),
            hint = 'Name a role that you are a member of, or ask an operator.';
    elsif p_owner in ('postrider_producer', 'postrider_worker', 'postrider_viewer', 'postrider_agent')
          and not pg_has_role(session_user, 'postrider_operator', 'member') then
        raise exception using errcode = 'PR010',
            message = format('%s cannot give consumer %s to %s: that would let every application work for it', session_user, p_consumer,
                             p_owner),
            hint = 'Name your login or a group role of your application, or ask an operator.';
    end if;
    insert into postrider.consumer_owner (name, role) values (p_consumer, coalesce(p_owner, session_user))
    on conflict do nothing;
    if found and p_owner <> session_user then
        perform postrider.write_audit(
            session_user, 'create_consumer', 'by ' || session_user, jsonb_build_object('consumer', p_consumer), null,
            jsonb_build_object('owner', p_owner));
    end if;
end
$$;
