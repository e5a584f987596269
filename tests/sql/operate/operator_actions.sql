-- Promises about operators' actions:
--   every action has an actor and a reason and is audited; a delivery in the wrong status is rejected
--   discard() sets dead letters aside and restore() takes them back while the grace lasts
--   edit_and_replay() never rewrites: a new message takes the place of the dead letter
--   bury() makes a waiting delivery dead by the same decision as any other
--   redeliver() starts a new cycle of a delivered message, and keeps or removes its inbox entry
--   reschedule() changes when a waiting one comes due
\ir ../include/promises.sql
\ir ../include/dead.sql

-- in(status, channel): a new delivery in this status.
create procedure promise.in(p_status text, p_channel text, inout id bigint)
    language plpgsql
    as $$
declare
    w uuid := promise.worker(p_channel);
    c record;
begin
    perform postrider.publish('a', '{"x": 1}', p_channel => p_channel, p_priority => 1, p_headers => '{"h": 1}', p_metadata => '{"m": 1}');
    commit;
    perform promise.park(w);
    commit;
    if p_status <> 'pending' then
        select * into c from postrider.claim_due(w, 1);
        if p_status <> 'in_flight' then
            perform postrider.settle_due(w, jsonb_build_array(jsonb_build_object('delivery', c.delivery_id, 'token', c.lease_token,
                'outcome', case p_status when 'delivered' then 'delivered' else 'terminal' end, 'error', 'no')));
        end if;
    end if;
    select max(d.id) into id from postrider.delivery d where d.channel = p_channel;
    if p_status = 'discarded' then
        perform postrider.discard(jsonb_build_object('deliveries', jsonb_build_array(id)), 'x', 'y');
    end if;
    commit;
end
$$;

-- every action in every state: invalid transitions are rejected and change nothing
do $$
declare
    v_pair int := 0;
    v_status text;
    v_act record;
    v_id bigint;
    v_state text;
    v_after text;
    d postrider.delivery;
begin
    foreach v_status in array array['pending', 'in_flight', 'delivered', 'failed', 'discarded'] loop
        for v_act in select * from (values
            ('select postrider.outbox_replay(%2$L, null, ''x'')', 'failed', 'pending'),
            ('select postrider.edit_and_replay(%1$s, ''{}'', null, ''x'', ''y'')', 'failed', 'failed'),
            ('select postrider.discard(''{"deliveries": [%1$s]}'', ''x'', ''y'')', 'failed', 'failed'),
            ('select postrider.restore(''{"deliveries": [%1$s]}'', ''x'', ''y'')', 'discarded', 'failed'),
            ('select postrider.bury(array[%1$s], ''x'', ''y'')', 'pending', 'failed'),
            ('select postrider.reschedule(array[%1$s], now(), ''x'', ''y'')', 'pending', 'pending'),
            ('select postrider.redeliver(%2$L, ''reader'', ''test.all'', true, ''x'', ''y'', %3$L)', 'delivered', 'pending')
            ) v(sql, allowed, becomes)
        loop
            v_pair := v_pair + 1;
            call promise.in(v_status, 'pair' || v_pair, v_id);
            select * into d from postrider.delivery where id = v_id;
            v_state := null;
            begin
                execute format(v_act.sql, d.id, d.message_id, d.channel);
            exception when others then
                v_state := sqlstate;
            end;
            select status into v_after from postrider.delivery where id = v_id;
            if v_status = v_act.allowed then
                assert v_state is null and v_after = v_act.becomes, format('%s of %s: %s, %s', v_act.sql, v_status, v_state, v_after);
            else
                assert v_state = 'PR012', format('%s of %s: %s', v_act.sql, v_status, v_state);
                assert (select to_jsonb(e) = to_jsonb(d) from postrider.delivery e where e.id = v_id), v_act.sql;
            end if;
            commit;
        end loop;
    end loop;
end
$$;

-- an actor and a reason, an id that exists
do $$
declare
    v_id bigint;
    v_call text;
begin
    call promise.in('failed', 'named', v_id);
    foreach v_call in array array['discard(''{"deliveries": [%s]}''', 'edit_and_replay(%s, ''{}'', null'] loop
        perform promise.raises(format('select postrider.' || v_call || ', null, ''y'')', v_id), 'PR001');
        perform promise.raises(format('select postrider.' || v_call || ', ''x'', '' '')', v_id), 'PR001');
        perform promise.raises(format('select postrider.' || v_call || ', ''x'', ''y'')', -1), 'PR014');
    end loop;
    call promise.in('pending', 'named', v_id);
    foreach v_call in array array['bury(array[%s]', 'reschedule(array[%s], now()'] loop
        perform promise.raises(format('select postrider.' || v_call || ', null, ''y'')', v_id), 'PR001');
        perform promise.raises(format('select postrider.' || v_call || ', ''x'', null)', v_id), 'PR001');
        perform promise.raises(format('select postrider.' || v_call || ', ''x'', ''y'')', -1), 'PR014');
    end loop;
    perform promise.raises('select postrider.bury(''{}'', ''x'', ''y'')', 'PR001');
    perform promise.raises('select postrider.bury(null, ''x'', ''y'')', 'PR001');
    assert not exists (select from postrider.audits where actor = '' or reason = '');
end
$$;

-- discard and take back
do $$
declare
    v_id bigint;
    v_ids bigint[];
    v_at timestamptz;
begin
    for i in 1..3 loop
        call promise.in('failed', 'aside', v_id);
        v_ids := v_ids || v_id;
    end loop;
    assert postrider.discard('{"channel": "aside"}', 'ann', 'not worth it') = 3;
    assert not exists (select from postrider.dead_letters where channel = 'aside');
    assert (select bool_and(deleted_at is not null and deleted_reason = 'not worth it' and status = 'failed') from postrider.delivery
            where channel = 'aside');
    assert postrider.discard('{"channel": "aside"}', 'ann', 'again') = 0;
    update postrider.delivery set deleted_at = deleted_at - interval '8 days' where id = v_ids[1];
    perform promise.raises(format('select postrider.restore(''{"deliveries": [%s]}'', ''x'', ''y'')', v_ids[1]), 'PR012');
    assert postrider.restore('{"channel": "aside"}', 'ann', 'a mistake') = 2;
    assert (select array_agg(delivery_id order by delivery_id) from postrider.dead_letters where channel = 'aside') = v_ids[2:3];
    assert (select array_agg(action || ' ' || (after ->> 'deliveries') order by audit desc) from (
                select * from postrider.audits order by audit desc limit 3) a) = '{"restore 2","discard 0","discard 3"}';
    -- exactly those of one discard, by its time
    perform postrider.discard(jsonb_build_object('deliveries', jsonb_build_array(v_ids[2])), 'ann', 'first');
    commit;
    v_at := clock_timestamp();
    perform postrider.discard('{"channel": "aside"}', 'ann', 'second');
    assert postrider.restore(jsonb_build_object('channel', 'aside', 'discarded_before', v_at - interval '1 hour'), 'ann', 'none') = 0;
    assert postrider.restore(jsonb_build_object('channel', 'aside', 'discarded_after', v_at), 'ann', 'the second') = 1;
    assert (select array_agg(delivery_id) from postrider.dead_letters where channel = 'aside') = v_ids[3:3];
end
$$;

-- an edit is a new message
do $$
declare
    v_id bigint;
    v_new uuid;
    d postrider.delivery;
    n postrider.delivery;
    w uuid := promise.worker('edited');
    c record;
begin
    call promise.in('failed', 'edited', v_id);
    select * into d from postrider.delivery where id = v_id;
    perform promise.raises(format('select postrider.edit_and_replay(%s, null, null, ''x'', ''y'')', v_id), 'PR001');
    perform promise.raises(format('select postrider.edit_and_replay(%s, to_jsonb((select string_agg(md5(g::text), '''')
                                   from generate_series(1, 40000) g)), null, ''x'', ''y'')', v_id), 'PR002');
    v_new := postrider.edit_and_replay(v_id, '{"x": 2}', null, 'ann', 'typo');
    commit;
    select * into n from postrider.delivery where message_id = v_new;
    assert (n.payload::text, n.headers::text, n.status, n.cycle, n.idempotency_key, n.handler, n.consumer_id, n.event_type)
         = ('{"x": 2}', d.headers::text, 'pending', 1, v_new::text, d.handler, d.consumer_id, d.event_type), n;
    assert n.metadata = jsonb_build_object('m', 1, 'edited_from', d.message_id, 'edited_by', 'ann') and n.seq > d.seq;
    assert (select e.successor = v_new and e.deleted_at is not null and e.payload::text = d.payload::text and e.message_id = d.message_id
            from postrider.delivery e where e.id = v_id);
    select * into c from postrider.claim_due(w);
    assert (c.id, c.payload::text) = (v_new, '{"x": 2}'), c;
    assert (select count(*) from postrider.outbox where id = v_new) = 1;
    perform promise.raises(format('select postrider.restore(''{"deliveries": [%s]}'', ''x'', ''y'')', v_id), 'PR012');
    assert (select (before -> 'payload', after -> 'payload', action) = ('{"x": 1}', '{"x": 2}', 'edit_and_replay') from postrider.audits
            order by audit desc limit 1);
end
$$;

-- bury: dead by the same decision
do $$
declare
    v_id bigint;
    d postrider.delivery;
begin
    call promise.in('pending', 'buried', v_id);
    perform postrider.register_worker(gen_random_uuid(), 'reader', '[{"name": "test.all", "event_types": ["*"], "honour_terminal": false}]', 'buried');
    assert postrider.bury(array[v_id, v_id], 'ann', 'it never will') = 1;
    select * into d from postrider.delivery where id = v_id;
    assert (d.status, d.attempts, d.failures, d.error_class, d.last_error, d.outcome) = ('failed', 0, 0, 'buried', 'buried: it never will',
        'terminal') and d.dead_at is not null and d.fingerprint is not null and d.worker_id is null, d;
    assert (select count(*) from postrider.alerts where delivery_id = v_id) = 1;
    perform postrider.outbox_replay(d.message_id, null, 'bob');
    assert (select status from postrider.delivery where id = v_id) = 'pending';
end
$$;

-- redeliver a message that was delivered at its first attempt
do $$
declare
    w uuid := promise.worker('twice', '[{"name": "a.x", "event_types": ["a"]}, {"name": "b.x", "event_types": ["a"]}]');
    v_id uuid;
    c record;
begin
    v_id := postrider.publish('a', '{"x": 1}', p_channel => 'twice', p_idempotency_key => 'k');
    commit;
    perform promise.raises(format('select postrider.redeliver(%L, ''reader'', ''a.x'', false, ''x'', ''y'', ''twice'')', v_id), 'PR012');
    perform postrider.claim(w);
    commit;
    perform promise.raises(format('select postrider.redeliver(%L, ''reader'', ''a.x'', false, ''x'', ''y'', ''twice'')', v_id), 'PR012');
    perform postrider.settle(w, (promise.newest_lease(w)).id, (promise.newest_lease(w)).token);
    commit;
    perform promise.raises(format('select postrider.redeliver(%L, ''absent'', ''a.x'', false, ''x'', ''y'', ''twice'')', v_id), 'PR003');
    perform promise.raises(format('select postrider.redeliver(%L, ''reader'', ''c.x'', false, ''x'', ''y'', ''twice'')', v_id), 'PR011');
    perform promise.raises(format('select postrider.redeliver(%L, ''reader'', ''a.x'', null, ''x'', ''y'', ''twice'')', v_id), 'PR001');
    perform promise.raises(format('select postrider.redeliver(%L, ''reader'', ''a.x'', false, ''x'', null, ''twice'')', v_id), 'PR001');
    perform promise.raises(format('select postrider.redeliver(%L, ''reader'', ''a.x'', false, ''x'', ''y'', ''twice'')', gen_random_uuid()), 'PR014');
    perform postrider.handle_once(row('reader', 'a.x', '', 'k'));
    assert postrider.redeliver(v_id, 'reader', 'a.x', false, 'ann', 'the mail got lost', 'twice') = 2;
    commit;
    assert exists (select from postrider.event_handled where handler_name = 'a.x');
    perform promise.raises(format('select postrider.redeliver(%L, ''reader'', ''a.x'', false, ''x'', ''y'', ''twice'')', v_id), 'PR012');
    assert (select array_agg(handler || ' ' || status || ' ' || cycle order by handler) from postrider.outbox where id = v_id)
         = '{"a.x pending 2","b.x delivered 1"}';
    select * into c from postrider.claim_due(w);
    assert (c.handler, c.cycle, c.attempts, c.id, c.idempotency_key) = ('a.x', 2, 1, v_id, 'k'), c;
    perform postrider.settle_due(w, jsonb_build_array(jsonb_build_object('delivery', c.delivery_id, 'token', c.lease_token, 'outcome', 'delivered')));
    assert postrider.redeliver(v_id, 'reader', 'a.x', true, 'ann', 'really', 'twice') = 3;
    assert not exists (select from postrider.event_handled where handler_name = 'a.x');
    assert (select failure_history -> 1 @> '{"cycle": 2, "status": "delivered", "attempts": 1}' from postrider.delivery where message_id = v_id);
end
$$;

-- reschedule
do $$
declare
    v_id bigint;
    w uuid := promise.worker('later');
begin
    call promise.in('pending', 'later', v_id);
    assert postrider.reschedule(array[v_id], '2100-01-01Z', 'ann', 'not this century') = 1;
    assert (select count(*) from postrider.claim_due(w)) = 0 and postrider.next_due(w) = '2100-01-01Z';
    assert postrider.reschedule(array[v_id], null, 'ann', 'now') = 1;
    assert (select count(*) from postrider.claim_due(w)) = 1;
end
$$;

-- a dead letter without a handler goes to a handler that takes its type now, with that handler's policy, edited or unchanged
do $$
declare
    w uuid := promise.worker('orphans', '[{"name": "a.x", "event_types": ["other"]}]');
    v_ids bigint[];
    v_new uuid;
begin
    perform postrider.publish('orphan', p_channel => 'orphans', p_target => 'reader') from generate_series(1, 2);
    commit;
    perform postrider.claim(w);
    commit;
    v_ids := array(select id from postrider.delivery where channel = 'orphans' and handler = '' order by id);
    perform postrider.bury(v_ids, 'ann', 'not needed');
    commit;
    w := promise.worker('orphans', '[{"name": "b.x", "event_types": ["orphan"], "max_attempts": 7, "max_crashes": 9,
                                      "retry": {"curve": "fixed"}}]');
    v_new := postrider.edit_and_replay(v_ids[1], '{"y": 1}', null, 'ann', 'needed now');
    perform postrider.outbox_replay((select message_id from postrider.delivery where id = v_ids[2]), null, 'ann');
    assert (select array_agg(concat_ws(' ', handler, status, max_attempts, max_crashes, retry)) from postrider.delivery
            where message_id = v_new or id = v_ids[2]) = array_fill('b.x pending 7 9 {"curve": "fixed"}'::text, '{2}');
    assert (select count(*) from postrider.claim_due(w)) = 2;
end
$$;
