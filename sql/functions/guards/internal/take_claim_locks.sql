-- take_claim_locks(consumer_ids, wait): takes the claim locks of these consumers, in the order of their ids. It waits for all of them together for
-- p_wait at most (null: 5 s): claims of the consumers whose locks it has wait meanwhile, and they may belong to different roles.
-- Raises: 55P03 as take_lock().
-- postrider: after take_lock, lock_claims
create or replace function postrider.take_claim_locks(p_consumer_ids int[], p_wait interval default null) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_until constant timestamptz := clock_timestamp() + coalesce(p_wait, interval '5 seconds');
    v_id int;
begin
    for v_id in select distinct i from unnest(p_consumer_ids) i where i is not null order by 1 loop
        perform postrider.take_lock(
            postrider.lock_claims(), v_id, 'claims of consumer ' || v_id,
            greatest(1, ceil(extract(epoch from v_until - clock_timestamp()) * 1000)) || 'ms');
    end loop;
end
$$;
