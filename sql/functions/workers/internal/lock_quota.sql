-- lock_quota(role, things, wait): lets other transactions that count the same things of a role (null: of none) for a quota wait until this one
-- ends.
-- Raises: 55P03 as take_lock(), after p_wait.
-- postrider: after take_lock, lock_quotas
create or replace function postrider.lock_quota(p_role text, p_things text, p_wait text default null) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    perform postrider.take_lock(postrider.lock_quotas(), hashtext(concat_ws(' of ', p_things, p_role)),
                                format('the quota of %s of %s', p_things, coalesce(p_role, 'consumers without an owner')), p_wait);
end
$$;
