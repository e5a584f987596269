-- drop_pgmq_copy(delivery_id): removes the copy of a delivery that is no dead letter any more from <queue>_dlq and from the table for
-- diagnostics. A queue or table that was dropped is passed over.
-- The message is deleted only if it has the id of this delivery: a queue that was dropped and created again counts from one.
-- Raises: PR010 as require_own_pgmq(); 55P03 when another transaction has the message or a table locked. It does not wait: a reader that deletes the message waits for the delivery.
-- The row of pgmq_copy goes first, so pgmq_copy_left() finds none when the message leaves the queue.
-- Touches: pgmq_copy, the table for diagnostics, pgmq's queue; pgmq_pipeline, delivery (read).
-- postrider: after lock_pgmq, require_own_pgmq
create or replace function postrider.drop_pgmq_copy(p_delivery_id bigint) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    k postrider.pgmq_copy;
    v_table text;
    v_dlq text;
begin
    delete from postrider.pgmq_copy where delivery_id = p_delivery_id returning * into k;
    if k.msg_id is null then
        return;
    end if;
    select p.diagnostics into v_table from postrider.pgmq_pipeline p where p.queue = k.queue;
    perform postrider.require_own_pgmq(k.queue, v_table);
    perform postrider.lock_pgmq(k.queue, v_table);
    v_dlq := format('pgmq.%I', 'q_' || k.queue || '_dlq');
    if to_regclass(v_dlq) is not null then
        execute format('delete from %1$s where msg_id = (
                            select q.msg_id from %1$s q join postrider.delivery d on d.message_id::text = q.headers ->> ''ce_id''
                            where q.msg_id = $1 and d.id = $2 for update of q nowait)', v_dlq)
        using k.msg_id, k.delivery_id;
    end if;
    -- Skips a locked row: another session is deleting it.
    if to_regclass(v_table) is not null then
        execute format('delete from %1$s where ctid = any (array(
                            select t.ctid from %1$s t where t.dlq_msg_id = $1 and t.queue_name = $2 for update skip locked))', v_table)
        using k.msg_id, k.queue;
    end if;
exception when lock_not_available then
    raise exception using errcode = '55P03', message = format('a reader of the queue %s_dlq has message %s', k.queue, k.msg_id),
        hint = 'Try again when its transaction has ended.';
end
$$;
