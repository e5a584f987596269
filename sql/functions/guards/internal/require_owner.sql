-- require_owner(consumer): refuses session users who are not members of the role that owns the consumers of this name.
-- Raises: PR010.
-- postrider: after may_work_for
create or replace function postrider.require_owner(p_consumer text) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if not postrider.may_work_for(p_consumer) then
        raise exception using errcode = 'PR010',
            message = format('consumer %s belongs to the role %s, and %s is not a member of it', p_consumer,
                             (select o.role from postrider.consumer_owner o where o.name = p_consumer), session_user),
            hint = format('Connect as a member of that role, or let an operator transfer it: '
                          'postrider consumers transfer %s --to ROLE.', p_consumer);
    end if;
end
$$;
