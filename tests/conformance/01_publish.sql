-- Publishing: in the producer's transaction, into one outbox, beside business state that stays where it is.
\ir include/check.sql

-- check: nothing_is_published_by_a_transaction_that_rolls_back
create table if not exists promise.orders (id int);
begin;
insert into promise.orders values (1);
select postrider.publish('order.placed', '{"order": 1}', 'shop', p_channel => 'rollback') \g /dev/null
rollback;
begin;
insert into promise.orders values (2);
select postrider.publish('order.placed', '{"order": 2}', 'shop', p_channel => 'rollback') \g /dev/null
commit;
do $$
begin
    assert (select array_agg(id) from promise.orders) = '{2}';
    assert (select array_agg(payload ->> 'order') from postrider.message where channel = 'rollback') = '{2}';
end
$$;

-- check: one_outbox_for_every_source
do $$
declare
    w uuid := promise.worker('sources');
begin
    perform postrider.publish('a', p_source => 'shop', p_channel => 'sources'), postrider.publish('b', p_source => 'accounts', p_channel => 'sources');
    commit;
    assert (select array_agg(source order by source) from postrider.outbox where channel = 'sources') = '{accounts,shop}';
    assert (select count(*) from pg_class where relnamespace = 'postrider'::regnamespace and relkind = 'p') = 1, 'there is one log';
end
$$;

-- check: a_message_reaches_every_consumer_or_its_target_alone
do $$
declare
    billing uuid := promise.worker('flows', p_consumer => 'billing');
    mail uuid := promise.worker('flows', p_consumer => 'mail');
begin
    perform postrider.publish('x', '{"n": 1}', p_channel => 'flows');
    perform postrider.publish('x', '{"n": 2}', p_channel => 'flows', p_target => 'mail');
    commit;
    assert promise.numbers(billing) = '{1}';
    assert promise.numbers(mail) = '{1,2}';
end
$$;

-- check: the_outbox_has_the_columns_that_were_asked_for
do $$
declare
    v_missing text;
begin
    select string_agg(concat_ws(' ', w.name, w.type, c.data_type), ', ') into v_missing
    from (values ('id', 'uuid'), ('event_type', 'text'), ('event_version', 'integer'), ('occurred_at', 'timestamp with time zone'),
                 ('source', 'text'), ('target', 'text'), ('content_class', 'text'), ('channel', 'text'), ('generation', 'bigint'),
                 ('workspace_id', 'uuid'), ('payload', 'jsonb'), ('idempotency_key', 'text'), ('trace_context', 'text'),
                 ('status', 'text'), ('attempts', 'integer'), ('last_error', 'text'), ('delivered_at', 'timestamp with time zone'),
                 ('deleted_at', 'timestamp with time zone'), ('failure_history', 'jsonb'),
                 ('first_failed_at', 'timestamp with time zone'), ('available_at', 'timestamp with time zone'),
                 ('claimed_at', 'timestamp with time zone'), ('worker_id', 'uuid'), ('deadline', 'timestamp with time zone'),
                 ('max_attempts', 'integer'), ('dead_at', 'timestamp with time zone'), ('cycle', 'integer')) w(name, type)
    left join information_schema.columns c
      on c.table_schema = 'postrider' and c.table_name = 'outbox' and c.column_name = w.name
    where c.data_type is distinct from w.type;
    assert v_missing is null, v_missing;
end
$$;

-- check: a_published_message_comes_back_unchanged
do $$
declare
    w uuid := promise.worker('same');
    v_id uuid := '018f0000-0000-7000-8000-000000000001';
    o postrider.outbox;
begin
    perform postrider.publish('scan.completed', '{"deep": {"list": [1, null, "ä"]}}', 'worlds', null, 'same', v_id, 3, '2026-01-02 03:04:05+00',
        '11111111-1111-1111-1111-111111111111', 'key', 'order', 'part', '{"h": 1}', '{"m": 2}',
        '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 'pii', 7);
    commit;
    o := promise.row_of('same');
    assert (o.id, o.event_type, o.event_version, o.occurred_at, o.source, o.workspace_id, o.payload, o.idempotency_key, o.ordering_key,
            o.partition_key, o.headers, o.metadata, o.trace_context, o.content_class, o.generation)
        = (v_id, 'scan.completed', 3, timestamptz '2026-01-02 03:04:05+00', 'worlds', '11111111-1111-1111-1111-111111111111'::uuid,
           '{"deep": {"list": [1, null, "ä"]}}'::jsonb, 'key', 'order', 'part', '{"h": 1}'::jsonb, '{"m": 2}'::jsonb,
           '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 'pii', 7);
    assert o.target is null and o.status = 'pending' and o.attempts = 0 and o.last_error is null and o.delivered_at is null
       and o.deleted_at is null and o.failure_history = '[]' and o.first_failed_at is null;
end
$$;

-- check: business_state_stays_in_its_own_table_and_is_dispatched_by_reference
create table promise.agent_tasks (id uuid primary key default gen_random_uuid(), status text not null, trigger_event_id uuid);
do $$
declare
    w uuid := promise.worker('tasks', '[{"name": "agents.run", "event_types": ["agent.task.dispatched"]}]');
    v_task uuid;
    c record;
begin
    insert into promise.agent_tasks (status) values ('queued') returning id into v_task;
    update promise.agent_tasks
    set trigger_event_id = postrider.publish('agent.task.dispatched', jsonb_build_object('agent_task_id', v_task), p_channel => 'tasks');
    commit;
    -- The worker reads the row that the message refers to. A transition that needs a worker is a separate message.
    select * into strict c from postrider.claim(w, 1);
    update promise.agent_tasks set status = 'waiting' where id = (c.payload ->> 'agent_task_id')::uuid and trigger_event_id = c.id;
    assert found;
    perform postrider.publish('agent.task.dispatched', c.payload::jsonb, p_channel => 'tasks');
    perform postrider.settle(w, c.lease_id, c.lease_token);
    commit;
    assert (select payload ->> 'agent_task_id' from postrider.claim(w, 1)) = v_task::text;
    assert (select array_agg(status order by seq) from postrider.outbox where channel = 'tasks') = '{delivered,in_flight}';
end
$$;

-- check: no_extension_is_needed
do $$
begin
    assert (select array_agg(extname::text) from pg_extension) = '{plpgsql}';
end
$$;
