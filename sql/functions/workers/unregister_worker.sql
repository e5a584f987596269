-- unregister_worker(worker): forgets a worker that stopped; reap() takes back what it still holds. Does nothing when it is not known.
-- Raises: PR010 when the session user neither registered it nor may work for its consumer.
-- Touches: worker (delete).
-- postrider: grant worker
-- postrider: after require_worker
create or replace function postrider.unregister_worker(p_worker uuid) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if exists (select from postrider.worker where id = p_worker) then
        perform postrider.require_worker(p_worker);
        delete from postrider.worker where id = p_worker;
    end if;
end
$$;
