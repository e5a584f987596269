-- Promises about sets of jobs:
--   the message of a set is published exactly once, in the transaction that ends the last member, however that one ends
--   a dead member has ended, or blocks the set until its replay is delivered, it is discarded or erased, or retention removes it
--   retries, replays, cancelled members and a removed consumer are counted once
--   a set is closed by the commit of its transaction; names of open sets are unique; members need a target that exists
--   a message that is refused at the end does not keep workers from reporting
\ir ../include/promises.sql
\ir ../include/due_deliveries.sql

create function promise.members(p_channel text, p_count int, p_more jsonb default '{}') returns jsonb
    language sql
    as $$
    select jsonb_agg(jsonb_build_object('event_type', 'part', 'channel', p_channel, 'target', 'reader',
                                        'payload', jsonb_build_object('n', n)) || p_more order by n)
    from generate_series(1, p_count) n
    $$;
create function promise.set(p_channel text, p_count int, p_dead text default 'ends', p_more jsonb default '{}') returns uuid[]
    language sql
    as $$
    select postrider.publish_set('set:' || p_channel, promise.members(p_channel, p_count, p_more),
                                 jsonb_build_object('event_type', 'all.done', 'channel', p_channel || '-done', 'headers', '{"a": 1}'::jsonb),
                                 p_dead)
    $$;
-- done(channel): members and failed of each message that was published for sets of the channel.
create function promise.done(p_channel text) returns text[]
    language sql
    as $$
    select array_agg(format('%s %s', m.headers ->> 'members', m.headers ->> 'failed') order by m.seq)
    from postrider.message m where m.channel = p_channel || '-done'
    $$;
-- settle(worker, numbers, outcome): ends the members with these numbers that the worker holds by a lease.
create function promise.settle(p_worker uuid, p_numbers int[], p_outcome text default 'delivered') returns text[]
    language sql
    as $$
    select array_agg(postrider.settle(p_worker, l.id, l.token, case when p_outcome = 'delivered' then s.seqs else '{}' end,
        case when p_outcome <> 'delivered' then (
            select jsonb_agg(jsonb_build_object('seq', x, 'outcome', p_outcome)) from unnest(s.seqs) x) end))
    from postrider.lease l
    cross join lateral (select array_agg(m.seq) as seqs from postrider.message m
                        where m.seq = any (l.members) and (m.payload ->> 'n')::int = any (p_numbers)) s
    where l.worker_id = p_worker and l.finished_at is null and s.seqs is not null
    $$;

-- the last member, whichever lease it is in; a rollback undoes both
do $$
declare
    w uuid := promise.worker('last');
    v_ids uuid[];
begin
    v_ids := promise.set('last', 3);
    assert cardinality(v_ids) = 3 and (select count(*) from postrider.message m where m.id = any (v_ids)) = 3;
    commit;
    assert promise.numbers(w, 2) = '{1,2}';
    assert promise.numbers(w, 2) = '{3}';
    perform promise.settle(w, '{3}');
    perform promise.settle(w, '{1}');
    assert promise.done('last') is null;
    assert (select open || ' ' || ended from postrider.job_sets where name = 'set:last') = '1 2';
    commit;
    perform promise.settle(w, '{2}');
    assert promise.done('last') = '{"3 0"}';
    rollback;
    assert promise.done('last') is null;
    perform promise.settle(w, '{2}');
    commit;
    assert promise.done('last') = '{"3 0"}';
    assert (select source || ' ' || event_type || ' ' || (headers ->> 'set') || ' ' || (headers ->> 'a')
            from postrider.message where channel = 'last-done') = 'set:set:last all.done set:last 1';
    assert (select open = 0 and ended = 3 and completed_at is not null and problem is null
                   and message_id = (select id from postrider.message where channel = 'last-done')
            from postrider.job_sets where name = 'set:last');
    assert not exists (select from postrider.set_member);
    perform postrider.redeliver(v_ids[1], 'reader', 'test.all', false, 'test', 'again', 'last');
    assert promise.due(w) = '{1}';
    commit;
    assert promise.done('last') = '{"3 0"}', 'a member ends once';
end
$$;

-- retries, deaths, lost workers
do $$
declare
    w uuid := promise.worker('fails', '[{"name": "test.all", "event_types": ["*"], "retry": {"curve": "immediate"}}]');
    v uuid;
begin
    perform promise.set('fails', 4);
    commit;
    perform promise.numbers(w);
    perform promise.settle(w, '{1}', 'transient');
    perform promise.settle(w, '{2}', 'terminal');
    perform promise.settle(w, '{3}');
    assert (select ended || ' ' || failed from postrider.job_sets where name = 'set:fails') = '2 1';
    commit;
    update postrider.worker set alive_until = '-infinity' where id = w;
    perform postrider.reap();
    commit;
    assert (select open from postrider.job_sets where name = 'set:fails') = 2, 'a lost worker ends nothing';
    v := promise.worker('fails', '[{"name": "test.all", "event_types": ["*"], "retry": {"curve": "immediate"}}]');
    commit;
    assert promise.due(v, 'transient') <@ '{1,4}';
    assert promise.done('fails') is null;
    while promise.due(v) is not null loop
    end loop;
    commit;
    assert promise.done('fails') = '{"4 1"}';
    perform postrider.outbox_replay(d.id, null, 'test') from postrider.dead_letters d where d.channel = 'fails';
    assert promise.due(v) = '{2}';
    commit;
    assert promise.done('fails') = '{"4 1"}', 'a replay of what has ended counts for nothing';
end
$$;

-- a dead member blocks: until its replay is delivered, it is discarded, edited, erased or too old
do $$
declare
    w uuid := promise.worker('blocks');
    v_ids uuid[];
begin
    v_ids := promise.set('blocks', 5, 'blocks');
    commit;
    perform promise.numbers(w);
    perform promise.settle(w, '{1,2,3,4,5}', 'terminal');
    commit;
    assert (select open || ' ' || ended from postrider.job_sets where name = 'set:blocks') = '5 0';
    perform postrider.outbox_replay(v_ids[1], null, 'test');
    assert promise.due(w) = '{1}';
    perform postrider.discard(jsonb_build_object('ids', jsonb_build_array(v_ids[2])), 'test', 'not wanted');
    commit;
    assert (select open || ' ' || ended || ' ' || failed from postrider.job_sets where name = 'set:blocks') = '3 2 1';
    perform postrider.edit_and_replay(d.delivery_id, '{"n": 30}', null, 'test', 'wrong') from postrider.dead_letters d where d.id = v_ids[3];
    commit;
    perform postrider.erase(jsonb_build_object('ids', jsonb_build_array(v_ids[5])), 'test', 'asked to');
    commit;
    assert promise.done('blocks') is null;
    update postrider.delivery set dead_at = dead_at - interval '100 days' where message_id = v_ids[4];
    perform postrider.retention_run();
    commit;
    assert promise.done('blocks') = '{"5 4"}';
end
$$;

-- cancelled: one that runs, one that waits for its time, one that is retried
do $$
declare
    w uuid := promise.worker('cancel');
    v_ids uuid[];
begin
    v_ids := promise.set('cancel', 2);
    v_ids := v_ids || postrider.add_to_set('set:cancel', promise.members('cancel', 1, '{"available_at": "2999-01-01T00:00:00Z"}'));
    commit;
    assert promise.numbers(w) = '{1,2}';
    perform promise.settle(w, '{1}', 'transient');
    perform postrider.cancel(jsonb_build_object('ids', to_jsonb(v_ids[1:2])), 'test', 'not wanted');
    commit;
    assert promise.done('cancel') is null;
    perform postrider.cancel(jsonb_build_object('ids', to_jsonb(v_ids[3:3])), 'test', 'not wanted');
    commit;
    assert promise.done('cancel') = '{"3 3"}';
end
$$;

-- one message for two handlers of the consumer has ended when both are done
do $$
declare
    w uuid := promise.worker('two', '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "immediate"}},
                                      {"name": "b.x", "event_types": ["*"], "retry": {"curve": "immediate"}}]');
begin
    perform promise.set('two', 1);
    commit;
    perform promise.numbers(w);
    perform postrider.settle(w, l.id, l.token, '{}', jsonb_build_array(
        jsonb_build_object('seq', l.members[1], 'handler', 'a.x', 'outcome', 'transient'),
        jsonb_build_object('seq', l.members[1], 'handler', 'b.x', 'outcome', 'transient')))
    from postrider.lease l where l.worker_id = w and l.finished_at is null;
    commit;
    perform postrider.settle_due(w, (
        select jsonb_agg(jsonb_build_object('delivery', c.delivery_id, 'token', c.lease_token, 'outcome', 'delivered'))
        from postrider.claim_due(w, 1) c));
    assert promise.done('two') is null;
    assert promise.due(w) = '{1}';
    commit;
    assert promise.done('two') = '{"1 0"}';
end
$$;

-- the consumer is removed: its members are lost
do $$
declare
    w uuid := promise.worker('removed');
begin
    perform promise.set('removed', 2);
    commit;
    update postrider.worker set alive_until = '-infinity' where id = w;
    perform postrider.remove_consumer('reader', 'test', 'a test', 'removed', true);
    commit;
    assert promise.done('removed') = '{"2 2"}';
end
$$;

-- malformed sets, and sets that are closed
do $$
begin
    perform promise.worker('bad');
    perform promise.raises(format('select postrider.publish_set(%L, %L, %L, %L)', r.name, r.members, r.message, r.dead), r.state)
    from (values ('a b', '[{"event_type": "x", "target": "reader", "channel": "bad"}]', '{"event_type": "y"}', 'ends', 'PR001'),
                 ('s', '[]', '{"event_type": "y"}', 'ends', 'PR001'),
                 ('s', '{}', '{"event_type": "y"}', 'ends', 'PR001'),
                 ('s', '[{"event_type": "x", "channel": "bad"}]', '{"event_type": "y"}', 'ends', 'PR001'),
                 ('s', '[{"event_type": "x", "target": "no-one", "channel": "bad"}]', '{"event_type": "y"}', 'ends', 'PR003'),
                 ('s', '[{"event_type": "x", "target": "reader", "chanel": "bad"}]', '{"event_type": "y"}', 'ends', 'PR001'),
                 ('s', '[{"target": "reader", "channel": "bad"}]', '{"event_type": "y"}', 'ends', 'PR001'),
                 ('s', '[{"event_type": "x", "target": "reader", "channel": "bad"}]', '{}', 'ends', 'PR001'),
                 ('s', '[{"event_type": "x", "target": "reader", "channel": "bad"}]', '{"event_type": "y", "id": "x"}', 'ends', 'PR001'),
                 ('s', '[{"event_type": "x", "target": "reader", "channel": "bad"}]', '{"event_type": "y"}', 'never', 'PR001')
    ) r(name, members, message, dead, state);
    perform promise.set('bad', 1);
    perform promise.raises('select promise.set(''bad'', 1)', 'PR012');
    commit;
    perform promise.raises('select postrider.add_to_set(''set:bad'', promise.members(''bad'', 1))', 'PR012');
    perform promise.raises('select postrider.add_to_set(''none'', promise.members(''bad'', 1))', 'PR014');
    set local role postrider_producer;
    perform promise.raises('insert into postrider.message (event_type, set_id) values (''x'', 1)', '42501');
    reset role;
end
$$;

-- a message that the database refuses is tried again
do $$
declare
    w uuid := promise.worker('refused');
begin
    perform promise.set('refused', 1);
    commit;
    update postrider.job_set set message = message || '{"priority": 1000}' where name = 'set:refused';
    perform promise.numbers(w);
    assert promise.settle(w, '{1}') = '{settled}';
    commit;
    assert (select problem is not null and completed_at is null from postrider.job_sets where name = 'set:refused');
    assert not exists (select from postrider.maintain() m where m like '%sets%');
    update postrider.job_set set message = message - 'priority' where name = 'set:refused';
    assert exists (select from postrider.maintain() m where m = 'completed 1 sets');
    commit;
    assert promise.done('refused') = '{"1 0"}';
    update postrider.job_set set completed_at = completed_at - interval '100 days' where name = 'set:refused';
    perform postrider.retention_run();
    assert not exists (select from postrider.job_sets where name = 'set:refused');
    commit;
end
$$;
