-- drop_pgmq_copy(delivery_id): removes the copy of a delivery that is no dead letter any more from <queue>_dlq and from the table for
-- diagnostics. A queue or table that was dropped is passed over.
-- The message is that of the queue only if it has the id of this one: a queue that was made again counts from one.
-- The row of pgmq_copy goes first, so pgmq_copy_left() finds none when the message leaves the queue.
-- Touches: pgmq_copy, the table for diagnostics, pgmq's queue; pgmq_pipeline, delivery (read).
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
    v_dlq := format('pgmq.%I', 'q_' || k.queue || '_dlq');
    if to_regclass(v_table) is not null then
        execute format('delete from %s where dlq_msg_id = $1 and queue_name = $2', v_table) using k.msg_id, k.queue;
    end if;
    if to_regclass(v_dlq) is not null then
        execute format('delete from %s where msg_id = $1 and headers ->> ''ce_id'' = (
                            select d.message_id::text from postrider.delivery d where d.id = $2)', v_dlq)
        using k.msg_id, k.delivery_id;
    end if;
end
$$;
