-- lock_set(set_id): locks the row of a set until the end of the transaction, after a wait of one second at most: another transaction that ends
-- members of the set has it locked until its own end, and may be of another role, which need not end it.
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
