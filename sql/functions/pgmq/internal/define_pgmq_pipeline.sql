-- define_pgmq_pipeline(queue, consumer, diagnostics, actor, reason): gives every dead letter of a consumer behind a queue of pgmq a copy
-- there: a message in the queue <queue>_dlq and a row in a table for diagnostics, both written by the transaction that makes the dead
-- letter. A replay, a discard or the end of its retention removes both in its own transaction. A message that leaves <queue>_dlq by pgmq's
-- functions (delete, pop, archive, purge_queue) discards the dead letter in that transaction.
-- The queue and the consumer, on the channel broker, must exist. <queue>_dlq and the table are made where they do not.
-- p_diagnostics: the table, by default public.<queue>_dead_letters; one that exists must have the nine columns (require_diagnostics()), and
-- gets the column dlq_msg_id. A call that is repeated changes consumer or table, repairs triggers and rights, and writes copies that are
-- missing, also those lost with a dropped queue.
-- The caller is a superuser, or a member of postrider_owner that owns the queues and the table.
-- Returns: how many dead letters have copies now: 1000 at most are written by a call, and maintain() writes the others.
-- Raises: PR003 for a consumer that does not exist; PR012 when pgmq is not installed or too old, and when the consumer has another
--   queue; PR014 for a queue that does not exist; PR013 for malformed names; PR010 when another role owns a queue or the table; PR001 for
--   a table without the columns.
-- Touches: pgmq_pipeline, audit and the tables that keep_pgmq_copies() touches.
-- postrider: after require_own_pgmq, require_pgmq, require_diagnostics, watch_pgmq_queue, keep_pgmq_copies, drop_pgmq_copy, write_audit
create or replace function postrider.define_pgmq_pipeline(
    p_queue text, p_consumer text, p_diagnostics text default null, p_actor text default session_user,
    p_reason text default 'not given'
) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_consumer int;
    v_other text;
    v_table text;
begin
    perform postrider.require_pgmq(p_queue);
    perform postrider.require_own_pgmq(p_queue, null);  -- before a function of pgmq runs with the rights of the caller; the table follows
    select c.id into v_consumer from postrider.consumer c where c.name = p_consumer and c.channel = 'broker';
    if not found then
        raise exception using errcode = 'PR003', message = format('there is no consumer %s on channel broker', p_consumer),
            hint = 'Start its worker once, or make it for the role of its workers: '
                   || format('select postrider.create_consumer(%L, ''broker'', p_owner => ''ROLE'');', p_consumer);
    end if;
    select p.queue into v_other from postrider.pgmq_pipeline p where p.consumer_id = v_consumer and p.queue <> p_queue;
    if found then
        raise exception using errcode = 'PR012',
            message = format('the dead letters of consumer %s have copies in the queue %s_dlq', p_consumer, v_other),
            hint = format('Use a consumer per queue, or first: select postrider.remove_pgmq_pipeline(%L);', v_other);
    end if;
    if to_regclass(format('pgmq.%I', 'q_' || p_queue || '_dlq')) is null then
        execute format('select pgmq.create(%L)', p_queue || '_dlq');
    end if;
    v_table := postrider.require_diagnostics(coalesce(p_diagnostics, 'public.' || quote_ident(p_queue || '_dead_letters')));
    perform postrider.watch_pgmq_queue(p_queue, v_table);
    -- Copies in another table, of another consumer, or in a queue that was dropped are written again.
    execute format('select postrider.drop_pgmq_copy(k.delivery_id)
                    from postrider.pgmq_pipeline p join postrider.pgmq_copy k on k.queue = p.queue
                    where p.queue = $1 and ((p.diagnostics, p.consumer_id) <> ($2, $3) or not exists (
                        select from pgmq.%I q join postrider.delivery d on d.message_id::text = q.headers ->> ''ce_id''
                        where q.msg_id = k.msg_id and d.id = k.delivery_id))', 'q_' || p_queue || '_dlq')
    using p_queue, v_table, v_consumer;
    insert into postrider.pgmq_pipeline (queue, consumer_id, diagnostics) values (p_queue, v_consumer, v_table)
    on conflict (queue) do update
        set consumer_id = excluded.consumer_id, diagnostics = excluded.diagnostics, defined_at = clock_timestamp();
    perform postrider.write_audit(
        p_actor, 'define_pgmq_pipeline', p_reason, jsonb_build_object('queue', p_queue), null,
        jsonb_build_object('consumer', p_consumer, 'diagnostics', v_table));
    perform postrider.keep_pgmq_copies(p_time => interval '1 minute');
    return (select count(*) from postrider.pgmq_copy k where k.queue = p_queue and k.msg_id is not null);
end
$$;
