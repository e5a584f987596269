-- take_lock(class, key, purpose, wait): waits for one of the engine's advisory locks until the end of the transaction, for p_wait at most (null: 5 s). The
-- engine holds them briefly, but any database user can take one and keep it.
-- p_purpose: the purpose of the lock, for the error.
-- Raises: 55P03 when it is still held after that time, with the holder.
-- postrider: after lock_holder
create or replace function postrider.take_lock(p_class int, p_key int, p_purpose text, p_wait text default null) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '5s'
    as $$
begin
    if not pg_try_advisory_xact_lock(p_class, p_key) then
        begin
            perform set_config('lock_timeout', p_wait, true) where p_wait is not null;  -- until the end of this function
            perform pg_advisory_xact_lock(p_class, p_key);
        exception when lock_not_available then
            raise exception using errcode = 'lock_not_available',
                message = format('the lock for %s is held by %s', p_purpose,
                                 coalesce(postrider.lock_holder(p_class, p_key), 'a session that has just ended')),
                hint = 'Workers hold it for milliseconds. End the session that holds it (pg_terminate_backend), and revoke the '
                       'pg_advisory_lock functions from PUBLIC: see SECURITY.md.';
        end;
    end if;
end
$$;
