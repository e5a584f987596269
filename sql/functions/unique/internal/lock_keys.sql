-- lock_keys(seqs, until): locks the unique keys of jobs. A claim may hold one while it marks the next job of a serial key. The caller holds locks of
-- several roles, so all waits together end at p_until.
-- Raises: 55P03 when it cannot lock all of them until then.
-- Touches: unique_job (lock).
-- postrider: after wait_until
create or replace function postrider.lock_keys(p_seqs bigint[], p_until timestamptz) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '2s'  -- changed below
    as $$
begin
    perform postrider.wait_until(p_until)
    from postrider.unique_job u where u.seq = any (p_seqs) order by u.consumer_id, u.handler, u.key, u.place for update;
end
$$;
