-- lock_set(set_id): locks the row of a set until the end of the transaction, and waits at most one second for the lock: a transaction of
-- another role may hold it for any time.
-- Returns: whether it is locked now. Touches: job_set (lock).
create or replace function postrider.lock_set(p_set_id bigint) returns boolean
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '1s'
    as $$
begin
    perform from postrider.job_set s where s.id = p_set_id for no key update;
    return found;
exception when lock_not_available then
    return false;
end
$$;
