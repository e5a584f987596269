-- Promises about a replay of many:
--   a preview counts and changes nothing; an invalid filter is refused
--   with the number and the instant of a preview, a replay has the same set or is refused
--   a replay has an actor, a reason and a frozen set; items that are not dead in their turn are skipped
--   items move in the order of the log; the outcome of each re-run is known
--   canary items go first; the rest follows when they were delivered, and waits when one died again
--   the rate is kept for any number of callers
--   it can be paused, resumed and cancelled; the actor is recorded
--   one whose items cannot be moved pauses, and the others go on; items without a handler are skipped
\ir ../include/promises.sql
\ir ../include/dead.sql

-- a preview counts and changes nothing
do $$
declare
    w uuid := promise.worker('preview', '[{"name": "a.x", "event_types": ["a"]}, {"name": "b.x", "event_types": ["b"]}]');
    p jsonb;
begin
    perform promise.publish('preview', 3, 'a');
    commit;
    call promise.die(w, 'terminal', 'timeout after 30 s', 'timeout');
    perform promise.publish('preview', 2, 'b');
    commit;
    call promise.die(w, 'terminal', 'no user 7', 'missing');
    p := postrider.replay_preview('{"channel": "preview"}', 2);
    assert p @> '{"total": 5, "handlers": [{"consumer": "reader", "channel": "preview", "handler": "a.x", "count": 3}],
                  "event_types": [{"event_type": "a", "count": 3}, {"event_type": "b", "count": 2}]}', p;
    assert jsonb_array_length(p -> 'handlers') = 2 and jsonb_array_length(p -> 'samples') = 2;
    assert p -> 'fingerprints' -> 0 @> jsonb_build_object('count', 3, 'error_class', 'timeout', 'last_error', 'timeout after 30 s',
        'fingerprint', postrider.fingerprint('timeout', 'timeout after 5 s')), p;
    assert (p ->> 'oldest')::timestamptz < (p ->> 'newest')::timestamptz;
    assert postrider.replay_preview('{"channel": "none"}') @> '{"total": 0, "handlers": [], "samples": []}';
end
$$;

-- expected: a replay takes the dead letters of a preview, or is refused
do $$
declare
    w uuid := promise.worker('expected', '[{"name": "e.x", "event_types": ["*"]}]');
    p jsonb;
    v_fixed jsonb;
    v_replay bigint;
begin
    perform promise.publish('expected', 2, 'a');
    commit;
    call promise.die(w);
    p := postrider.replay_preview('{"channel": "expected"}');
    v_fixed := jsonb_build_object('channel', 'expected', 'dead_before', p -> 'at');
    perform promise.publish('expected', 1, 'a');
    commit;
    call promise.die(w);
    perform promise.raises($q$select postrider.replay_start('{"channel": "expected"}', 'ann', 'x', p_expected => 2)$q$, 'PR012');
    perform promise.raises($q$select postrider.replay_propose('{"channel": "expected"}', 'ann', 'x', p_expected => 2)$q$, 'PR012');
    assert not exists (select from postrider.replay r where r.filter ->> 'channel' = 'expected'), 'nothing is left of a refused one';
    v_replay := postrider.replay_start(v_fixed, 'ann', 'x', p_expected => 2);
    assert (select total from postrider.replay_status(v_replay)) = 2;
    perform postrider.replay_cancel(v_replay, 'ann', 'x');
    -- Fewer is fine.
    perform postrider.discard('{"channel": "expected"}', 'ann', 'x', p_expected => 7);
    perform promise.raises($q$select postrider.restore('{"channel": "expected"}', 'ann', 'x', p_expected => 1)$q$, 'PR012');
    assert postrider.restore('{"channel": "expected"}', 'ann', 'x', p_expected => 3) = 3;
    perform promise.raises($q$select postrider.discard('{"channel": "expected"}', 'ann', 'x', p_expected => 2)$q$, 'PR012');
    assert postrider.replay_preview('{"channel": "expected"}') @> '{"total": 3}', 'a refused discard changes nothing';
end
$$;

-- filters
do $$
declare
    f record;
    w uuid := promise.worker('filter', '[{"name": "f.x", "event_types": ["*"]}]', 'filtering');
    v_workspace uuid := gen_random_uuid();
    d postrider.delivery;
    v_total text;
begin
    perform postrider.publish('f.one', p_channel => 'filter', p_source => 'shop', p_workspace_id => v_workspace);
    commit;
    call promise.die(w, 'terminal', 'No Answer from 10.0.0.1', 'timeout');
    perform postrider.publish('f.two', p_channel => 'filter', p_source => 'till');
    commit;
    call promise.die(w, 'terminal', 'full', 'disk');
    select * into d from postrider.delivery where channel = 'filter' and event_type = 'f.one';
    for f in select jsonb_build_object('channel', 'filter') || x.filter::jsonb as filter, x.total from (values
        ('{}', 2), ('{"consumer": "filtering"}', 2), ('{"consumer": "other"}', 0), ('{"handler": "f.x"}', 2),
        ('{"event_type": "f.one"}', 1), ('{"source": "till"}', 1), ('{"error_class": "disk"}', 1), ('{"error": "ANSWER"}', 1),
        ('{"error": "%"}', 0), (format('{"workspace_id": "%s"}', v_workspace), 1),
        (format('{"fingerprint": "%s"}', d.fingerprint), 1), (format('{"ids": ["%s"]}', d.message_id), 1), ('{"ids": []}', 0),
        (format('{"deliveries": [%s]}', d.id), 1), (format('{"dead_after": "%s"}', d.dead_at), 2),
        (format('{"dead_before": "%s"}', d.dead_at), 0), (format('{"published_after": "%s"}', d.published_at), 2),
        (format('{"published_before": "%s"}', d.dead_at), 1), ('{"error": "answer", "source": "till"}', 0)) x(filter, total)
    loop
        v_total := postrider.replay_preview(f.filter) ->> 'total';
        assert v_total = f.total::text, format('%s: %s', f.filter, v_total);
    end loop;
    for f in select unnest(array['[]', 'null', '{"handlers": "x"}', '{"handler": 1}', '{"handler": null}', '{"ids": "x"}', '{"ids": ["x"]}',
                                 '{"deliveries": ["x"]}', '{"deliveries": [1, null]}', '{"ids": [null]}', '{"deliveries": [1e30]}',
                                 '{"deliveries": [1.5]}', '{"workspace_id": "x"}', '{"dead_after": "noon"}', '{"error": ["x"]}']) as bad
    loop
        perform promise.raises(format('select postrider.replay_preview(%L)', f.bad), 'PR001');
        perform promise.raises(format('select postrider.replay_start(%L, ''x'', ''y'')', f.bad), 'PR001');
        perform promise.raises(format('select postrider.discard(%L, ''x'', ''y'')', f.bad), 'PR001');
    end loop;
    perform promise.raises('select postrider.replay_preview(null)', 'PR001');
end
$$;

-- from the dead to their outcomes
do $$
declare
    w uuid := promise.worker('outcomes', '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "immediate"}}]');
    v_id bigint;
    s record;
    v_first uuid;
begin
    perform promise.publish('outcomes', 10);
    commit;
    call promise.die(w);
    perform promise.raises($q$select postrider.replay_start('{"channel": "outcomes"}', '', 'y')$q$, 'PR001');
    perform promise.raises($q$select postrider.replay_start('{"channel": "outcomes"}', 'x', 'y', p_rate => 1e-7)$q$, 'PR001');
    perform promise.raises($q$select postrider.replay_propose('{"channel": "outcomes"}', 'x', 'y', p_rate => 'NaN')$q$, 'PR001');
    perform promise.raises($q$select postrider.replay_start('{"channel": "outcomes"}', 'x', null)$q$, 'PR001');
    perform promise.raises($q$select postrider.replay_start('{"channel": "outcomes"}', 'x', 'y', p_rate => 0)$q$, 'PR001');
    perform promise.raises($q$select postrider.replay_start('{"channel": "outcomes"}', 'x', 'y', p_canary => -1)$q$, 'PR001');
    perform promise.raises($q$select postrider.replay_start('{"channel": "outcomes"}', 'x', 'y', p_generation => 9)$q$, 'PR003');
    perform promise.raises($q$select postrider.replay_start('{"channel": "none"}', 'x', 'y')$q$, 'PR014');
    v_id := postrider.replay_start('{"channel": "outcomes"}', 'ann', 'the mail server is back');
    commit;
    -- later dead letters are not part of it; those that are replayed or discarded before their turn are skipped
    perform promise.publish('outcomes', 1);
    commit;
    call promise.die(w);
    select id into v_first from postrider.dead_letters where channel = 'outcomes' order by seq limit 1;
    perform postrider.outbox_replay(v_first, null, 'x');
    perform postrider.discard(jsonb_build_object('ids', jsonb_build_array(
        (select id from postrider.dead_letters where channel = 'outcomes' order by seq limit 1))), 'x', 'y');
    commit;
    select * into s from postrider.replay_step(4);
    assert (s.replay, s.moved, s.skipped, s.phase) = (v_id, 2, 2, 'running') and s.again_at is not null, s;
    commit;
    select * into s from postrider.replay_status(v_id);
    assert s.summary = '0 delivered, 0 died again, 2 running, 6 waiting, 2 skipped: already replayed, discarded', s;
    assert (select array_agg(outcome order by number) from postrider.replay_items where replay = v_id)
         = '{skipped,skipped,moved,moved,waiting,waiting,waiting,waiting,waiting,waiting}', 'in the order of the log';
    assert promise.run(w, 2, 'delivered') = 2;  -- the one replayed by hand and the first of these
    commit;
    loop
        select * into s from postrider.replay_step(3);
        commit;
        exit when s.moved = 0;
    end loop;
    assert promise.run(w, 4, 'terminal') = 4;
    assert promise.run(w, 1, 'transient') = 1;
    select * into s from postrider.replay_step();
    assert (s.phase, s.moved) = ('running', 0) and s.again_at < clock_timestamp() + interval '900 ms', 'some still run';
    update postrider.replay set tokens_at = tokens_at - interval '1 hour' where id = v_id;
    select * into s from postrider.replay_step();
    assert s.again_at between clock_timestamp() + interval '800 ms' and clock_timestamp() + interval '1 second',
        'it polls about once a second while items run';
    commit;
    assert promise.run(w, 10, 'delivered') = 3;
    commit;
    select * into s from postrider.replay_step();
    assert (s.phase, s.again_at) is not distinct from ('finished', null::timestamptz), s;
    commit;
    select * into s from postrider.replay_status(v_id);
    assert s.summary = '4 delivered, 4 died again, 2 skipped: already replayed, discarded', s;
    assert (select (delivered, failed, skipped, moved, waiting, ended_at is null) = (4, 4, 2, 0, 0, false) from postrider.replays
            where replay = v_id);
    assert not exists (select from postrider.replay_step() r where r.replay = v_id), 'it has ended';
    assert (select count(*) from postrider.delivery where replay_id = v_id and failure_history -> 0 ->> 'replay' = v_id::text
            and failure_history -> 0 ->> 'replayed_by' = 'ann') = 8;
    perform promise.raises('select postrider.replay_status(-1)', 'PR014');
    perform promise.raises('select postrider.replay_step(0)', 'PR001');
end
$$;

-- a canary that ends well
do $$
declare
    w uuid := promise.worker('canary');
    v_id bigint;
    s record;
begin
    perform promise.publish('canary', 6);
    commit;
    call promise.die(w);
    v_id := postrider.replay_start('{"channel": "canary"}', 'ann', 'fixed', p_canary => 2);
    commit;
    select * into s from postrider.replay_step(1000, v_id);
    assert (s.moved, s.phase) = (2, 'canary'), s;
    commit;
    select * into s from postrider.replay_step(1000, v_id);
    assert (s.moved, s.phase) = (0, 'canary'), 'the rest waits';
    commit;
    assert promise.run(w, 1, 'delivered') = 1;
    assert (select r.moved from postrider.replay_step(1000, v_id) r) = 0;
    assert promise.run(w, 1, 'delivered') = 1;
    select * into s from postrider.replay_step(1000, v_id);
    assert (s.moved, s.phase) = (4, 'running'), s;
end
$$;

-- an item that dies again pauses it; resuming runs the rest
do $$
declare
    w uuid := promise.worker('poison');
    v_id bigint;
    v_next bigint;
    s record;
begin
    perform promise.publish('poison', 5);
    commit;
    call promise.die(w);
    v_id := postrider.replay_start('{"channel": "poison"}', 'ann', 'fixed', p_canary => 2);
    perform postrider.replay_step(1, v_id);
    commit;
    perform postrider.replay_step(5, v_id);
    assert promise.run(w, 1, 'delivered') = 1;
    assert promise.run(w, 1, 'terminal', 'broken') = 1;
    commit;
    select * into s from postrider.replay_step(1000, v_id);
    assert (s.moved, s.phase) = (0, 'paused') and s.again_at is null, s;
    commit;
    assert not exists (select from postrider.replay_step(1000, v_id) r);
    assert (select (actor, action, reason) = ('postrider', 'replay_pause', 'a canary died again') from postrider.audits
            order by audit desc limit 1);
    assert (select paused_reason from postrider.replays where replay = v_id) = 'a canary died again';
    perform postrider.replay_resume(v_id, 'bob', 'that one is really broken');
    select * into s from postrider.replay_step(1000, v_id);
    assert (s.moved, s.phase) = (3, 'running'), s;
    -- the item that died again, by its replay; its error stays with this replay when another one takes it
    assert (select count(*) from postrider.replay_items where replay = v_id and outcome = 'failed' and last_error is not null) = 1;
    assert postrider.replay_preview(jsonb_build_object('channel', 'poison', 'replay', v_id::text)) ->> 'total' = '1';
    v_next := postrider.replay_start(jsonb_build_object('replay', v_id::text), 'bob', 'once more');
    perform postrider.replay_step(1000, v_next);
    assert (select i.last_error is not null and d.last_error is null and d.status = 'pending'
            from postrider.replay_items i join postrider.delivery d on d.id = i.delivery_id
            where i.replay = v_id and i.outcome = 'failed');
    assert (select last_error from postrider.replay_items where replay = v_next) is null, 'it has not failed in this one';
end
$$;

-- paused, resumed, cancelled, and recorded
do $$
declare
    w uuid := promise.worker('stopped');
    v_id bigint;
    s record;
begin
    perform promise.publish('stopped', 5);
    commit;
    call promise.die(w);
    v_id := postrider.replay_start('{"channel": "stopped"}', 'ann', 'fixed');
    perform postrider.replay_step(2, v_id);
    perform promise.raises(format('select postrider.replay_resume(%s, ''x'', ''y'')', v_id), 'PR012');
    perform promise.raises(format('select postrider.replay_pause(%s, ''x'', '''')', v_id), 'PR001');
    perform postrider.replay_pause(v_id, 'ann', 'look first');
    perform promise.raises(format('select postrider.replay_pause(%s, ''x'', ''y'')', v_id), 'PR012');
    assert not exists (select from postrider.replay_step(1, v_id) r);
    perform postrider.replay_resume(v_id, 'ann', 'all good');
    assert (select r.moved from postrider.replay_step(1, v_id) r) = 1;
    commit;
    perform postrider.replay_cancel(v_id, 'ann', 'enough');
    perform promise.raises(format('select postrider.replay_cancel(%s, ''x'', ''y'')', v_id), 'PR012');
    perform promise.raises(format('select postrider.replay_resume(%s, ''x'', ''y'')', v_id), 'PR012');
    perform promise.raises('select postrider.replay_cancel(-1, ''x'', ''y'')', 'PR014');
    assert promise.run(w, 9, 'delivered') = 3, 'what was moved runs';
    select * into s from postrider.replay_status(v_id);
    assert (s.phase, s.summary) = ('cancelled', '3 delivered, 0 died again, 2 cancelled'), s;
    assert (select count(*) from postrider.dead_letters where channel = 'stopped') = 2;
    assert (select array_agg(action order by audit) from postrider.audits where (after ->> 'replay')::bigint = v_id)
         = '{replay_start,replay_pause,replay_resume,replay_cancel}';
end
$$;

-- a rate
do $$
declare
    w uuid := promise.worker('rate');
    v_id bigint;
    v_start timestamptz;
    v_seconds float8;
    v_moved int := 0;
    v_step int;
begin
    perform promise.publish('rate', 1500);
    commit;
    call promise.die(w);
    v_id := postrider.replay_start('{"channel": "rate"}', 'ann', 'slowly', p_rate => 500);
    commit;
    v_start := clock_timestamp();
    while clock_timestamp() < v_start + interval '2 seconds' loop
        select r.moved into v_step from postrider.replay_step(1000, v_id) r;
        v_moved := v_moved + v_step;
        commit;
        -- Callers come at any pace.
        perform pg_sleep(random() * 0.1);
    end loop;
    select r.moved into v_step from postrider.replay_step(1000, v_id) r;
    v_moved := v_moved + v_step;
    v_seconds := extract(epoch from clock_timestamp() - v_start);
    assert v_moved / v_seconds between 475 and 525, format('%s in %s s', v_moved, v_seconds);
    -- No call for a while: two seconds' worth, no more.
    update postrider.replay set tokens_at = tokens_at - interval '1 hour', rate = 1 where id = v_id;
    assert (select r.moved from postrider.replay_step(1000, v_id) r) = 2;
    assert (select r.moved from postrider.replay_step(1000, v_id) r) = 0;
    assert (select r.again_at - clock_timestamp() between interval '0.8 seconds' and interval '1 second'
            from postrider.replay_step(1000, v_id) r);
    -- The clock was set back: it continues from now, and does not wait until the old time is reached again.
    update postrider.replay set tokens_at = clock_timestamp() + interval '1 hour', rate = 100 where id = v_id;
    assert (select r.again_at < clock_timestamp() + interval '1 second' from postrider.replay_step(1000, v_id) r);
    update postrider.replay set tokens_at = tokens_at - interval '1 second' where id = v_id;  -- which has passed
    assert (select r.moved from postrider.replay_step(1000, v_id) r) > 0;
end
$$;

-- another generation
do $$
declare
    w uuid := promise.worker('outbox_gen_5');
    n uuid := promise.worker('outbox_gen_6');
    v_id bigint;
begin
    perform promise.publish('outbox_gen_5', 3);
    commit;
    call promise.die(w);
    v_id := postrider.replay_start('{"channel": "outbox_gen_5"}', 'ann', 'with the new code', p_generation => 6);
    perform postrider.replay_step(10, v_id);
    commit;
    assert promise.run(n, 10, 'delivered') = 3;
    assert (select summary from postrider.replay_status(v_id)) = '3 delivered, 0 died again';
end
$$;

-- a generation that has lost a handler since: items without a handler are skipped and stay dead
do $$
declare
    v_handlers jsonb := '[{"name": "a.x", "event_types": ["a"]}, {"name": "b.x", "event_types": ["b"]}]';
    w uuid := promise.worker('outbox_gen_7', v_handlers);
    n uuid := promise.worker('outbox_gen_8', v_handlers);
    v_id bigint;
begin
    perform promise.publish('outbox_gen_7', 2, 'a');
    perform promise.publish('outbox_gen_7', 3, 'b');
    commit;
    call promise.die(w);
    v_id := postrider.replay_start('{"channel": "outbox_gen_7"}', 'ann', 'with the new code', p_generation => 8);
    perform postrider.retire_handler('reader', 'b.x', 'outbox_gen_8');
    assert (select (r.moved, r.skipped) = (2, 3) from postrider.replay_step(10, v_id) r);
    commit;
    assert (select array_agg(distinct i.note) from postrider.replay_item i where i.replay_id = v_id and i.outcome = 'skipped')
         = '{no consumer can run it in that generation}';
    assert (select array_agg(distinct d.channel || ' ' || d.handler || ' ' || d.status) from postrider.delivery d
            where d.channel in ('outbox_gen_7', 'outbox_gen_8')) = '{"outbox_gen_7 b.x failed","outbox_gen_8 a.x pending"}';
    assert promise.run(n, 10, 'delivered') = 2;
end
$$;

-- a replay that cannot move its items pauses, with the reason, and does not block other replays
do $$
declare
    w uuid := promise.worker('outbox_gen_10');
    n uuid := promise.worker('outbox_gen_11');
    u uuid := promise.worker('untroubled');
    v_bad bigint;
    v_good bigint;
    r record;
begin
    perform promise.publish('outbox_gen_10', 3);
    perform promise.publish('untroubled', 3);
    commit;
    call promise.die(w);
    call promise.die(u);
    -- Another delivery of the second message is there already.
    insert into postrider.delivery (consumer_id, handler, max_crashes, available_at, seq, published_at, message_id, channel, event_type,
                                    event_version, occurred_at, source, payload, idempotency_key, priority)
    select c.id, d.handler, 3, now(), d.seq, d.published_at, d.message_id, c.channel, d.event_type, 1, now(), '', '{}', 'k', 0
    from postrider.consumer c, (select * from postrider.delivery where channel = 'outbox_gen_10' order by seq offset 1 limit 1) d
    where c.channel = 'outbox_gen_11';
    v_bad := postrider.replay_start('{"channel": "outbox_gen_10"}', 'ann', 'x', p_generation => 11);
    v_good := postrider.replay_start('{"channel": "untroubled"}', 'ann', 'x');
    commit;
    assert exists (select from postrider.maintain() m where m = format('replay %s: moved 0, skipped 0, is paused', v_bad));
    commit;
    assert promise.run(u, 10, 'delivered') = 3, 'the other one went on';
    select * into r from postrider.replay where id = v_bad;
    assert (r.phase, r.moved_to) = ('paused', 0) and r.paused_reason like 'its next items cannot be moved: duplicate key%', r;
    assert (select actor || ' ' || reason from postrider.audit where action = 'replay_pause' and after ->> 'replay' = v_bad::text)
         = 'postrider ' || r.paused_reason;
    assert (select count(*) from postrider.delivery where channel = 'outbox_gen_10' and status = 'failed') = 3, 'half moved';
    -- it is reported again when nothing has changed, and continues after a change
    perform postrider.replay_resume(v_bad, 'ann', 'again');
    assert (select phase from postrider.replay_step(10, v_bad)) = 'paused';
    delete from postrider.delivery where channel = 'outbox_gen_11';
    perform postrider.replay_resume(v_bad, 'ann', 'again');
    assert (select moved from postrider.replay_step(10, v_bad)) = 3;
    commit;
    assert promise.run(n, 10, 'delivered') = 3;
end
$$;

-- a lock that another session keeps pauses no replay, and the others go on
\setenv PGDATABASE :DBNAME
do $$
declare
    w uuid := promise.worker('blocked');
begin
    perform promise.publish('blocked', 1);
    commit;
    call promise.die(w);
    perform postrider.replay_start('{"channel": "blocked"}', 'ann', 'x');
end
$$;
begin;
select from postrider.delivery where channel = 'blocked' for update;
\set refused `psql -XqAt -c "set lock_timeout = '50 ms'" -c '\set VERBOSITY sqlstate' -c 'select postrider.replay_step()' 2>&1`
commit;
select promise.raises(format('do $q$ begin assert %L !~ ''ERROR|55P03'', %L; end $q$', :'refused', :'refused'), '00000');
do $$
begin
    assert (select phase from postrider.replays where filter ->> 'channel' = 'blocked') = 'running';
    assert (select s.moved from postrider.replay_step() s join postrider.replays r using (replay) where r.filter ->> 'channel' = 'blocked') = 1;
end
$$;
