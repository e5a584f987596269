-- Promises of the view outbox:
--   one row per message and handler, with its status at each step of its life, and with nothing missing or doubled
--   a query for one status looks only where that status can be
--   a message for an unknown target has no row; a message that waits for a handler has handler null
\ir ../include/promises.sql

create function promise.states(p_channel text) returns text[]
    language sql
    as $$
    select array_agg(concat_ws(' ', o.event_type, o.consumer, coalesce(o.handler, '-'), o.status, o.attempts)
                     order by o.seq, o.consumer, o.handler)
    from postrider.outbox o where o.channel = p_channel
    $$;

-- the life of messages of two handlers
do $$
declare
    w uuid := promise.worker('life', '[{"name": "a.x", "event_types": ["*"], "max_attempts": 2, "retry": {"curve": "immediate"}},
                                       {"name": "b.x", "event_types": ["two"]}]');
    l postrider.lease;
    c record;
    o record;
begin
    perform postrider.publish('one', '{"x": 1}', 'shop', p_channel => 'life', p_idempotency_key => 'key', p_max_attempts => 2);
    perform postrider.publish('two', p_channel => 'life');
    perform postrider.publish('three', p_channel => 'life', p_target => 'absent');
    commit;
    assert promise.states('life') = '{one reader a.x pending 0,two reader a.x pending 0,two reader b.x pending 0}';
    select * into strict o from postrider.outbox where channel = 'life' and event_type = 'one';
    assert (o.payload, o.source, o.idempotency_key, o.priority, o.max_attempts, o.cycle, o.event_version)
         = ('{"x": 1}', 'shop', 'key', 0, 2, 1, 1), o;
    assert o.available_at = o.published_at and num_nonnulls(o.claimed_at, o.worker_id, o.deadline, o.delivery_id) = 0, o;

    perform postrider.claim(w);
    l := promise.newest_lease(w);
    commit;
    assert promise.states('life') = '{one reader a.x in_flight 1,two reader a.x in_flight 1,two reader b.x in_flight 1}';
    select * into strict o from postrider.outbox where channel = 'life' and event_type = 'one';
    assert (o.claimed_at, o.worker_id, o.deadline) = (l.claimed_at, w, l.deadline), o;

    perform postrider.settle(w, l.id, l.token, l.members[1:1]);
    commit;
    assert promise.states('life') = '{one reader a.x delivered 1,two reader a.x in_flight 1,two reader b.x in_flight 1}';
    perform postrider.settle(w, l.id, l.token, '{}', jsonb_build_array(jsonb_build_object(
        'seq', l.members[2], 'handler', 'a.x', 'outcome', 'transient', 'error', 'no', 'error_class', 'refused')));
    commit;
    assert promise.states('life') = '{one reader a.x delivered 1,two reader a.x pending 1,two reader b.x delivered 1}';
    select * into strict c from postrider.claim_due(w);
    commit;
    assert promise.states('life') = '{one reader a.x delivered 1,two reader a.x in_flight 2,two reader b.x delivered 1}';
    perform postrider.settle_due(w, jsonb_build_array(jsonb_build_object(
        'delivery', c.delivery_id, 'token', c.lease_token, 'outcome', 'transient', 'error', 'still no')));
    commit;
    assert promise.states('life') = '{one reader a.x delivered 1,two reader a.x failed 2,two reader b.x delivered 1}';
    select * into strict o from postrider.outbox where channel = 'life' and status = 'failed';
    assert (o.last_error, o.error_class, o.failures, o.attempts_total) = ('still no', 'refused', 2, 2), o;
    assert o.dead_at is not null and o.first_failed_at < o.dead_at and o.delivery_id = c.delivery_id, o;
end
$$;

-- two consumers, each with its own rows
do $$
declare
    a uuid := promise.worker('both', p_consumer => 'a');
    b uuid := promise.worker('both', p_consumer => 'b');
    later uuid;
begin
    perform promise.publish('both', 1);
    commit;
    assert promise.drain(a) = 1;
    commit;
    later := promise.worker('both', p_consumer => 'later');
    commit;
    assert promise.states('both') = '{test.happened a test.all delivered 1,test.happened b test.all pending 0}';
end
$$;

-- released, snoozed, parked and waiting for a handler: pending
do $$
declare
    w uuid := promise.worker('waits', '[{"name": "a.x", "event_types": ["a"]}]');
    l postrider.lease;
begin
    perform postrider.publish('a', p_channel => 'waits');
    perform postrider.publish('a', p_channel => 'waits', p_available_at => '2100-01-01Z');
    perform postrider.publish('b', p_channel => 'waits', p_target => 'reader');
    perform postrider.publish('b', p_channel => 'waits');
    commit;
    assert promise.states('waits') = '{a reader a.x pending 0,a reader a.x pending 0,b reader - pending 0}';
    perform promise.park(w);
    perform postrider.claim(w);
    l := promise.newest_lease(w);
    commit;
    assert promise.states('waits') = '{a reader a.x in_flight 1,a reader a.x pending 0,b reader - pending 0}';
    perform postrider.release(w, l.id, l.token);
    commit;
    assert promise.states('waits') = '{a reader a.x pending 0,a reader a.x pending 0,b reader - pending 0}';
    assert (select count(*) from postrider.outbox where channel = 'waits' and available_at = '2100-01-01Z') = 1;
end
$$;

-- late committers are pending, in flight and delivered like all others
do $$
begin
    perform set_config('promise.worker', promise.worker('late')::text, false);
end
$$;
begin;
select promise.publish('late', 2, 'slow') \g /dev/null
prepare transaction 'slow';
do $$
begin
    perform promise.publish('late', 1, 'quick');
    commit;
    assert promise.drain(current_setting('promise.worker')::uuid) = 1;
    commit;
    assert promise.states('late') = '{quick reader test.all delivered 1}';
end
$$;
commit prepared 'slow';
do $$
declare
    w uuid := current_setting('promise.worker')::uuid;
    v_quick text := 'quick reader test.all delivered 1';
begin
    assert promise.states('late') = array['slow reader test.all pending 0', 'slow reader test.all pending 0', v_quick];
    perform postrider.claim(w, 1);
    commit;
    assert promise.states('late') = array['slow reader test.all in_flight 1', 'slow reader test.all pending 0', v_quick];
    assert promise.drain(w) = 1;
    commit;
    assert promise.states('late') = array['slow reader test.all in_flight 1', 'slow reader test.all delivered 1', v_quick];
end
$$;

-- each message of each consumer has exactly one row per handler, whatever happens to it
do $$
declare
    w uuid := promise.worker('random', '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "immediate"}},
                                         {"name": "b.x", "event_types": ["b.*"]}]');
    v_half uuid := promise.worker('random', '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "immediate"}}]');
    c record;
begin
    perform setseed(0.4711);
    for i in 1..60 loop
        perform postrider.publish((array['a', 'b.1'])[1 + floor(random() * 2)::int], p_channel => 'random',
                                  p_priority => (array[0, 0, 0, 1])[1 + floor(random() * 4)::int])
        from generate_series(1, 1 + floor(random() * 4)::int);
        commit;
        for c in select x.lease_id, (array_agg(x.lease_token))[1] as lease_token, array_agg(x.seq) as seqs
                 from postrider.claim(case when random() < 0.5 then w else v_half end, 3) x group by 1 loop
            perform postrider.settle(l.worker_id, l.id, l.token, c.seqs[1:1], jsonb_build_array(jsonb_build_object(
                'seq', c.seqs[cardinality(c.seqs)], 'outcome',
                (array['transient', 'terminal', 'interrupted', 'snooze'])[1 + floor(random() * 4)::int])))
            from postrider.lease l where l.id = c.lease_id and random() < 0.8;
        end loop;
        commit;
        for c in select * from postrider.claim_due(w, 2) loop
            perform postrider.settle_due(w, jsonb_build_array(jsonb_build_object('delivery', c.delivery_id,
                'token', c.lease_token, 'outcome', (array['transient', 'delivered', 'crashed'])[1 + floor(random() * 3)::int])))
            where random() < 0.9;
        end loop;
        commit;
        assert not exists (
            select from (select m.seq, h.name as handler from postrider.message m
                         join (values ('a.x'), ('b.x')) h(name) on h.name = 'a.x' or m.event_type like 'b.%'
                         where m.channel = 'random') expected
            full join (select o.seq, o.handler, count(*) as n from postrider.outbox o
                       where o.channel = 'random' group by 1, 2) actual using (seq, handler)
            where actual.n is distinct from 1 or expected.seq is null), format('after round %s', i);
    end loop;
    assert (select count(distinct status) from postrider.outbox where channel = 'random') = 4, 'all states must have been seen';
end
$$;

-- a query for one status plans only the branches that can have it
do $$
declare
    v_line text;
    v_plan text := '';
begin
    for v_line in explain (costs off) select * from postrider.outbox where status = 'failed' and deleted_at is null loop
        v_plan := v_plan || v_line || E'\n';
    end loop;
    assert v_plan !~ 'message' and v_plan ~ 'delivery' and v_plan !~ 'lease', v_plan;
end
$$;
