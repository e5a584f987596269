-- require_quota(role, quota, count, things): refuses a role more consumers, handlers, workers and so on than the setting p_quota allows,
-- unless the session user is an operator. Claims, maintenance and figures, which all roles share, read them all.
-- The caller has counted under a lock, for which each statement needs a snapshot of its own.
-- Raises: PR002, PR005.
-- Touches: setting (read).
-- postrider: after is_member, require_read_committed
create or replace function postrider.require_quota(p_role text, p_quota text, p_count bigint, p_things text) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_max bigint := (select s.value::bigint from postrider.setting s where s.name = p_quota);
begin
    perform postrider.require_read_committed('a change that a quota limits');
    if p_count > v_max and not postrider.is_member('postrider_operator') then
        raise exception using errcode = 'PR002',
            message = format('the role %s may have at most %s %s', coalesce(p_role, session_user), v_max, p_things),
            hint = format('Remove those that are no longer used, or let a member of postrider_owner raise the quota: update postrider.setting '
                          'set value = ''%s'' where name = %L.', 2 * v_max, p_quota);
    end if;
end
$$;
