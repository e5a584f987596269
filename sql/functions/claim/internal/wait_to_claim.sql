-- wait_to_claim(consumer_id, limit): takes the claim lock of a consumer, which another session holds, until the end of the transaction.
-- For small claims a session polls the lock instead of queueing for it: a lock that is granted to a sleeping session is held until the
-- session wakes up, and with many small claims that is most of the time.
-- Raises: 55P03 like take_lock().
-- postrider: after take_lock, lock_claims
create or replace function postrider.wait_to_claim(p_consumer_id int, p_limit int) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_tries int := 0;
begin
    while not pg_try_advisory_xact_lock(postrider.lock_claims(), p_consumer_id) loop
        v_tries := v_tries + 1;
        if v_tries > 10 or p_limit > 50 then
            perform postrider.take_lock(postrider.lock_claims(), p_consumer_id, 'claims of consumer ' || p_consumer_id);
            exit;
        end if;
        perform pg_sleep(0.002 * v_tries);
    end loop;
end
$$;
