-- Promises about the plans, counted in buffers: a claim reads a small constant plus a share per message
--   on a fresh database without statistics, after ANALYZE, and with statistics that are wrong
--   with open transactions and with late committers
--   with few partitions and with many
-- and so do a claim without messages, claiming deliveries, settling, reaping, and a query for the dead letters. One promise
-- is not counted in buffers: a function in SQL is inlined into the statement that calls it, or called rarely.
\ir ../include/promises.sql
\ir ../include/buffers.sql
set client_min_messages = notice;

-- functions that are called often are not planned in every transaction, unlike an SQL function with a query or settings of its own
do $$
declare
    v_planned text;
begin
    select string_agg(p.proname, ', ') into v_planned
    from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace = 'postrider'::regnamespace and l.lanname = 'sql'
      and (p.proconfig is not null or p.prosecdef or not p.proretset and p.prosrc ~* '\mfrom\M')
      and p.proname <> all ('{consumer_figures,cursor_of,doorbell_keep,find_token,force_handler,hold_handler,is_home,pin_plans,leaves,mark_held,ordering_figures,
                              partitions,refresh_consumer,release_handler,remove_alert_target,replay_cancel,replay_pause,replay_resume,retention_note,
                              retention_of,route,schedule_figures,sum_counts,system_identifier,notify_workers,unregister_worker,unserving_keeper}');
    assert v_planned is null, v_planned;
end
$$;

-- without statistics, after ANALYZE, and when it is drained
do $$ begin perform set_config('promise.worker', promise.worker('fresh')::text, false); end $$;
call promise.fill('fresh', 500, 20);
call promise.claims_are_cheap(current_setting('promise.worker')::uuid, 'no statistics');
analyze postrider.message, postrider.lease, postrider.consumer, postrider.worker, postrider.handler, postrider.delivery;
call promise.claims_are_cheap(current_setting('promise.worker')::uuid, 'after analyze');
select promise.drain(current_setting('promise.worker')::uuid) \g /dev/null
call promise.idling_is_cheap(current_setting('promise.worker')::uuid, 'drained');
call promise.fill('fresh', 250, 20);
call promise.claims_are_cheap(current_setting('promise.worker')::uuid, 'analyzed when full, then drained');

-- analyzed when empty: the planner estimates one row
do $$ begin perform set_config('promise.worker', promise.worker('stale')::text, false); end $$;
truncate postrider.message, postrider.delivery;
analyze postrider.message, postrider.delivery;
call promise.fill('stale', 500, 20);
call promise.claims_are_cheap(current_setting('promise.worker')::uuid, 'analyzed when empty');

-- passed over: a hundred unwanted for one wanted costs a walk over them once, not for ever
do $$
begin
    perform set_config('promise.worker',
                       promise.worker('unwanted', '[{"name": "a.x", "event_types": ["wanted"]}]')::text, false);
end
$$;
call promise.fill('unwanted', 100, 100);
select promise.drain(current_setting('promise.worker')::uuid) \g /dev/null
call promise.idling_is_cheap(current_setting('promise.worker')::uuid, 'after ten thousand unwanted');

-- an old open transaction, and late committers
do $$ begin perform set_config('promise.worker', promise.worker('late')::text, false); end $$;
begin;
insert into postrider.message (channel, event_type) select 'late', 'slow' from generate_series(1, 50);
prepare transaction 'plans_slow_one';
begin;
insert into postrider.message (channel, event_type) values ('elsewhere', 'slow');
prepare transaction 'plans_slow_two';
call promise.fill('late', 500, 20);
call promise.claims_are_cheap(current_setting('promise.worker')::uuid, 'with open transactions');
select promise.drain(current_setting('promise.worker')::uuid) \g /dev/null
call promise.idling_is_cheap(current_setting('promise.worker')::uuid, 'with open transactions');
commit prepared 'plans_slow_one';
call promise.fill('late', 300, 20);
call promise.late_committers_are_cheap(current_setting('promise.worker')::uuid, 'late committers');
call promise.claims_are_cheap(current_setting('promise.worker')::uuid, 'after late committers');
commit prepared 'plans_slow_two';

-- two partitions and fifty
do $$
declare
    p record;
    v_from timestamptz := date_trunc('day', clock_timestamp()) + interval '2 days';
begin
    for p in select name from postrider.partitions() loop
        execute format('drop table postrider.%I', p.name);
    end loop;
    execute format('create table postrider.message_now partition of postrider.message for values from (minvalue) to (%L)', v_from);
    execute format('create table postrider.message_tail partition of postrider.message for values from (%L) to (maxvalue)', v_from);
    perform set_config('promise.worker', promise.worker('parts')::text, false);
end
$$;
call promise.fill('parts', 300, 20);
call promise.claims_are_cheap(current_setting('promise.worker')::uuid, 'two partitions');
do $$
declare
    v_from timestamptz := date_trunc('day', clock_timestamp()) - interval '24 days';
begin
    drop table postrider.message_now, postrider.message_tail;
    execute format('create table postrider.message_p0 partition of postrider.message for values from (minvalue) to (%L)', v_from);
    for i in 1..48 loop
        execute format('create table postrider.message_p%s partition of postrider.message for values from (%L) to (%L)',
                       i, v_from, v_from + interval '1 day');
        v_from := v_from + interval '1 day';
    end loop;
    execute format('create table postrider.message_tail partition of postrider.message for values from (%L) to (maxvalue)', v_from);
    insert into postrider.message (channel, event_type, published_at)
    select 'parts', 'old', clock_timestamp() - interval '20 days' + n * interval '20 minutes' from generate_series(1, 1400) n;
    commit;
    perform promise.drain(current_setting('promise.worker')::uuid);
end
$$;
call promise.catch_up(current_setting('promise.worker')::uuid, 'parts');
call promise.fill('parts', 300, 20);
call promise.claims_are_cheap(current_setting('promise.worker')::uuid, 'fifty partitions');
select promise.drain(current_setting('promise.worker')::uuid) \g /dev/null
call promise.idling_is_cheap(current_setting('promise.worker')::uuid, 'fifty partitions');

-- the dead letters of twenty thousand messages and a thousand deliveries
do $$
declare
    w uuid := promise.worker('dead');
    v_buffers bigint;
    v_line text;
begin
    insert into postrider.message (channel, event_type) select 'dead', 'x' from generate_series(1, 20000);
    insert into postrider.message (channel, event_type, priority) select 'dead', 'x', 1 from generate_series(1, 1000);
    commit;
    perform promise.drain(w);
    commit;
    update postrider.delivery set status = 'failed', dead_at = clock_timestamp() - id * interval '1 second'
    where id in (select id from postrider.delivery where channel = 'dead' order by id limit 20);
    commit;
    for i in 1..2 loop
        v_buffers := promise.buffers($q$select * from postrider.outbox where status = 'failed' and deleted_at is null$q$);
        raise notice 'dead letters, round %: % buffers', i, v_buffers;
        -- The deliveries of this test may be read whole, the log with its thousands of pages may not.
        assert v_buffers <= 120, v_buffers;
        v_buffers := promise.buffers($q$select * from postrider.outbox where status = 'failed' and deleted_at is null
                                        order by dead_at desc limit 5$q$);
        assert v_buffers <= 120, v_buffers;
        analyze postrider.delivery, postrider.message;
    end loop;
end
$$;
