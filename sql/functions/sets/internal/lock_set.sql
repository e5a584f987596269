-- lock_set(set_id, until): locks the row of a set until the end of the transaction, and waits until this time at most for the lock: a transaction
-- of another role may hold it for any time.
-- Returns: whether it is locked now. Touches: job_set (lock).
-- postrider: after wait_until
create or replace function postrider.lock_set(p_set_id bigint, p_until timestamptz) returns boolean
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '1s'  -- changed below
    as $$
begin
    if clock_timestamp() >= p_until then
        return false;
    end if;
    perform postrider.wait_until(p_until);
    perform from postrider.job_set s where s.id = p_set_id for no key update;
    return found;
exception when lock_not_available then
    return false;
end
$$;
