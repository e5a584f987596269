-- Replaying: a dead letter gets a new cycle and keeps the history of the old one.
\ir include/check.sql

-- die(channel, key): publishes the one message of the channel and lets it die; commits.
create procedure promise.die(p_channel text, p_key text default null)
    language plpgsql
    as $$
declare
    w uuid := promise.worker(p_channel, '[{"name": "test.all", "event_types": ["*"], "max_attempts": 1}]');
begin
    perform postrider.publish('x', '{"n": 1}', p_channel => p_channel, p_idempotency_key => p_key);
    commit;
    perform promise.first_run(w, 'transient', '{"error": "it broke", "error_class": "bug"}');
    commit;
end
$$;

-- replay(channel, generation): replays the message of a channel.
create function promise.replay(p_channel text, p_generation bigint default null) returns int
    language sql
    as $$ select postrider.outbox_replay((promise.row_of(p_channel)).id, p_generation, 'ann@example.org') $$;

-- check: a_dead_letter_can_be_replayed [spectral open-outbox pulse pgmq-pipeline]
do $$
declare
    ch text := promise.channel('replay');
    w uuid := promise.profile_worker(ch);
    o postrider.outbox;
begin
    perform postrider.publish('x', p_channel => ch, p_max_attempts => 1);
    commit;
    perform promise.first_run(w, 'transient');
    assert (promise.row_of(ch)).status = 'failed';
    assert promise.replay(ch) = 2, 'it says which cycle began';
    o := promise.row_of(ch);
    assert o.status = 'pending' and o.cycle = 2 and o.available_at <= clock_timestamp() and o.dead_at is null;
    assert promise.due_run(w, 'delivered') = 'delivered';
    assert (promise.row_of(ch)).status = 'delivered';
end
$$;

-- check: only_a_dead_letter_can_be_replayed
call promise.die('only');
do $$
declare
    w uuid := promise.worker('only');
begin
    perform promise.replay('only');
    perform promise.raises($q$select promise.replay('only')$q$, 'PR012');
    perform postrider.claim_due(w);
    perform promise.raises($q$select promise.replay('only')$q$, 'PR012');
    perform promise.raises($q$select postrider.outbox_replay(gen_random_uuid(), null, 'ann')$q$, 'PR014');
end
$$;

-- check: a_replay_writes_the_cycle_down_and_clears_it
call promise.die('memory');
do $$
declare
    v_before postrider.outbox := promise.row_of('memory');
    o postrider.outbox;
begin
    assert v_before.failure_history = '[]';
    perform promise.replay('memory');
    o := promise.row_of('memory');
    assert o.attempts = 0 and o.last_error is null and o.first_failed_at is null and o.error_class is null;
    assert o.attempts_total = 1, 'attempts of all cycles are counted';
    assert jsonb_array_length(o.failure_history) = 1 and o.failure_history -> 0 ->> 'last_error' = 'it broke'
       and (o.failure_history -> 0 ->> 'attempts')::int = 1;
end
$$;

-- check: an_entry_of_the_history_has_its_shape
call promise.die('shape');
do $$
declare
    e jsonb;
begin
    perform promise.replay('shape');
    e := (promise.row_of('shape')).failure_history -> 0;
    -- Keys may be added to entries, but not removed.
    assert e ?& '{cycle,status,attempts,last_error,error_class,first_failed_at,ended_at,generation,replayed_by,replayed_at}', e;
    assert jsonb_typeof(e -> 'cycle') = 'number' and jsonb_typeof(e -> 'attempts') = 'number'
       and (e ->> 'first_failed_at')::timestamptz <= (e ->> 'ended_at')::timestamptz
       and (e ->> 'ended_at')::timestamptz <= (e ->> 'replayed_at')::timestamptz;
end
$$;

-- check: a_replay_moves_to_the_generation_it_is_given
do $$
declare
    v_new uuid := gen_random_uuid();
begin
    perform postrider.register_worker(gen_random_uuid(), 'reader', '[{"name": "test.all", "event_types": ["*"], "max_attempts": 1}]', 'outbox_gen_11', 11);
    perform postrider.register_worker(v_new, 'reader', '[{"name": "test.all", "event_types": ["*"], "max_attempts": 1}]', 'outbox_gen_12', 12);
    perform postrider.publish('x', p_channel => 'outbox_gen_11', p_generation => 11);
    commit;
    perform promise.first_run((select id from postrider.worker where generation = 11), 'transient');
    commit;
    perform promise.replay('outbox_gen_11', 12);
    assert (select (o.generation, o.channel) = (12, 'outbox_gen_12') from postrider.outbox o where o.delivery_id is not null and o.status = 'pending'
            and o.event_type = 'x' and o.channel like 'outbox_gen%');
    assert (select generation from postrider.claim_due(v_new)) = 12, 'and it runs there';
end
$$;

-- check: a_replay_keeps_id_key_and_payload
call promise.die('keeps', 'my key');
do $$
declare
    v_before jsonb := to_jsonb(promise.row_of('keeps'));
begin
    perform promise.replay('keeps');
    assert (select bool_and(to_jsonb(promise.row_of('keeps')) -> k = v_before -> k)
            from unnest('{id,idempotency_key,payload,headers,event_type,occurred_at,source,delivery_id}'::text[]) k);
    assert (promise.row_of('keeps')).idempotency_key = 'my key';
end
$$;

-- check: a_replayed_letter_leaves_the_list
call promise.die('leaves');
do $$
begin
    assert (select count(*) from postrider.v_pgmq where queue_name = 'leaves') = 1;
    perform promise.replay('leaves');
    assert (select count(*) from postrider.v_pgmq where queue_name = 'leaves') = 0
       and not exists (select from postrider.outbox where channel = 'leaves' and status = 'failed');
end
$$;

-- check: the_inbox_knows_the_effects_before_a_replay
call promise.die('inbox');
do $$
declare
    w uuid := promise.worker('inbox');
    v_key text := (promise.row_of('inbox')).idempotency_key;
    c record;
begin
    -- Its effect had happened before it was declared dead.
    assert postrider.handle_once(row('reader', 'test.all', '', v_key));
    perform promise.replay('inbox');
    select * into strict c from postrider.claim_due(w);
    assert c.idempotency_key = v_key and not postrider.handle_once(row('reader', 'test.all', '', c.idempotency_key));
end
$$;

-- check: the_history_is_capped_and_counts_dropped_entries
call promise.die('capped');
do $$
declare
    w uuid := promise.worker('capped', '[{"name": "test.all", "event_types": ["*"], "max_attempts": 1}]');
begin
    for i in 1..30 loop
        perform promise.replay('capped');
        perform promise.due_run(w, 'terminal');
    end loop;
    assert (promise.row_of('capped')).cycle = 31;
    assert jsonb_array_length((promise.row_of('capped')).failure_history) = 20;
    assert (select history_dropped from postrider.delivery where channel = 'capped') = 10;
end
$$;

-- check: an_operator_replays_by_sql
call promise.die('operator');
set role postrider_operator;
do $$
begin
    assert postrider.outbox_replay((select id from postrider.outbox where channel = 'operator' and status = 'failed' and deleted_at is null),
                                   null, 'sql-direct') = 2;
end
$$;

-- check: a_replay_names_its_actor
call promise.die('actor');
do $$
begin
    perform promise.replay('actor');
    assert (promise.row_of('actor')).failure_history -> 0 ->> 'replayed_by' = 'ann@example.org';
    assert exists (select from postrider.audit where actor = 'ann@example.org');
end
$$;

-- check: many_dead_letters_are_one_operation
do $$
declare
    w uuid := promise.worker('many', '[{"name": "test.all", "event_types": ["*"], "max_attempts": 1, "circuit": {"failures": 0}}]');
    l postrider.lease;
    v_replay bigint;
begin
    perform promise.publish('many', 50);
    commit;
    perform postrider.claim(w, 50);
    l := promise.newest_lease(w);
    perform postrider.settle(w, l.id, l.token, null, (select jsonb_agg(jsonb_build_object('seq', s, 'outcome', 'terminal')) from unnest(l.members) s));
    commit;
    assert (postrider.replay_preview('{"channel": "many"}') ->> 'total')::int = 50;
    assert not exists (select from postrider.outbox where channel = 'many' and status <> 'failed'), 'a preview changes nothing';
    v_replay := postrider.replay_start('{"channel": "many"}', 'ann', 'the bug is fixed');
    while (select phase from postrider.replay_status(v_replay)) = 'running' loop
        perform postrider.replay_step();
        exit when (select waiting from postrider.replay_status(v_replay)) = 0;
    end loop;
    assert (select count(distinct c.payload ->> 'n') from postrider.claim_due(w, 50) c) = 50;
    assert (select total from postrider.replay_status(v_replay)) = 50;
    assert exists (select from postrider.audit where actor = 'ann' and reason = 'the bug is fixed');
end
$$;

-- check: a_delivered_message_is_redelivered_on_request
do $$
declare
    w uuid := promise.worker('twice');
    v_id uuid := postrider.publish('x', p_channel => 'twice');
    c record;
begin
    commit;
    perform promise.first_run(w, 'delivered');
    perform postrider.handle_once(row('reader', 'test.all', '', v_id::text));
    perform promise.raises(format($q$select postrider.outbox_replay(%L, null, 'ann')$q$, v_id), 'PR012');
    perform promise.raises(format($q$select postrider.redeliver(%L, 'reader', 'test.all', null, 'ann', 'why', 'twice')$q$, v_id), 'PR001');
    assert postrider.redeliver(v_id, 'reader', 'test.all', false, 'ann', 'once more', 'twice') = 2;
    select * into strict c from postrider.claim_due(w);
    assert c.id = v_id and c.cycle = 2 and not postrider.handle_once(row('reader', 'test.all', '', c.idempotency_key)), 'the inbox still knows it';
    perform postrider.settle_due(w, promise.outcomes(c.delivery_id, c.lease_token, 'delivered'));
    perform postrider.redeliver(v_id, 'reader', 'test.all', true, 'ann', 'with its effect', 'twice');
    assert postrider.handle_once(row('reader', 'test.all', '', v_id::text)), 'unless it is told to forget';
end
$$;

-- check: by_hand_only_valid_transitions
do $$
declare
    w uuid := promise.worker('hand');
    v_at timestamptz := clock_timestamp() + interval '1 hour';
    d bigint;
begin
    perform postrider.publish('x', p_channel => 'hand', p_priority => 1);
    commit;
    perform promise.park(w);
    d := (promise.row_of('hand')).delivery_id;
    -- available_at can be changed, PENDING can be made DEAD, DEAD can be made PENDING; each is recorded
    assert postrider.reschedule(array[d], v_at, 'ann', 'not before lunch') = 1 and (promise.row_of('hand')).available_at = v_at;
    assert postrider.bury(array[d], 'ann', 'not needed') = 1 and (promise.row_of('hand')).status = 'failed';
    perform promise.raises(format($q$select postrider.bury('{%s}', 'ann', 'again')$q$, d), 'PR012');
    perform promise.raises(format($q$select postrider.reschedule('{%s}', now(), 'ann', 'again')$q$, d), 'PR012');
    perform postrider.outbox_replay((promise.row_of('hand')).id, null, 'ann');
    assert (promise.row_of('hand')).status = 'pending';
    -- a running delivery belongs to its worker
    perform postrider.claim_due(w);
    perform promise.raises(format($q$select postrider.bury('{%s}', 'ann', 'now')$q$, d), 'PR012');
    assert (select array_agg(action order by id) from postrider.audit where actor = 'ann' and (before ? d::text)) @> '{reschedule,bury}'
        or (select count(*) from postrider.audit where actor = 'ann' and action in ('reschedule', 'bury')) >= 2;
end
$$;

-- check: a_discarded_letter_can_be_taken_back
call promise.die('discarded');
do $$
declare
    d bigint := (promise.row_of('discarded')).delivery_id;
begin
    assert postrider.discard(jsonb_build_object('deliveries', jsonb_build_array(d)), 'ann', 'known and harmless') = 1;
    assert not exists (select from postrider.outbox where channel = 'discarded' and status = 'failed' and deleted_at is null);
    perform promise.raises($q$select promise.replay('discarded')$q$, 'PR012');
    assert postrider.restore(jsonb_build_object('deliveries', jsonb_build_array(d)), 'ann', 'not harmless') = 1;
    assert promise.replay('discarded') = 2;
end
$$;
