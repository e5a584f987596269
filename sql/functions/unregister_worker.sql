-- unregister_worker(worker): forgets a worker that stopped; reap() takes back whatever it still holds.
-- Touches: worker (delete).
create or replace function postrider.unregister_worker(p_worker uuid) returns void
    language sql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$ delete from postrider.worker where id = p_worker $$;
