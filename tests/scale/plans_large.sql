-- Promises about a large log, counted in buffers:
--   with ten million messages in the log a claim touches no more than with ten thousand
--   with two hundred partitions neither
--   among five million deliveries and log rows the hundred dead letters are found by touching only them
-- It publishes in pieces and keeps payloads tiny; expect some minutes and three gigabytes.
\ir ../sql/include/promises.sql
\ir ../sql/include/buffers.sql
set client_min_messages = notice;
\timing on

-- two hundred partitions, most of them in the past, and five million messages all over them
do $$
declare
    p record;
    v_from timestamptz := date_trunc('day', clock_timestamp()) - interval '190 days';
begin
    for p in select name from postrider.partitions() loop
        execute format('drop table postrider.%I', p.name);
    end loop;
    execute format('create table postrider.message_p0 partition of postrider.message for values from (minvalue) to (%L)', v_from);
    for i in 1..198 loop
        execute format('create table postrider.message_p%s partition of postrider.message for values from (%L) to (%L)',
                       i, v_from, v_from + interval '1 day');
        v_from := v_from + interval '1 day';
    end loop;
    execute format('create table postrider.message_tail partition of postrider.message for values from (%L) to (maxvalue)', v_from);
    perform set_config('promise.worker', promise.worker('large')::text, false);
    perform set_config('promise.from_beginning', promise.worker('large', p_consumer => 'slow', p_from_beginning => true)::text, false);
end
$$;
do $$
begin
    for i in 1..50 loop
        insert into postrider.message (id, channel, event_type, payload, published_at)
        select gen_random_uuid(), 'large', 'x', '1', clock_timestamp() - ((n + i) % 180) * interval '1 day' from generate_series(1, 100000) n;
        commit;
    end loop;
end
$$;
select promise.drain(current_setting('promise.worker')::uuid, 10000) as drained;
call promise.catch_up(current_setting('promise.worker')::uuid, 'large');
call promise.idling_is_cheap(current_setting('promise.worker')::uuid, 'five million in two hundred partitions');

-- five million more, in transactions of a thousand, all of them waiting
call promise.fill('large', 5000, 1000);
call promise.claims_are_cheap(current_setting('promise.worker')::uuid, 'ten million, no statistics');
analyze postrider.message;
call promise.claims_are_cheap(current_setting('promise.worker')::uuid, 'ten million, after analyze');

-- with an open transaction, and its late messages
begin;
insert into postrider.message (channel, event_type, payload) select 'large', 'x', '1' from generate_series(1, 50);
prepare transaction 'large_slow';
call promise.fill('large', 1000, 10);
call promise.claims_are_cheap(current_setting('promise.worker')::uuid, 'ten million, with an open transaction');
select promise.drain(current_setting('promise.worker')::uuid, 10000) as drained;
commit prepared 'large_slow';
call promise.late_committers_are_cheap(current_setting('promise.worker')::uuid, 'ten million, late committers');
call promise.idling_is_cheap(current_setting('promise.worker')::uuid, 'ten million, drained');

-- a hundred dead letters among five million deliveries that went well and everything above
insert into postrider.delivery (
    consumer_id, handler, status, max_attempts, max_crashes, available_at, delivered_at, seq, published_at, message_id, channel,
    event_type, event_version, occurred_at, source, payload, idempotency_key, priority)
select w.consumer_id, 'test.all', 'delivered', 5, 3, now(), now(), -n, now(), gen_random_uuid(), 'large', 'x', 1, now(), '', '1',
       n::text, 0
from postrider.worker w, generate_series(1, 5000000) n where w.id = current_setting('promise.worker')::uuid;
update postrider.delivery set status = 'failed', delivered_at = null, dead_at = clock_timestamp()
where id in (select id from postrider.delivery order by id limit 100);
do $$
declare
    v_buffers bigint;
begin
    for i in 1..2 loop
        perform promise.buffers($q$select * from postrider.outbox where status = 'failed' and deleted_at is null$q$);
        v_buffers := promise.buffers($q$select * from postrider.outbox where status = 'failed' and deleted_at is null$q$);
        raise notice 'dead letters, round %: % buffers', i, v_buffers;
        assert v_buffers <= 300, v_buffers;
        assert (select count(*) from postrider.outbox where status = 'failed' and deleted_at is null) = 100;
        analyze postrider.delivery;
    end loop;
end
$$;

-- the cost of a consumer that reads from the beginning depends on its messages, not on the two hundred partitions
do $$
declare
    r record;
    v_best bigint;
begin
    for i in 1..5 loop
        r := promise.exchange_buffers(current_setting('promise.from_beginning')::uuid, 1000);
        commit;
        assert r.got = 1000, r;
        v_best := least(v_best, r.buffers);
    end loop;
    raise notice 'from the beginning: claiming 1000 messages touches % buffers', v_best;
    -- Every partition has to be asked for its first message, and the messages lie apart.
    assert v_best <= 200 * 10 + 2 * 1000, v_best;
end
$$;
