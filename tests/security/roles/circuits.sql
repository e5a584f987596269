-- Promises about circuits of other roles:
--   a call of reap that finds crashed probes of many handlers changes their deliveries for half a second, and the others wait as they are
--   a claim passes over messages for a handler that is held for a second, and the next one goes on behind them
\ir ../../sql/include/promises.sql

-- Forty handlers have 2000 failed deliveries each, and the worker that ran a probe of each is dead.
select set_config('promise.dead', promise.worker('probes', (
    select jsonb_agg(jsonb_build_object('name', 'p.h' || n, 'event_types', array['*'])) from generate_series(1, 40) n), p_consumer => 'probes')::text,
    false) \g /dev/null
insert into postrider.delivery (
    consumer_id, handler, seq, published_at, message_id, channel, event_type, event_version, occurred_at, source, payload, idempotency_key, priority, retry, max_crashes, status, failures,
    attempts, available_at, worker_id, lease_token, claimed_at, deadline, suspect)
select w.consumer_id, h, n, clock_timestamp(), gen_random_uuid(), 'probes', 'a', 1, clock_timestamp(), 'test', '{}', n::text, 0, '{}', 5,
       case when n = 0 then 'in_flight' else 'pending' end, (n > 0)::int, (n = 0)::int, clock_timestamp(),
       case when n = 0 then w.id end, case when n = 0 then gen_random_uuid() end, case when n = 0 then clock_timestamp() end,
       case when n = 0 then clock_timestamp() + interval '1 hour' end, n = 0
from postrider.worker w, unnest(w.handlers) h, generate_series(0, 2000) n;
insert into postrider.circuit (consumer_id, handler, state, openings, opened_at, probe_at, allowed, probes)
select d.consumer_id, d.handler, 'ramp', 1, clock_timestamp(), clock_timestamp(), 2, array[d.id]
from postrider.delivery d where d.status = 'in_flight';
update postrider.worker set alive_until = '-infinity';
analyze postrider.delivery;
do $$
declare
    v_start constant timestamptz := clock_timestamp();
    v_postponed bigint;
begin
    assert (select deliveries from postrider.reap()) = 40;
    assert (select count(*) from postrider.circuit where state = 'trial') = 40;
    select count(*) into v_postponed from postrider.delivery d where d.available_at > v_start + interval '20 seconds' and d.failures > 0;
    assert v_postponed between 2000 and 60000, v_postponed;
end
$$;

-- A producer publishes many messages for one of two handlers, which is held.
select set_config('promise.burst', promise.worker(
    'burst', '[{"name": "b.held", "event_types": ["held"]}, {"name": "b.free", "event_types": ["free"]}]', 'burst')::text, false) \g /dev/null
select postrider.hold_handler('burst', 'b.held', 'ann', 'a test', 'burst') \g /dev/null
select promise.publish('burst', 10000, 'held') from generate_series(1, 3) \g /dev/null
select promise.publish('burst', 1, 'free') \g /dev/null
do $$
declare
    v_began timestamptz;
    v_longest interval := '0';
    v_numbers int[] := '{}';
    v_calls int := 0;
begin
    while v_numbers = '{}' and v_calls < 1000 loop
        v_began := clock_timestamp();
        v_numbers := promise.numbers(current_setting('promise.burst')::uuid, 10);
        v_longest := greatest(v_longest, clock_timestamp() - v_began);
        v_calls := v_calls + 1;
        commit;
    end loop;
    assert v_numbers = '{1}', v_numbers;
    assert v_longest < interval '4 seconds', v_longest;
end
$$;
