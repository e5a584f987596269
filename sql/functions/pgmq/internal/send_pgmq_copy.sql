-- send_pgmq_copy(delivery): writes the copy of a dead letter: sends its payload to <queue>_dlq, inserts the row of the table for
-- diagnostics, and removes the message from the live queue if it is still there. Does nothing for a consumer without a pipeline.
-- If a copy cannot be written, for example because the queue was dropped or is locked or a privilege was revoked, the worker's report still succeeds.
-- The function raises a warning, and pgmq_copy has the problem until keep_pgmq_copies() succeeds.
-- The message in the live queue is found by its number and its time of sending: a queue that was made again counts from one.
-- Touches: pgmq_copy, the table for diagnostics, pgmq's queues; pgmq_pipeline (read).
-- postrider: after lock_pgmq, pgmq_headers, readable, require_own_pgmq
create or replace function postrider.send_pgmq_copy(p_delivery postrider.delivery) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    d constant postrider.delivery := p_delivery;
    v_columns constant text := 'queue_name, original_msg_id, payload, step, recording_id, read_ct, last_error, first_seen, dead_at, dlq_msg_id';
    p postrider.pgmq_pipeline;
    v_original bigint;
    v_payload constant jsonb := postrider.readable(d.payload);
    v_msg_id bigint;
    v_problem text;
begin
    select * into p from postrider.pgmq_pipeline where consumer_id = coalesce(d.origin_id, d.consumer_id);
    if not found then
        return;
    end if;
    begin
        perform postrider.require_own_pgmq(p.queue, p.diagnostics);
        perform postrider.lock_pgmq(p.queue, p.diagnostics);
        v_original := case when d.metadata ->> 'queue' = p.queue then (d.metadata ->> 'msg_id')::bigint end;
        execute 'select s from pgmq.send($1, $2, $3) s' into v_msg_id using p.queue || '_dlq', v_payload, postrider.pgmq_headers(d);
        execute format('insert into %1$s (%2$s) select %2$s from jsonb_populate_record(null::%1$s, $1)', p.diagnostics, v_columns)
        using jsonb_build_object(
            'queue_name', p.queue, 'original_msg_id', v_original, 'payload', v_payload,
            'step', coalesce(v_payload ->> 'step', d.handler), 'recording_id', v_payload ->> 'recording_id',
            'read_ct', d.attempts, 'last_error', d.last_error, 'first_seen', d.published_at, 'dead_at', d.dead_at,
            'dlq_msg_id', v_msg_id);
        -- Skips a locked message: its reader is about to delete it.
        execute format('delete from pgmq.%1$I where msg_id = (
                            select q.msg_id from pgmq.%1$I q where q.msg_id = $1 and q.enqueued_at = $2 for update skip locked)',
                       'q_' || p.queue)
        using v_original, d.published_at;
    exception when others then
        if sqlstate like '40%' then
            raise;  -- the caller retries the whole transaction
        end if;
        v_msg_id := null;
        v_problem := left(sqlerrm, 1000);
        raise warning 'the dead letter % has no copy in the queue %_dlq: %', d.id, p.queue, v_problem;
    end;
    insert into postrider.pgmq_copy (delivery_id, queue, msg_id, problem) values (d.id, p.queue, v_msg_id, v_problem)
    on conflict (delivery_id) do update set queue = excluded.queue, msg_id = excluded.msg_id, problem = excluded.problem;
end
$$;
