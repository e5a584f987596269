-- Promises of schedules:
--   define_schedule() creates, changes or keeps a schedule; unknown keys are refused with the closest valid key, bad values with the valid
--     ones
--   a slot that is due fires once: its message has an id that follows from schedule and slot, and occurred at the slot
--   missed slots within the catch-up window fire, the oldest first and within the limit; older ones are skipped and counted
--   jitter is within its bound and the same for a slot each time
--   a call without a due schedule costs the same with ten thousand schedules as with one
\ir ../include/promises.sql
set timezone = 'UTC';

-- due(name, ago): lets the next slot of a schedule be one that is so long ago.
create function promise.due(p_name text, p_ago interval) returns timestamptz
    language sql
    as $$
    update postrider.schedule
    set next_slot = date_trunc('minute', clock_timestamp()) - p_ago,
        next_at = postrider.slot_at(name, date_trunc('minute', clock_timestamp()) - p_ago, jitter)
    where name = p_name
    returning next_slot
    $$;
create function promise.define(p_name text, p_more jsonb default '{}') returns text
    language sql
    as $$
    select postrider.define_schedule(
        p_name, '{"cron": "* * * * *"}' || jsonb_build_object('message', jsonb_build_object('event_type', 'tick', 'channel', p_name)) || p_more)
    $$;
create function promise.ids(p_channel text) returns uuid[]
    language sql
    as $$ select coalesce(array_agg(id order by seq), '{}') from postrider.message where channel = p_channel $$;

-- define_schedule()
do $$
declare
    s postrider.schedule;
    v_listed text;
begin
    assert promise.define('defined') = 'created';
    assert promise.define('defined') = 'unchanged';
    select * into s from postrider.schedule where name = 'defined';
    assert (s.time_zone, s.overlap, s.catch_up, s.jitter, s.paused, s.owner) = ('UTC', 'allow', interval '1 hour', interval '0', false, session_user), s;
    assert s.next_slot = date_trunc('minute', clock_timestamp()) + interval '1 minute' and s.next_at = s.next_slot, s;
    update postrider.schedule set next_slot = '2040-01-01Z', next_at = '2040-01-01Z', paused = true where name = 'defined';
    assert promise.define('defined', '{"overlap": "skip"}') = 'changed';
    select * into s from postrider.schedule where name = 'defined';
    assert s.next_slot = '2040-01-01Z' and s.paused and s.overlap = 'skip', 'the slot and the pause stay';
    assert promise.define('defined', '{"cron": "@hourly", "overlap": "skip"}') = 'changed';
    select * into s from postrider.schedule where name = 'defined';
    assert s.next_slot = date_trunc('hour', clock_timestamp()) + interval '1 hour' and s.paused, 'another expression has other slots';
    assert (select array_agg(action || ' ' || coalesce(before ->> 'cron', '-') || ' ' || (after ->> 'cron') order by id) from postrider.audit
            where filter = '{"schedule": "defined"}')
         = '{define_schedule - * * * * *,define_schedule * * * * * * * * * *,define_schedule * * * * * @hourly}';
    perform postrider.remove_schedule('defined', 'ann', 'over');
    assert not exists (select from postrider.schedules where schedule = 'defined');
    perform promise.raises('select postrider.remove_schedule(''defined'')', 'PR014');
    assert not exists (select from postrider.message where event_type = 'tick'), 'a definition publishes nothing';
end
$$;

-- refused definitions
do $$
declare
    v_definition text;
begin
    foreach v_definition in array array[
        '1', '{}', '{"cron": "* * * * *"}', '{"cron": "* * * * *", "message": {}}', '{"cron": "* * * * *", "message": []}',
        '{"cron": "0 0 31 2 *", "message": {"event_type": "a"}}', '{"cron": "x", "message": {"event_type": "a"}}',
        '{"cron": "* * * * *", "message": {"event_type": "a", "id": "0190163d-8694-739b-aea5-966c26f8ad91"}}',
        '{"cron": "* * * * *", "message": {"event_type": "a", "idempotency_key": "b"}}',
        '{"cron": "* * * * *", "message": {"event_type": "a", "available_at": "2040-01-01Z"}}',
        '{"cron": "* * * * *", "message": {"event_type": "a", "workspace_id": "b"}}',
        '{"cron": "* * * * *", "message": {"event_type": "a", "priority": 99999}}',
        '{"cron": "* * * * *", "message": {"event_type": "a"}, "time_zone": "Mars/Olympus"}',
        '{"cron": "* * * * *", "message": {"event_type": "a"}, "overlap": "never"}',
        '{"cron": "* * * * *", "message": {"event_type": "a"}, "catch_up": "9 seconds"}',
        '{"cron": "* * * * *", "message": {"event_type": "a"}, "catch_up": "soon"}',
        '{"cron": "* * * * *", "message": {"event_type": "a"}, "jitter": "-1 s"}',
        '{"cron": "* * * * *", "message": {"event_type": "a"}, "jitter": "25 hours"}'] loop
        perform promise.raises(format('select postrider.define_schedule(''refused'', %L)', v_definition), 'PR001');
    end loop;
    foreach v_definition in array array['', 'Upper', 'a b', repeat('a', 128)] loop
        perform promise.raises(format('select promise.define(%L)', v_definition), 'PR013');
    end loop;
    begin
        perform promise.define('refused', '{"catchup": "1 hour"}');
    exception when sqlstate 'PR001' then
        assert sqlerrm = 'unknown key ''catchup'' in a schedule; did you mean ''catch_up''?', sqlerrm;
    end;
    begin
        perform promise.define('refused', '{"message": {"event_tpe": "a"}}');
    exception when sqlstate 'PR001' then
        assert sqlerrm = 'define_schedule: message: unknown key ''event_tpe'' in a message; did you mean ''event_type''?', sqlerrm;
    end;
    assert not exists (select from postrider.schedule where name = 'refused');
end
$$;

-- a slot fires once
do $$
declare
    v_slot timestamptz;
    v_ids uuid[];
    f record;
    m postrider.message;
begin
    perform promise.define('fires', '{"message": {"event_type": "report.due", "channel": "fires", "payload": {"a": 1}, "headers": {"h": "x"},
                                                  "target": "billing", "priority": 3}}');
    f := postrider.fire_due();
    assert (f.schedules, f.fired, f.skipped) = (0, 0, 0) and f.again_at = (select next_at from postrider.schedule where name = 'fires'), f;
    v_slot := promise.due('fires', '0');
    f := postrider.fire_due();
    assert (f.schedules, f.fired, f.skipped, f.again_at) = (1, 1, 0, v_slot + interval '1 minute'), f;
    f := postrider.fire_due();
    assert f.fired = 0, f;
    select * into strict m from postrider.message where channel = 'fires';
    assert (m.id, m.occurred_at, m.source, m.event_type, m.target, m.priority::int, m.payload::jsonb, m.headers::jsonb)
         = (postrider.slot_id('fires', v_slot), v_slot, 'schedule:fires', 'report.due', 'billing', 3, '{"a": 1}', '{"h": "x"}'), m;
    assert substr(m.id::text, 15, 1) = '8' and m.idempotency_key is null, m.id;
    assert (select (last_slot, last_message_id, fired, late, skipped) = (v_slot, m.id, 1, 0 + late, 0) from postrider.schedule where name = 'fires');
    -- Fired again, as after a lost commit, it would have the same id; another slot and another schedule have others.
    v_ids := array[postrider.slot_id('fires', v_slot), postrider.slot_id('fires', v_slot + interval '1 second'), postrider.slot_id('other', v_slot)];
    assert v_ids[1] = m.id and cardinality(array(select distinct unnest(v_ids))) = 3;
    assert (select count(*) = 1 from postrider.schedule where next_slot = v_slot + interval '1 minute' and name = 'fires');
    perform postrider.remove_schedule('fires');
end
$$;

-- catch-up
do $$
declare
    v_slot timestamptz;
    f record;
begin
    perform promise.define('late', '{"catch_up": "10 minutes"}');
    v_slot := promise.due('late', '1 hour');
    f := postrider.fire_due(4);
    assert f.fired = 4 and f.skipped between 49 and 51 and f.again_at < clock_timestamp(), f;
    f := postrider.fire_due(1000);
    assert f.fired between 5 and 8 and f.skipped = 0 and f.again_at > clock_timestamp(), f;
    assert (select array_agg(occurred_at order by seq) = array_agg(occurred_at order by occurred_at)
                   and count(*) = count(distinct occurred_at) and min(published_at - occurred_at) >= '0'
                   and max(published_at - occurred_at) < interval '11 minutes'
            from postrider.message where channel = 'late');
    assert (select fired + skipped = 61 and late >= 9 from postrider.schedule where name = 'late'),
        (select s from postrider.schedule s where name = 'late');
    -- A schedule of every second that did not fire for a year is not counted to the end.
    perform promise.define('late', '{"cron": "* * * * * *", "catch_up": "10 seconds"}');
    perform promise.due('late', '365 days');
    f := postrider.fire_due(1000);
    assert f.skipped = 1000 and f.fired between 1 and 30, f;
    perform postrider.remove_schedule('late');
end
$$;

-- jitter
do $$
declare
    v_slot timestamptz := '2026-01-01 00:00Z';
    v_at timestamptz[];
    s postrider.schedule;
begin
    v_at := array(select postrider.slot_at('a', v_slot + n * interval '1 minute', '30 s') - n * interval '1 minute' from generate_series(1, 200) n);
    assert (select min(a) >= v_slot and max(a) < v_slot + interval '30 s' and max(a) - min(a) > interval '20 s' from unnest(v_at) a);
    assert v_at = array(select postrider.slot_at('a', v_slot + n * interval '1 minute', '30 s') - n * interval '1 minute' from generate_series(1, 200) n);
    assert postrider.slot_at('b', v_slot, '30 s') <> postrider.slot_at('a', v_slot, '30 s');
    perform promise.define('jitters', '{"cron": "0 0 1 1 *", "jitter": "1 day"}');
    select * into s from postrider.schedule where name = 'jitters';
    assert s.next_at > s.next_slot and s.next_at < s.next_slot + interval '1 day', s;
    perform postrider.remove_schedule('jitters');
end
$$;

-- ten thousand
do $$
declare
    v_few bigint;
    v_many bigint;
begin
    perform promise.define('many');
    perform postrider.fire_due();
    v_few := promise.buffers('select * from postrider.fire_due()');
    insert into postrider.schedule (name, cron, parsed, time_zone, message, overlap, catch_up, jitter, next_slot, next_at)
    select 'many.' || n, s.cron, s.parsed, s.time_zone, s.message, s.overlap, s.catch_up, s.jitter, s.next_slot + n * interval '1 minute',
           s.next_at + n * interval '1 minute'
    from postrider.schedule s cross join generate_series(1, 10000) n where s.name = 'many';
    v_many := promise.buffers('select * from postrider.fire_due()');
    assert v_many <= v_few + 10, format('%s buffers, %s with many', v_few, v_many);
    delete from postrider.schedule;
end
$$;
