-- read_pgmq_copies(deliveries): the dead letters among these whose copy in <queue>_dlq a reader has: the message is invisible (vt), or
-- another transaction has it, or the queue, locked. Its reader may be about to send it to the live queue. The copies of the others stay locked, so no
-- reader gets them before this transaction ends.
-- Locks deliveries first, like every function that ends a dead letter.
-- Touches: delivery (lock), pgmq's queues (lock); pgmq_copy (read).
-- postrider: after lock_pgmq
create or replace function postrider.read_pgmq_copies(p_deliveries bigint[]) returns bigint[]
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_all bigint[] := '{}';
    v_read bigint[];
    r record;
begin
    if not exists (select from postrider.pgmq_pipeline) then
        return v_all;
    end if;
    perform from postrider.delivery d where d.id = any (p_deliveries) order by d.id for no key update;
    for r in
        select k.queue, format('pgmq.%I', 'q_' || k.queue || '_dlq') as dlq, array_agg(k.delivery_id) as deliveries, array_agg(k.msg_id) as messages
        from postrider.pgmq_copy k
        where k.delivery_id = any (p_deliveries) and k.msg_id is not null
        group by k.queue order by k.queue
    loop
        continue when to_regclass(r.dlq) is null;
        begin
            perform postrider.lock_pgmq(r.queue, null);
        exception when lock_not_available then
            v_all := v_all || r.deliveries;
            continue;
        end;
        execute format(
            'with free as materialized (
                 select q.msg_id from %1$s q where q.msg_id = any ($1) and q.vt <= clock_timestamp() order by q.msg_id for update skip locked)
             select array(select q.msg_id from %1$s q where q.msg_id = any ($1) and q.msg_id not in (select f.msg_id from free f))', r.dlq)
        into v_read using r.messages;
        v_all := v_all || array(select c.delivery from unnest(r.deliveries, r.messages) as c(delivery, message) where c.message = any (v_read));
    end loop;
    return v_all;
end
$$;
