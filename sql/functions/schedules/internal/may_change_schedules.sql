-- may_change_schedules(owner): whether the session user may change a schedule that belongs to a role: operators may, and members of
-- the role that may publish. A schedule is a right to publish.
-- postrider: after is_member
create or replace function postrider.may_change_schedules(p_owner text) returns boolean
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return postrider.is_member('postrider_operator')
        or postrider.is_member('postrider_producer') and postrider.is_member(p_owner);
end
$$;
