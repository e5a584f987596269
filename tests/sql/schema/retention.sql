-- Promises about retention:
--   the policies have the required defaults, and event_handled outlives outbox after every change
--   delivered deliveries and dead letters are soft deleted when their time is over and removed after the grace
--   time counts from the end of a row, and the policy of its class takes precedence over the one for all
--   a dead letter stays while its message is in the log, an entry of the inbox while its delivery exists
--   a dry run says the same as the run, and changes nothing
--   deliveries that have not ended are kept, whatever their age
\ir ../include/promises.sql

-- delivery(status, age, class, channel): a delivery that was made, and has ended, that long ago.
create function promise.delivery(
    p_status text, p_age interval default '0', p_class text default null, p_channel text default 'kept'
) returns bigint
    language plpgsql
    as $$
declare
    v_consumer int := postrider.create_consumer('reader', p_channel);
    v_at timestamptz := clock_timestamp() - p_age;
    v_delivery bigint;
    m postrider.message;
begin
    m.seq := nextval(pg_get_serial_sequence('postrider.message', 'seq'));
    m.id := gen_random_uuid();
    m.channel := p_channel;
    m.event_type := 'x';
    m.event_version := 1;
    m.occurred_at := v_at;
    m.published_at := v_at;
    m.source := '';
    m.payload := '{}';
    m.priority := 0;
    m.content_class := p_class;
    m.available_at := v_at;
    insert into postrider.delivery (
        consumer_id, handler, max_attempts, max_crashes, available_at, seq, published_at, message_id, channel, event_type,
        event_version, occurred_at, source, content_class, payload, idempotency_key, priority)
    values (
        v_consumer, 'test.all', 5, 3, m.available_at, m.seq, m.published_at, m.id, m.channel, m.event_type,
        m.event_version, m.occurred_at, m.source, m.content_class, m.payload, m.id::text, m.priority)
    returning id into v_delivery;
    update postrider.delivery
    set status = p_status, created_at = v_at,
        delivered_at = case when p_status = 'delivered' then v_at end,
        dead_at = case when p_status = 'failed' then v_at end,
        claimed_at = case when p_status = 'in_flight' then v_at end,
        lease_token = case when p_status = 'in_flight' then gen_random_uuid() end
    where id = v_delivery;
    return v_delivery;
end
$$;

-- run(limit): the actions of retention, except on the log.
create function promise.run(p_limit int default 1000, p_dry_run boolean default false) returns text[]
    language sql
    as $$
    select coalesce(array_agg(r.entity || ' ' || r.action || ' ' || r.things), '{}')
    from postrider.retention_run(p_limit, p_dry_run) r
    $$;

-- the policies have the required values
do $$
begin
    assert (select array_agg(concat_ws(' ', entity, class, active_ttl, grace, disposal) order by entity)
            from postrider.retention_policy) = array[
        'alert * 30 days 00:00:00 hard_delete', 'audit * 1095 days 00:00:00 hard_delete',
        'dead_letter * 45 days 7 days hard_delete', 'event_handled * 60 days 7 days hard_delete',
        'outbox * 45 days 7 days hard_delete', 'replay * 365 days 00:00:00 hard_delete'];
    assert (select h.active_ttl > o.active_ttl + o.grace
            from postrider.retention_policy h, postrider.retention_policy o
            where h.entity = 'event_handled' and o.entity = 'outbox');
end
$$;

-- event_handled outlives outbox: refused from both sides, through the function and past it
do $$
begin
    perform promise.raises($q$select postrider.set_retention('event_handled', '52 days', '7 days')$q$, 'PR001');
    perform promise.raises($q$select postrider.set_retention('outbox', '53 days', '7 days')$q$, 'PR001');
    perform promise.raises($q$select postrider.set_retention('outbox', '45 days', '15 days')$q$, 'PR001');
    perform promise.raises($q$select postrider.set_retention('outbox', '60 days', '0', p_class => 'audit')$q$, 'PR001');
    perform promise.raises($q$select postrider.set_retention('outbox', '1 day', '0', 'keep')$q$, 'PR001');
    perform promise.raises($q$update postrider.retention_policy set active_ttl = '51 days' where entity = 'event_handled'$q$, 'PR001');
    perform promise.raises($q$update postrider.retention_policy set grace = '20 days' where entity = 'outbox'$q$, 'PR001');
    perform promise.raises($q$insert into postrider.retention_policy (entity, class, active_ttl) values ('outbox', 'a', '90 days')$q$, 'PR001');
    perform promise.raises($q$delete from postrider.retention_policy where entity = 'event_handled'$q$, 'PR001');
    perform promise.raises($q$truncate postrider.retention_policy$q$, 'PR001');
    perform promise.raises($q$select postrider.set_retention('event_handled', null)$q$, 'PR001');
    -- one microsecond decides
    perform promise.raises($q$select postrider.set_retention('event_handled', '52 days')$q$, 'PR001');
    perform postrider.set_retention('event_handled', interval '52 days' + interval '1 microsecond');
    perform postrider.set_retention('event_handled', '60 days', '7 days');
    -- rows with the disposal keep outlive all others
    perform postrider.set_retention('event_handled', '1 day', '0', 'keep');
    perform postrider.set_retention('outbox', '1 day', '0', 'keep');
    perform promise.raises($q$select postrider.set_retention('event_handled', '10000 days')$q$, 'PR001');
    perform postrider.set_retention('outbox', '45 days', '7 days');
    perform postrider.set_retention('event_handled', '60 days', '7 days');
end
$$;
begin;
set constraints all deferred;
update postrider.retention_policy set active_ttl = '90 days' where entity = 'outbox';
update postrider.retention_policy set active_ttl = '120 days' where entity = 'event_handled';
commit;
begin;
set constraints all deferred;
update postrider.retention_policy set active_ttl = '60 days' where entity = 'event_handled';
update postrider.retention_policy set active_ttl = '45 days' where entity = 'outbox';
commit;
begin isolation level repeatable read;
select promise.raises($q$update postrider.retention_policy set active_ttl = '61 days' where entity = 'event_handled'$q$, 'PR005') \g /dev/null
commit;

-- invalid values are rejected
do $$
begin
    perform promise.raises($q$select postrider.set_retention('outbox', '0')$q$, 'PR001');
    perform promise.raises($q$select postrider.set_retention('outbox', '-1 day')$q$, 'PR001');
    perform promise.raises($q$select postrider.set_retention('outbox', '1 month')$q$, 'PR001');
    perform promise.raises($q$select postrider.set_retention('outbox', '1 day', '-1 day')$q$, 'PR001');
    perform promise.raises($q$select postrider.set_retention('outbox', '1 day', null)$q$, 'PR001');
    perform promise.raises($q$select postrider.set_retention('outbox', '1 day', '0', 'shred')$q$, 'PR001');
    perform promise.raises($q$select postrider.set_retention('audit', '3000000 days')$q$, 'PR001');
    perform promise.raises($q$select postrider.set_retention('audit', '1 day', '1000000 days 1 second')$q$, 'PR001');
    perform postrider.set_retention('audit', '1000000 days', '1000000 days');
    perform postrider.retention_run(), postrider.retention_status();
    perform postrider.set_retention('audit', '1095 days');
    perform promise.raises($q$select postrider.set_retention('audit', '1 year')$q$, 'PR001');
    perform promise.raises($q$select postrider.set_retention('audit', '1 day', '1 month')$q$, 'PR001');
    perform promise.raises($q$select postrider.set_retention('audit', '1 day', '0', null)$q$, 'PR001');
    perform promise.raises($q$select postrider.set_retention(null, '1 day')$q$, 'PR001');
    perform promise.raises($q$select postrider.set_retention('outbox', '1 day', p_class => null)$q$, 'PR001');
    perform promise.raises($q$select postrider.set_retention('outbox', '1 day', p_class => '')$q$, 'PR001');
    perform promise.raises($q$select postrider.set_retention('outbox', '1 day', p_class => repeat('x', 256))$q$, 'PR001');
    perform promise.raises($q$select postrider.set_retention('lease', '1 day')$q$, 'PR001');
    -- The last actor and time of a change are kept.
    update postrider.retention_policy set changed_at = '2020-01-01', changed_by = 'bob' where entity = 'audit';
    perform postrider.set_retention('audit', '1095 days');
    assert (select changed_at > '2020-01-02' and changed_by = session_user
            from postrider.retention_policy where entity = 'audit');
    perform promise.raises($q$select postrider.set_retention('audit', '1 day', p_class => 'a')$q$, 'PR001');
    perform promise.raises($q$select postrider.retention_run(0)$q$, 'PR001');
    perform promise.raises($q$insert into postrider.retention_policy (entity, active_ttl) values ('lease', '1 day')$q$, '23514');
    perform promise.raises($q$update postrider.retention_policy set disposal = 'shred'$q$, '23514');
    perform promise.raises($q$update postrider.retention_policy set active_ttl = '2 months'$q$, '23514');
end
$$;

-- The log begins in 2000: older messages have been removed.
do $$
declare
    v_first record;
begin
    select * into strict v_first from postrider.partitions() where from_at = '-infinity';
    execute format('alter table postrider.message detach partition postrider.%I', v_first.name);
    execute format('alter table postrider.message attach partition postrider.%I for values from (%L) to (%L)',
                   v_first.name, '2000-01-01', v_first.to_at);
end
$$;

-- a delivered delivery is soft deleted after its time and removed after the grace
do $$
declare
    d bigint := promise.delivery('delivered', '44 days 23 hours');
    young bigint := promise.delivery('delivered');
begin
    assert promise.run() = '{}';
    assert (select (due, soon, in_grace, oldest is null) = (0, 1, 0, true) from postrider.retention_status() where entity = 'outbox');
    update postrider.delivery set delivered_at = delivered_at - interval '1 hour 1 second';
    assert (select (due, soon, in_grace, oldest is null) = (1, 0, 0, false) from postrider.retention_status() where entity = 'outbox');
    assert promise.run(1000, true) = '{"outbox soft_deleted 1"}';
    assert not exists (select from postrider.delivery where deleted_at is not null), 'a dry run changes nothing';
    assert promise.run() = '{"outbox soft_deleted 1"}';
    assert (select deleted_at is not null from postrider.delivery where id = d);
    assert (select (due, in_grace) = (0, 1) from postrider.retention_status() where entity = 'outbox');
    assert promise.run() = '{}';
    update postrider.delivery set deleted_at = deleted_at - interval '6 days 23 hours' where id = d;
    assert promise.run() = '{}';
    update postrider.delivery set deleted_at = deleted_at - interval '1 hour 1 second' where id = d;
    assert promise.run(1000, true) = '{"outbox removed 1"}';
    assert promise.run() = '{"outbox removed 1"}';
    assert (select array_agg(id) from postrider.delivery) = array[young];
    assert (select (removed, last_run_at is null) = (1, false) from postrider.retention_status() where entity = 'outbox');
    delete from postrider.delivery;
end
$$;

-- a dead letter counts from its death, leaves the list of dead letters, and stays while its message is in the log
do $$
declare
    d bigint := promise.delivery('failed', '1 year');
begin
    update postrider.delivery set dead_at = clock_timestamp();
    assert promise.run() = '{}', 'only its death counts';
    update postrider.delivery set dead_at = dead_at - interval '40 days';
    assert (select (due, soon) = (0, 1) from postrider.retention_status() where entity = 'dead_letter');
    update postrider.delivery set dead_at = dead_at - interval '6 days';
    assert promise.run() = '{"dead_letter soft_deleted 1"}';
    assert not exists (select from postrider.outbox where status = 'failed' and deleted_at is null);
    update postrider.delivery set deleted_at = deleted_at - interval '8 days';
    assert promise.run() = '{}', 'its message may still be in the log, which would say that it was delivered';
    update postrider.delivery set published_at = '1999-12-31';
    assert promise.run() = '{"dead_letter removed 1"}';
end
$$;

-- the policy of a class takes precedence over the one for all; the disposal keep removes nothing
do $$
declare
    short bigint := promise.delivery('delivered', '2 days', 'short');
    kept bigint := promise.delivery('delivered', '900 days', 'kept');
    plain bigint := promise.delivery('delivered', '2 days');
    other bigint := promise.delivery('failed', '2 days', 'short');
begin
    perform postrider.set_retention('event_handled', '60 days', '7 days', 'keep');
    perform postrider.set_retention('outbox', '1 day', '0', p_class => 'short');
    perform postrider.set_retention('outbox', '1 day', '0', 'keep', p_class => 'kept');
    assert promise.run() = '{"outbox soft_deleted 1"}';
    assert (select array_agg(id) from postrider.delivery where deleted_at is not null) = array[short];
    assert promise.run() = '{"outbox removed 1"}';
    assert promise.run() = '{}';
    perform postrider.set_retention('dead_letter', '1 day', '0', p_class => 'short');
    assert promise.run() = '{"dead_letter soft_deleted 1"}';
    perform postrider.set_retention('outbox', null, p_class => 'kept');
    assert promise.run() = '{"outbox soft_deleted 1"}';
    perform postrider.set_retention('outbox', null, p_class => 'short'), postrider.set_retention('dead_letter', null, p_class => 'short');
    perform postrider.set_retention('event_handled', '60 days', '7 days');
    delete from postrider.delivery;
end
$$;

-- an entry of the inbox stays for active_ttl and grace, and while its delivery exists, in whatever state
do $$
declare
    d bigint := promise.delivery('pending', '100 days');
begin
    insert into postrider.event_handled
    select 'reader', 'test.all', '', n::text, clock_timestamp() - make_interval(days => n) from generate_series(1, 100) n;
    insert into postrider.event_handled
    select 'reader', handler, source, idempotency_key, clock_timestamp() - interval '99 days' from postrider.delivery;
    assert (select due from postrider.retention_status() where entity = 'event_handled') = 35;
    assert promise.run(10, true) = '{"event_handled removed 10"}';
    assert promise.run(10) = '{"event_handled removed 10"}';
    assert promise.run() = '{"event_handled removed 24"}';
    assert promise.run() = '{}';
    assert (select count(*) from postrider.event_handled) = 67;
    assert postrider.handle_once(row('reader', 'test.all', '', (select idempotency_key from postrider.delivery))) is false;
    delete from postrider.delivery;
    assert promise.run() = '{"event_handled removed 1"}';
    delete from postrider.event_handled;
end
$$;

-- also when that delivery was made long after the effect: by a redelivery, or by a second message with the key
do $$
declare
    again bigint := promise.delivery('pending');
    second bigint := promise.delivery('failed');
    others bigint := promise.delivery('pending');
    orphan bigint := promise.delivery('pending');
begin
    update postrider.delivery set idempotency_key = 'order 1' where id = second;
    update postrider.delivery set idempotency_key = 'order 2', handler = 'other.all' where id = others;
    update postrider.delivery set idempotency_key = 'order 3', handler = '' where id = orphan;
    insert into postrider.event_handled
    select 'reader', 'test.all', '', idempotency_key, clock_timestamp() - interval '99 days' from postrider.delivery;
    -- The same key of another consumer or source is another effect, which has no delivery.
    insert into postrider.event_handled
    select c, 'test.all', s, 'order 1', clock_timestamp() - interval '99 days'
    from (values ('other', ''), ('reader', 'shop')) v (c, s);
    assert promise.run() = '{"event_handled removed 3"}';
    assert (select array_agg(d.id order by d.id) from postrider.delivery d join postrider.event_handled using (idempotency_key))
        = array[again, second, orphan];
    delete from postrider.delivery;
    assert promise.run() = '{"event_handled removed 3"}';
end
$$;

-- every row gets its turn, however small the slices and however many rows are before it
do $$
declare
    v_turns int := 0;
begin
    perform postrider.set_retention('dead_letter', '400 days', '0', p_class => 'long');
    perform promise.delivery('pending', '200 days'), promise.delivery('failed', '200 days', 'long') from generate_series(1, 40);
    perform promise.delivery('delivered', '100 days'), promise.delivery('failed', '100 days') from generate_series(1, 20);
    update postrider.delivery set published_at = '1999-12-31';
    insert into postrider.event_handled
    select 'reader', 'test.all', '', repeat(n::text, 20), clock_timestamp() - interval '100 days' from generate_series(1, 150) n;
    while exists (select from postrider.delivery where status = 'delivered' or (status = 'failed' and content_class is null))
          or exists (select from postrider.event_handled) loop
        perform promise.run(7);
        update postrider.delivery set deleted_at = deleted_at - interval '8 days';
        v_turns := v_turns + 1;
        assert v_turns < 100, 'retention does not get on';
    end loop;
    assert (select count(*) from postrider.delivery) = 80;
    delete from postrider.delivery;
    perform postrider.set_retention('dead_letter', null, p_class => 'long');
end
$$;

-- rows that died or were discarded at the same instant get their turn, however many rows of that instant are kept
do $$
begin
    perform postrider.set_retention('dead_letter', '400 days', '300 days', p_class => 'long');
    perform promise.delivery('failed', '100 days') from generate_series(1, 1500);
    perform promise.delivery('failed', '100 days', 'long') from generate_series(1, 1500);
    update postrider.delivery set dead_at = now() - interval '100 days', published_at = '1999-12-31';
    for i in 1..5 loop
        perform promise.run();
    end loop;
    assert (select count(*) from postrider.delivery where deleted_at is null) = 1500;
    assert not exists (select from postrider.delivery where deleted_at is null and content_class is null);
    update postrider.delivery set deleted_at = now() - interval '100 days';
    for i in 1..5 loop
        perform promise.run();
    end loop;
    assert (select array_agg(distinct content_class) from postrider.delivery) = '{long}';
    delete from postrider.delivery;
    perform postrider.set_retention('dead_letter', null, p_class => 'long');
end
$$;

-- deliveries that have not ended are kept, whatever their age: random states under policies that keep next to nothing
do $$
declare
    v_before jsonb;
begin
    perform setseed(0.42);
    perform postrider.set_retention('outbox', '1 microsecond', '0'), postrider.set_retention('dead_letter', '1 microsecond', '0');
    perform postrider.set_retention('event_handled', '2 microseconds', '0');
    for i in 1..12 loop
        perform promise.delivery((array['pending', 'in_flight', 'delivered', 'failed'])[1 + floor(random() * 4)::int],
                                 make_interval(secs => random() * 1e7), (array['a', 'b', null])[1 + floor(random() * 3)::int])
        from generate_series(1, 40);
        update postrider.delivery set deleted_at = least(clock_timestamp(), created_at + make_interval(secs => random() * 1e6))
        where random() < 0.2;
        update postrider.delivery set published_at = '1999-12-31' where random() < 0.5;
        insert into postrider.event_handled
        select 'reader', handler, source, idempotency_key, created_at from postrider.delivery where random() < 0.3 on conflict do nothing;
        select jsonb_object_agg(id, to_jsonb(d)) into v_before from postrider.delivery d;
        perform postrider.retention_run(1 + floor(random() * 200)::int);
        assert not exists (
            select from jsonb_each(v_before) b
            left join postrider.delivery d on d.id = b.key::bigint
            where b.value ->> 'status' in ('pending', 'in_flight') and (d.id is null or to_jsonb(d) <> b.value)),
            'something that is not terminal was touched';
        assert not exists (
            select from jsonb_each(v_before) b
            left join postrider.delivery d on d.id = b.key::bigint
            where d.id is null and b.value ->> 'deleted_at' is null), 'something was removed that was not soft deleted before';
        assert not exists (
            select from jsonb_each(v_before) b
            left join postrider.delivery d on d.id = b.key::bigint
            where d.id is null and b.value ->> 'status' = 'failed' and (b.value ->> 'published_at')::timestamptz > '2000-01-01'),
            'a dead letter was removed whose message is still in the log';
    end loop;
    for i in 1..30 loop
        perform postrider.retention_run(100);
    end loop;
    assert not exists (select from postrider.delivery where status = 'delivered'
                       or (status = 'failed' and published_at < '2000-01-01')), 'something was kept for too long';
    assert (select count(*) from postrider.delivery where status in ('pending', 'in_flight')) > 150;
    assert not exists (select from postrider.event_handled h where not exists (
        select from postrider.delivery d where d.handler = h.handler_name and d.idempotency_key = h.idempotency_key));
    delete from postrider.delivery;
    delete from postrider.event_handled;
    perform postrider.set_retention('event_handled', '60 days', '7 days');
    perform postrider.set_retention('outbox', '45 days', '7 days'), postrider.set_retention('dead_letter', '45 days', '7 days');
end
$$;

-- the oldest partition of the log is dropped when no consumer needs a message of it; a consumer that stopped reading is named
do $$
declare
    stopped uuid := promise.worker('partition');
    l postrider.lease;
    v_said text[];
begin
    create table postrider.message_old partition of postrider.message for values from ('1990-01-01') to ('1990-01-02');
    create table postrider.message_older partition of postrider.message for values from ('1989-01-01') to ('1989-01-02');
    alter table postrider.message_old owner to postrider_owner;
    alter table postrider.message_older owner to postrider_owner;
    insert into postrider.message (channel, event_type, published_at) values ('partition', 'x', '1990-01-01');
    commit;
    assert (select held_by from postrider.retention_status() where entity = 'outbox')
        = 'message_old is held by reader';
    assert (select partitions_due from postrider.retention_status() where entity = 'outbox') = 2;
    assert (select array_agg(concat_ws(' ', action, detail) order by detail) from postrider.retention_run(1000, true))
        = '{"held message_old is held by reader","dropped message_older"}';
    assert to_regclass('postrider.message_older') is not null;
    -- Partitions are dropped or made, never both in one transaction.
    update postrider.setting set value = (value::int + 2)::text where name = 'partitions_ahead';
    insert into postrider.alert (at, handler_name, consumer, channel)
    values (clock_timestamp() - interval '40 days', 'test.all', 'reader', 'partition');
    v_said := array(select * from postrider.maintain());
    assert v_said @> '{retention of outbox: dropped message_older,retention of alert: removed 1}', v_said;
    assert array_to_string(v_said, ' ') !~ 'made partition', v_said;
    commit;
    v_said := array(select * from postrider.maintain());
    assert array_to_string(v_said, ' ') ~ 'held message_old is held by reader.*made partition', v_said;
    commit;
    assert (select array_agg(concat_ws(' ', action, detail)) from postrider.retention_run())
        = '{"held message_old is held by reader"}';
    perform postrider.claim(stopped);
    commit;
    assert (select array_agg(action) from postrider.retention_run()) = '{held}', 'a lease holds it too';
    l := promise.newest_lease(stopped);
    perform postrider.settle(stopped, l.id, l.token);
    commit;
    perform postrider.set_retention('event_handled', '1 day', '0', 'keep');
    perform postrider.set_retention('outbox', '1 day', '0', 'keep', p_class => 'for ever');
    assert not exists (select from postrider.retention_run()), 'the longest class decides for the whole partition';
    perform postrider.set_retention('outbox', null, p_class => 'for ever');
    perform postrider.set_retention('event_handled', '60 days', '7 days');
    assert (select array_agg(action) from postrider.retention_run()) = '{dropped}';
    commit;
    assert to_regclass('postrider.message_old') is null;
end
$$;

-- alerts, replays and the audit have their time too
do $$
declare
    v_replay bigint;
begin
    insert into postrider.alert (at, handler_name, consumer, channel)
    select clock_timestamp() - make_interval(days => n), 'test.all', 'reader', 'kept' from generate_series(1, 40) n;
    insert into postrider.alert_sending (target, alert_id, consumer, available_at) select 'mail', id, consumer, now() from postrider.alert;
    insert into postrider.audit (at, actor, action, reason)
    select clock_timestamp() - make_interval(days => n * 100), 'ann', 'test', 'why not' from generate_series(1, 12) n;
    insert into postrider.replay (phase, actor, reason, filter, canary, canary_passed, tokens_at, total, ended_at)
    select 'finished', 'ann', 'test', '{}', 0, true, now(), 30, clock_timestamp() - interval '400 days' returning id into v_replay;
    insert into postrider.replay (phase, actor, reason, filter, canary, canary_passed, tokens_at, total, started_at)
    select 'running', 'ann', 'test', '{}', 0, true, now(), 30, clock_timestamp() - interval '400 days';
    insert into postrider.replay_item (replay_id, delivery_id, number, message_id, cycle)
    select v_replay, n, n, gen_random_uuid(), 1 from generate_series(1, 30) n;
    assert (select array_agg(concat_ws(' ', due, class) order by entity) from postrider.retention_status()
            where entity in ('alert', 'audit', 'replay')) = '{"11 *","2 *","1 *"}';
    assert promise.run(1000, true) = '{"alert removed 11","replay removed 1","audit removed 2"}';
    assert (select count(*) from postrider.alert) = 40, 'a dry run changes nothing';
    assert promise.run(10) = '{"alert removed 10","replay removed 1","audit removed 2"}';
    assert promise.run() = '{"alert removed 1"}';
    assert promise.run() = '{}';
    assert not exists (select from postrider.replay_item);
    assert (select count(*) from postrider.alert) = 29 and (select count(*) from postrider.alert_sending) = 29;
    assert (select array_agg(phase) from postrider.replay) = '{running}', 'one that has not ended stays, however old';
    delete from postrider.alert;
    delete from postrider.alert_sending;
    delete from postrider.replay;
end
$$;

-- in a cluster that the log was copied into, positions of the old cluster are not used
begin;
update postrider.epoch set system_identifier = system_identifier + 1;
select promise.delivery('delivered', '900 days') \g /dev/null
do $$ begin
    assert promise.run() = '{}';
    perform promise.raises($q$select postrider.drop_partitions('infinity')$q$, 'PR006');
end $$;
rollback;
