-- wait_for_claims(consumer_id, limit): waits for the lock of a consumer's claims. Claims of one consumer are short and serial; the
-- work they hand out is parallel.
-- A small claim polls instead of joining the lock's queue: PostgreSQL hands a lock to the next waiter, which holds it while it wakes
-- up, and with many small claims that is most of the time.
-- Raises: 55P03 when another session holds the lock for 5 s.
-- postrider: after take_lock, lock_claims
create or replace function postrider.wait_for_claims(p_consumer_id int, p_limit int) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    for v_try in 1..case when p_limit > 50 then 0 else 10 end loop
        perform pg_sleep(0.002 * v_try);
        if pg_try_advisory_xact_lock(postrider.lock_claims(), p_consumer_id) then
            return;
        end if;
    end loop;
    perform postrider.take_lock(postrider.lock_claims(), p_consumer_id, 'claims of consumer ' || p_consumer_id);
end
$$;
