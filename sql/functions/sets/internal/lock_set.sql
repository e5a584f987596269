-- lock_set(set_id, until): locks the row of a set until the end of the transaction, and waits until this time at most for the lock: a transaction
-- of another role may hold it for any time. A single wait would have no bound, see retry_lock(); short ones keep the order of the waiting sessions.
-- Returns: whether it is locked now. Touches: job_set (lock).
create or replace function postrider.lock_set(p_set_id bigint, p_until timestamptz) returns boolean
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '20ms'
    as $$
begin
    while clock_timestamp() < p_until loop
        begin
            perform from postrider.job_set s where s.id = p_set_id for no key update;
            return found;
        exception when lock_not_available then
            null;
        end;
    end loop;
    return false;
end
$$;
