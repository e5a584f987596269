-- Promises about searching and paging through long lists:
--   a preview of a consumer, handler or fingerprint is read from the ledger, and equals an exact count
--   a search without an index scans a limited number of rows, returns its position and continues from there
--   the log up to a time is found without reading later messages, also after a long transaction
--   alerts that are not sent are found however many were
--   deliveries are listed by status, page by page: pending ones by due time
--   due rows of large tables are estimated, and marked so
--   the items of a replay that has ended are counted once
--   a list of dead letters, and the samples of a preview, read no payloads, headers and metadata
\ir ../include/promises.sql
\ir ../include/dead.sql

-- a preview of a consumer, handler or fingerprint is read from the ledger, and equals an exact count
do $$
declare
    w uuid := promise.worker('ledger', '[{"name": "l.x", "event_types": ["l.*"]}, {"name": "l.y", "event_types": ["l.*"]}]');
    v_filter jsonb;
    v_read jsonb;
    v_counted jsonb;
begin
    perform promise.publish('ledger', 3, 'l.one');
    perform promise.publish('ledger', 2, 'l.two');
    commit;
    call promise.die(w, 'terminal', 'no');
    for v_filter in
        select f::jsonb from unnest(array[
            '{"channel": "ledger"}', '{"channel": "ledger", "handler": "l.x"}', '{"handler": "l.y"}',
            '{"consumer": "reader", "channel": "ledger", "handler": "l.x"}', '{"channel": "ledger", "event_type": "l.two"}',
            '{"handler": "l.none"}']) f
    loop
        v_read := postrider.replay_preview(v_filter) - 'at';
        -- A condition that is always true and not part of the ledger.
        v_counted := postrider.replay_preview(v_filter || '{"published_after": "2000-01-01"}') - 'at';
        assert v_read = v_counted, format('%s: %s but %s', v_filter, v_read, v_counted);
        assert v_read -> 'exact' = 'true' and v_read -> 'searched_to' = 'null', v_read;
    end loop;
    assert postrider.replay_preview('{"channel": "ledger"}') -> 'total' = '10';
end
$$;

-- a search without an index scans a limited number of dead letters, returns its position and continues from there
do $$
declare
    v_seen bigint[] := '{}';
    v_page bigint[];
    v_place record;
    v_after record;
    v_preview jsonb;
begin
    v_preview := postrider.replay_preview('{"source": "nowhere", "channel": "ledger"}', 5, 4);
    assert v_preview @> '{"total": 0, "exact": false, "samples": []}' and v_preview ->> 'searched_to' is not null, v_preview;
    select null::timestamptz as dead_at, null::bigint as delivery_id into v_after;
    for i in 1..1000000 loop
        select * into v_place from postrider.dead_reach('{"event_type": "l.one"}', 4, v_after.dead_at, v_after.delivery_id);
        select array_agg(p.delivery_id) into v_page
        from postrider.dead_page('{"event_type": "l.one"}', 100, v_after.dead_at, v_after.delivery_id, v_place.dead_at, v_place.delivery_id) p;
        assert cardinality(v_page) <= 4 or v_place.dead_at is null, 'it looked further than it was told to';
        v_seen := v_seen || coalesce(v_page, '{}');
        exit when v_place.dead_at is null;
        v_after := v_place;
    end loop;
    assert v_seen = array(select delivery_id from postrider.dead_letters where event_type = 'l.one' order by dead_at desc, delivery_id), v_seen::text;
    assert (select dead_at is null from postrider.dead_reach('{"handler": "l.x"}', 1)), 'an index answers that';
end
$$;

-- deliveries are listed by status, page by page: pending ones by due time
do $$
declare
    w uuid := promise.worker('listed', '[{"name": "d.x", "event_types": ["*"]}, {"name": "d.y", "event_types": ["*"]}]');
    v_status text;
    v_seen bigint[];
    v_page bigint[];
    v_after jsonb;
begin
    perform postrider.publish('d.e', p_channel => 'listed', p_available_at => clock_timestamp() + (n % 3 + 1) * interval '1 hour', p_priority => n % 2)
    from generate_series(1, 6) n;
    perform promise.publish('listed', 4);
    commit;
    call promise.die(w);
    perform promise.park(w);
    foreach v_status in array '{pending,failed,delivered,in_flight}'::text[] loop
        v_seen := '{}';
        v_after := null;
        for i in 1..1000 loop
            select array_agg(p.delivery_id) filter (where p.delivery_id is not null), (array_agg(p.place))[count(*)] into v_page, v_after
            from postrider.delivery_page(v_status, 'reader', null, null, 3, v_after, 5) p;
            exit when v_after is null;
            v_seen := v_seen || coalesce(v_page, '{}');
        end loop;
        assert v_seen = array(
            select d.id from postrider.delivery d join postrider.consumer c on c.id = d.consumer_id
            where c.name = 'reader' and d.status = v_status
            order by case v_status when 'pending' then -d.priority end, case v_status when 'pending' then d.available_at end,
                     case v_status when 'pending' then d.id else -d.id end), format('%s: %s', v_status, v_seen);
        assert (cardinality(v_seen) > 0) = (v_status in ('pending', 'failed')), v_status;
    end loop;
    assert (select count(*) from postrider.delivery_page('pending', 'reader', 'd.x')) = 6;
    assert not exists (select from postrider.delivery_page('pending', 'absent'));
    assert not exists (select from postrider.delivery_page('pending', p_workspace => gen_random_uuid()));
    perform promise.raises($q$select postrider.delivery_page('dead')$q$, 'PR001');
    perform promise.raises($q$select postrider.delivery_page('failed', p_limit => 0)$q$, 'PR001');
end
$$;

-- the log is searched piece by piece, too
do $$
declare
    v_place record;
begin
    select * into v_place from postrider.message_reach('{"channel": "listed", "idempotency_key": "none"}', 3);
    assert v_place.published_at is not null;
    assert (select count(*) from postrider.message_page('{"channel": "listed", "event_type": "*"}', 50, null, null, 3)) = 3;
    assert (select count(*) from postrider.message_page('{"channel": "listed", "event_type": "*"}', 50, v_place.xid, v_place.seq, 3)) = 3;
    assert (select xid is null from postrider.message_reach('{"channel": "listed", "idempotency_key": "none"}', 1000)), 'it came to the end';
    assert (select xid is null from postrider.message_reach('{"channel": "listed"}', 1)), 'the order alone has an index';
    update postrider.message set published_at = clock_timestamp() - interval '2 days', idempotency_key = 'old'
    where ctid = (select min(ctid) from postrider.message where channel = 'listed') and channel = 'listed';
    assert not exists (select from postrider.message_page('{"channel": "listed", "idempotency_key": "old"}'));
    assert exists (select from postrider.message_page('{"channel": "listed", "idempotency_key": "old", "since": "-infinity"}'));
end
$$;

-- the log up to a time is found without reading later messages, also after a long transaction
do $$
declare
    v_now timestamptz := now();
    v_until timestamptz;
    v_expected bigint[];
    v_got bigint[];
    v_page text;
begin
    for i in 1..300 loop
        insert into postrider.message (channel, event_type, published_at)
        select 'timed', 'a', v_now - (301 - i) * interval '1 minute' + n * interval '100 ms' from generate_series(1, 100) n;
        commit;
    end loop;
    -- Begun after 50 minutes, published after 150; and one message that took as long.
    update postrider.message m set published_at = published_at + interval '100 minutes'
    from (select xid, seq, dense_rank() over (order by xid) as tx from postrider.message where channel = 'timed') t
    where m.channel = 'timed' and m.xid = t.xid and m.seq = t.seq and (t.tx = 50 or t.tx = 70 and m.seq % 100 = 0);
    commit;
    foreach v_until in array array(select v_now - n * interval '17 minutes' - interval '10 s' from generate_series(0, 17) n) loop
        v_page := format('select array_agg(p.seq) from postrider.message_page(%L, 20, null, null, 50000) p',
                         jsonb_build_object('channel', 'timed', 'until', v_until));
        execute v_page into v_got;
        v_expected := array(select seq from postrider.message where channel = 'timed' and published_at < v_until
                            order by xid desc, seq desc limit 20);
        assert coalesce(v_got, '{}') = v_expected, format('until %s: %s, not %s', v_until, v_got, v_expected);
    end loop;
    -- Again, because a connection may have to read the catalog again.
    assert least(promise.buffers(v_page), promise.buffers(v_page), promise.buffers(v_page)) < 600, promise.buffers(v_page);
    assert (select published_at < v_until + interval '2 minutes' from postrider.message_reach(
        jsonb_build_object('channel', 'timed', 'until', v_until + interval '1 minute', 'event_type', 'b'), 3)), 'the search begins there';
end
$$;

-- alerts that are not sent are found however many were
do $$
declare
    v_list text := 'select array_agg(u.alert_id) from (select alert_id from postrider.unsent_alerts order by alert_id desc limit 50) u';
    v_got bigint[];
begin
    insert into postrider.alert (at, handler_name, consumer, channel, delivery_id, cycle)
    select now(), 'x', 'x', 'x', -n, 1 from generate_series(1, 20000) n;
    delete from postrider.alert_sending;
    insert into postrider.alert_sending (target, alert_id, consumer, available_at)
    select t, (select min(id) + n * 100 from postrider.alert), 'x', now() from generate_series(0, 2) n, unnest('{ops,log}'::text[]) t;
    execute v_list into v_got;
    assert v_got = array(select alert_id from postrider.alerts where unsent <> '{}' order by alert_id desc) and cardinality(v_got) = 3, v_got;
    assert promise.buffers(v_list) < 500, promise.buffers(v_list);
    delete from postrider.alert_sending;
    assert promise.buffers(v_list) < 500 and not exists (select from postrider.unsent_alerts), promise.buffers(v_list);
end
$$;

-- due rows of large tables are estimated, and marked so
do $$
begin
    assert (select bool_and(exact) from postrider.retention_status());
    insert into postrider.event_handled (consumer_name, handler_name, idempotency_key, handled_at)
    select 'reader', 'd.x', n::text, clock_timestamp() - case when n % 2 = 0 then interval '100 days' else '0' end
    from generate_series(1, 60000) n;
    assert (select not exact and due between 20000 and 40000 and oldest is not null
            from postrider.retention_status() where entity = 'event_handled');
    assert (select bool_and(exact) from postrider.retention_status() where entity <> 'event_handled');
end
$$;

-- the items of a replay that has ended are counted once
do $$
declare
    w uuid := promise.worker('counted', '[{"name": "c.x", "event_types": ["*"]}]');
    v_replay bigint;
    v_before record;
begin
    perform promise.publish('counted', 5);
    commit;
    call promise.die(w);
    v_replay := postrider.replay_start('{"channel": "counted"}', 'ann', 'again');
    perform postrider.replay_step();
    commit;
    assert promise.run(w, 3, 'delivered') = 3;
    commit;
    perform postrider.maintain();
    assert (select counts is null from postrider.replay where id = v_replay), 'two still run';
    commit;
    assert promise.run(w, 10, 'terminal', 'again') = 2;
    commit;
    perform postrider.replay_step();
    commit;
    select * into v_before from postrider.replays where replay = v_replay;
    assert (v_before.delivered, v_before.failed, v_before.moved, v_before.waiting, v_before.ended_at is null) = (3, 2, 0, 0, false), v_before;
    perform postrider.maintain();
    assert (select counts from postrider.replay where id = v_replay) = '{3,2,0,0}';
    assert (select r from postrider.replays r where replay = v_replay) = v_before, 'it says the same';
    assert (select summary from postrider.replay_status(v_replay)) = '3 delivered, 2 died again';
end
$$;

-- an instant is the same one however a session writes it: CST is eight hours ahead of Greenwich in Shanghai, but is read as Chicago's
create function promise.found_by_time(p_at timestamptz) returns text
    language plpgsql
    as $$
declare
    v_dead timestamptz[] := array(select dead_at from postrider.delivery where channel = 'style' order by dead_at);
    v_before jsonb := jsonb_build_object('channel', 'style', 'dead_before', p_at);
    v_discarded int;
begin
    begin
        v_discarded := postrider.discard(v_before, 'ann', 'old');
        raise exception using errcode = 'PR999';
    exception when sqlstate 'PR999' then null;
    end;
    return concat_ws(' ',
        v_discarded,
        postrider.replay_preview(v_before) ->> 'total',
        postrider.replay_preview('{"channel": "style", "error": "no"}', 5, 5) ->> 'total',
        (select count(*) from postrider.dead_page(v_before)),
        (select count(*) from postrider.dead_page('{"channel": "style"}', 50, v_dead[8], 9999999, v_dead[3], 9999999)),
        (select array_position(v_dead, dead_at) from postrider.dead_reach('{"error": "no"}', 2, v_dead[6], 9999999)),
        (select count(*) from postrider.message_page(jsonb_build_object('channel', 'style', 'until', p_at))),
        (select count(*) from postrider.message_page(jsonb_build_object('channel', 'style', 'since', p_at))),
        postrider.message_before('style', p_at));
end
$$;
do $$
declare
    w uuid := promise.worker('style');
    v_at timestamptz := clock_timestamp() - interval '5 hours 30 minutes';
    v_found text;
begin
    update postrider.delivery set deleted_at = clock_timestamp() where status = 'failed' and deleted_at is null;
    for n in 0 .. 29 loop
        insert into postrider.message (channel, event_type, published_at)
        values ('style', 'x', v_at + (n - 4.5) * interval '12 minutes');
        commit;
    end loop;
    call promise.die(w);
    update postrider.delivery set dead_at = published_at where channel = 'style';
    commit;
    v_found := promise.found_by_time(v_at);
    assert v_found ~ '^5 5 5 5 5 4 5 25 [0-9]+$', v_found;
    perform set_config('datestyle', 'SQL, DMY', false), set_config('timezone', 'Asia/Shanghai', false);
    assert promise.found_by_time(v_at) = v_found, promise.found_by_time(v_at);
    perform set_config('datestyle', 'ISO, MDY', false), set_config('timezone', 'UTC', false);
end
$$;

-- a list of dead letters, and the samples of a preview, read no payloads, headers and metadata: those of ten are a thousand pages each
do $$
declare
    w uuid := promise.worker('bulky');
    v_document jsonb := to_jsonb((select string_agg(md5(n::text), '') from generate_series(1, 250000) n));
    v_sql text;
    v_buffers bigint;
begin
    perform promise.publish('bulky', 10);
    commit;
    call promise.die(w);
    update postrider.delivery set payload = v_document::json, headers = v_document::json, metadata = v_document where channel = 'bulky';
    commit;
    foreach v_sql in array array[
        $q$select * from postrider.dead_list('{"channel": "bulky"}', 10)$q$,
        $q$select * from postrider.dead_rows('{"channel": "bulky"}', 10)$q$,
        $q$select postrider.replay_preview('{"channel": "bulky"}', 10)$q$]
    loop
        perform promise.buffers(v_sql);
        v_buffers := promise.buffers(v_sql);
        assert v_buffers < 1000, format('%s: %s buffers', v_sql, v_buffers);
    end loop;
    assert (select count(*) from postrider.dead_list('{"channel": "bulky"}', 20) d
            where d.event_type = 'test.happened' and num_nonnulls(d.payload, d.headers, d.metadata) = 0) = 10;
    assert (select count(*) from postrider.dead_page('{"channel": "bulky"}', 20) d
            where d.payload #>> '{}' = v_document::text and d.headers = d.payload and d.metadata = v_document) = 10;
end
$$;
