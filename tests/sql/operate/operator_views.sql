-- Promises about the operators' views:
--   dead_letters lists exactly the dead letters, newest first
--   dead_letter_groups counts exactly after every operation on a dead letter, by any actor
--   handlers, consumers and leases show the current state
--   a query for dead letters reads few pages, independent of their number
\ir ../include/promises.sql
\ir ../include/dead.sql

-- counted(): the view and a count agree.
create function promise.counted() returns boolean
    language sql
    as $$
    select not exists (
        (select consumer, channel, handler, fingerprint, count from postrider.dead_letter_groups
         except
         select consumer, channel, handler, fingerprint, count(*) from postrider.dead_letters group by 1, 2, 3, 4)
        union all
        (select consumer, channel, handler, fingerprint, count(*) from postrider.dead_letters group by 1, 2, 3, 4
         except
         select consumer, channel, handler, fingerprint, count from postrider.dead_letter_groups))
    $$;

-- counted exactly after every operation
do $$
declare
    w uuid := promise.worker('groups', '[{"name": "a.x", "event_types": ["*"]}]');
    v_ids bigint[];
    g record;
begin
    perform promise.publish('groups', 4);
    commit;
    call promise.die(w, 'terminal', 'no user 1', 'missing');
    perform promise.publish('groups', 3);
    commit;
    call promise.die(w, 'terminal', 'disk full', 'disk');
    select * into g from postrider.dead_letter_groups where channel = 'groups' order by count desc limit 1;
    assert (g.consumer, g.handler, g.error_class, g.count, g.event_type, g.sample_error, g.fingerprint)
         = ('reader', 'a.x', 'missing', 4, 'test.happened', 'no user 1', postrider.fingerprint('missing', 'no user 2')), g;
    assert (select (g.first_seen, g.last_seen) = (min(dead_at), max(dead_at)) and bool_or(g.sample_id = id and g.sample_delivery_id = delivery_id)
            from postrider.dead_letters where channel = 'groups' and error_class = 'missing');
    assert promise.counted();
    v_ids := array(select delivery_id from postrider.dead_letters where channel = 'groups' order by seq);
    perform postrider.outbox_replay((select id from postrider.dead_letters where delivery_id = v_ids[1]), null, 'x');
    perform postrider.discard(format('{"deliveries": [%s, %s]}', v_ids[2], v_ids[3])::jsonb, 'x', 'y');
    assert promise.counted();
    perform postrider.restore(format('{"deliveries": [%s]}', v_ids[2])::jsonb, 'x', 'y');
    perform postrider.edit_and_replay(v_ids[5], '{}', null, 'x', 'y');
    perform postrider.replay_start('{"error_class": "disk"}', 'x', 'y');
    perform postrider.replay_step();
    assert promise.counted();
    perform postrider.bury(array(select id from postrider.delivery where channel = 'groups' and status = 'pending'), 'x', 'y');
    assert promise.counted();
    update postrider.delivery set dead_at = dead_at - interval '46 days' where channel = 'groups' and dead_at is not null;
    perform postrider.retention_run();
    assert promise.counted() and not exists (select from postrider.dead_letters where channel = 'groups');
    commit;
    delete from postrider.delivery where id = any (v_ids);
    assert promise.counted();
end
$$;

-- the ledger is summed up, and says the same
do $$
declare
    w uuid := promise.worker('summed');
begin
    perform promise.publish('summed', 1500);
    commit;
    call promise.die(w, 'terminal', 'no');
    assert (select count(*) from postrider.dead_letter_tally) >= 1500;
    assert exists (select from postrider.maintain() m where m ~ 'summed up');
    assert not exists (select from postrider.dead_letter_tally) and (select count(*) from postrider.dead_letter_sum) < 10 and promise.counted();
    assert not exists (select from postrider.maintain() m where m ~ 'summed up');
    assert (select count from postrider.dead_letter_groups where channel = 'summed') = 1500;
end
$$;

-- a page of dead letters, and the groups, touch few pages
do $$
declare
    w uuid;
begin
    insert into postrider.delivery (consumer_id, handler, status, max_crashes, available_at, dead_at, fingerprint, seq, published_at,
        message_id, channel, event_type, event_version, occurred_at, source, payload, idempotency_key, priority)
    select (select id from postrider.consumer where channel = 'summed'), 'test.all', 'failed', 3, now(), now() - n * interval '1 second',
           md5((n % 10)::text), -n, now(), gen_random_uuid(), 'summed', 'x', 1, now(), '', '{}', n, 0
    from generate_series(1, 20000) n;
    commit;
    perform postrider.maintain();
    commit;
    w := promise.worker('rare');
    perform promise.publish('rare', 60);
    commit;
    call promise.die(w);
    update postrider.delivery set dead_at = dead_at - interval '1 year' where channel = 'rare';
    commit;
end
$$;
vacuum analyze postrider.delivery, postrider.dead_letter_tally, postrider.dead_letter_sum;
do $$
declare
    q record;
    v_buffers bigint;
begin
    for q in select * from (values
        ('select * from postrider.dead_letters order by dead_at desc, delivery_id limit 50', 200),
        ($q$select * from postrider.dead_page('{"consumer": "reader", "channel": "rare", "handler": "test.all"}')$q$, 400),
        ($q$select * from postrider.dead_page('{"consumer": "reader", "channel": "summed", "handler": "test.all",
            "fingerprint": "8f14e45fceea167a5a36dedd4bea2543"}')$q$, 400),
        ('select * from postrider.dead_letter_groups order by count desc', 500)) v(sql, allowed)
    loop
        v_buffers := promise.buffers(q.sql);
        v_buffers := promise.buffers(q.sql);
        raise notice '% buffers: %', v_buffers, left(q.sql, 60);
        assert v_buffers <= q.allowed, format('%s buffers: %s', v_buffers, q.sql);
    end loop;
    assert (select count(*) from postrider.dead_letter_groups where channel = 'summed') = 11;
end
$$;

-- pages follow one another, also when many died at one instant
do $$
declare
    v_seen bigint[] := '{}';
    v_page bigint[];
    v_dead_at timestamptz;
    v_id bigint;
begin
    loop
        select array_agg(p.delivery_id), min(p.dead_at), (array_agg(p.delivery_id))[count(*)]
        into v_page, v_dead_at, v_id from postrider.dead_page('{"channel": "rare"}', 7, v_dead_at, v_id) p;
        exit when v_page is null;
        v_seen := v_seen || v_page;
    end loop;
    assert v_seen = array(select delivery_id from postrider.dead_letters where channel = 'rare' order by dead_at desc, delivery_id);
    assert cardinality(v_seen) = 60;
    perform promise.raises($q$select postrider.dead_page('{}', 0)$q$, 'PR001');
    perform promise.raises($q$select postrider.dead_page('{"x": 1}')$q$, 'PR001');
end
$$;

-- current state
do $$
declare
    w uuid := promise.worker('busy', '[{"name": "a.x", "event_types": ["a"]}, {"name": "b.x", "event_types": ["b"]}]');
    other uuid := promise.worker('busy', '[{"name": "b.x", "event_types": ["b"]}]');
    c record;
    h record;
begin
    perform postrider.publish('a', p_channel => 'busy', p_priority => 1);
    perform promise.publish('busy', 3, 'a');
    perform promise.publish('busy', 2, 'c');
    commit;
    select * into c from postrider.consumers where channel = 'busy';
    assert (c.consumer, c.paused, c.held, c.handlers, c.workers, c.open_leases, c.leased, c.pending, c.failed) = ('reader', false, false, 2, 2, 0, 0, 0, 0)
       and c.behind_since is not null and c.held_handlers is null, c;
    perform promise.park(w);
    perform postrider.claim(w, 1);
    perform postrider.claim_due(w);
    commit;
    perform postrider.unregister_worker(other);
    assert (select array_agg(concat_ws(' ', kind, handler, messages, overdue, worker_alive, worker = w) order by kind desc)
            from postrider.leases where channel = 'busy') = '{"lease 1 f t t","delivery a.x 1 f t t"}';
    assert promise.drain(w) = 2;
    commit;
    assert (select behind_since from postrider.consumers where channel = 'busy') is null, 'the rest has no consumer';
    select * into h from postrider.handlers where channel = 'busy' and handler = 'b.x';
    assert (h.consumer, h.workers, h.pending, h.failed, h.circuit_state, h.circuit_mode, h.event_types, h.max_attempts)
         = ('reader', 1, 0, 0, 'closed', 'automatic', '{b}', 5), h;
end
$$;
