-- lock_pgmq(queue, diagnostics): takes the table locks that writing and removing copies of dead letters needs, without waiting: a role that may read
-- the queues with pgmq's functions can also lock them for any time, and settle(), reap() and maintain() of all consumers call this function. A table
-- that does not exist is passed over. Raises: 55P03.
create or replace function postrider.lock_pgmq(p_queue text, p_diagnostics text) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    t regclass;
begin
    for t in
        select w.oid from (values (to_regclass(format('pgmq.%I', 'q_' || p_queue))), (to_regclass(format('pgmq.%I', 'q_' || p_queue || '_dlq'))),
                                  (to_regclass(p_diagnostics))) as w(oid)
        where w.oid is not null
    loop
        execute format('lock table %s in row exclusive mode nowait', t);
    end loop;
end
$$;
