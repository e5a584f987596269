-- Retrying: curves, limits, charged attempts, and the deciding function.
\ir include/check.sql

-- runs(worker, channel): lets a message fail until it is dead; returns how often it ran.
create function promise.runs(p_worker uuid, p_channel text) returns int
    language plpgsql
    as $$
declare
    v_runs int := 0;
begin
    while (promise.row_of(p_channel)).status = 'pending' loop
        perform promise.due_now(p_channel);
        if promise.first_run(p_worker, 'transient') is not null or promise.due_run(p_worker, 'transient') is not null then
            v_runs := v_runs + 1;
        end if;
        assert v_runs < 50, 'it never ends';
    end loop;
    return v_runs;
end
$$;

-- check: exponential_backoff_doubles_from_one_second_to_300
do $$
declare
    r jsonb := postrider.profile('spectral') #> '{handler,retry}';
begin
    -- u just below 1 gives the bound of the full jitter
    assert (select array_agg(round(extract(epoch from postrider.delay(r, n, 0.9999999)))::int) from generate_series(1, 11) n)
        = '{1,2,4,8,16,32,64,128,256,300,300}';
    assert postrider.delay('{}', 3, 0.25) = postrider.delay(r, 3, 0.25), 'it is the default';
end
$$;

-- check: jitter_is_full_and_never_spins
do $$
declare
    r jsonb := postrider.profile('spectral') #> '{handler,retry}';
begin
    assert postrider.delay(r, 5, 0.5) = interval '8 seconds', 'the randomness is an argument';
    assert postrider.delay(r, 5, 0.25) = interval '4 seconds';
    assert postrider.delay(r, 5, 0) = interval '100 milliseconds', 'full jitter alone could be no wait at all';
    assert (select count(distinct postrider.delay(r, 5, random())) from generate_series(1, 100)) > 90;
end
$$;

-- check: retries_of_many_messages_are_spread
do $$
declare
    w uuid := promise.worker('spread');
    l postrider.lease;
begin
    perform promise.publish('spread', 100);
    commit;
    perform postrider.claim(w, 100);
    l := promise.newest_lease(w);
    perform postrider.settle(w, l.id, l.token, null, (select jsonb_agg(jsonb_build_object('seq', s, 'outcome', 'transient')) from unnest(l.members) s));
    assert (select count(distinct available_at) from postrider.outbox where channel = 'spread') > 50;
end
$$;

-- check: a_message_runs_exactly_as_often_as_its_ceiling_says [spectral open-outbox pulse pgmq-pipeline]
do $$
declare
    ch text := promise.channel('ceiling');
    w uuid := promise.profile_worker(ch);
begin
    perform postrider.publish('x', p_channel => ch);
    commit;
    assert promise.runs(w, ch) = (promise.profile() #>> '{handler,max_attempts}')::int;
    assert (promise.row_of(ch)).status = 'failed' and (promise.row_of(ch)).attempts = (promise.profile() #>> '{handler,max_attempts}')::int;
    assert (promise.row_of(ch)).max_attempts = (promise.row_of(ch)).attempts;
end
$$;

-- check: the_ceilings_are_five_five_and_three
do $$
begin
    assert (select array_agg((postrider.profile(p) #>> '{handler,max_attempts}')::int) from unnest('{spectral,pgmq-pipeline,pulse}'::text[]) p)
        = '{5,5,3}';
    perform promise.worker('default.ceiling');
    assert (select max_attempts from postrider.handler h join postrider.consumer c on c.id = h.consumer_id where c.channel = 'default.ceiling') = 5;
end
$$;

-- check: five_attempts_have_four_waits_of_fifteen_seconds_together
do $$
declare
    r jsonb := postrider.profile('spectral') #> '{handler,retry}';
begin
    assert (select round(sum(extract(epoch from postrider.delay(r, n, 0.9999999)))) from generate_series(1, 4) n) = 15;
end
$$;

-- check: a_handler_and_a_message_override_the_policy
do $$
declare
    w uuid := promise.worker('override', '[{"name": "test.all", "event_types": ["*"], "max_attempts": 2,
                                            "retry": {"curve": "list", "delays_ms": [7000, 8000]}}]');
begin
    perform postrider.publish('x', p_channel => 'override');
    commit;
    perform promise.first_run(w, 'transient');
    assert (promise.row_of('override')).available_at - (promise.row_of('override')).first_failed_at = interval '7 seconds';
    assert promise.runs(w, 'override') + 1 = 2;
    perform postrider.publish('x', p_channel => 'override', p_max_attempts => 4);
    commit;
    delete from postrider.delivery where channel = 'override';
    perform promise.first_run(w, 'transient');
    assert (select max_attempts from postrider.delivery where channel = 'override') = 4, 'the message comes before the handler';
end
$$;

-- check: a_failure_is_retried_unless_it_was_the_last [spectral open-outbox pulse pgmq-pipeline]
do $$
declare
    ch text := promise.channel('retried');
    w uuid := promise.profile_worker(ch);
    o postrider.outbox;
begin
    perform postrider.publish('x', p_channel => ch);
    commit;
    perform promise.first_run(w, 'transient', '{"error": "first", "error_class": "timeout"}');
    o := promise.row_of(ch);
    assert o.status = 'pending' and o.attempts = 1 and o.last_error = 'first' and o.error_class = 'timeout'
       and o.first_failed_at is not null and o.claimed_at is null and o.worker_id is null and o.deadline is null;
    assert o.available_at > o.first_failed_at, 'the next run lies in the future';
    perform promise.due_now(ch);
    perform promise.due_run(w, 'transient', '{"error": "second"}');
    assert (promise.row_of(ch)).last_error = 'second', 'only the last error is kept';
    assert (promise.row_of(ch)).first_failed_at = o.first_failed_at;
    assert (promise.row_of(ch)).attempts = 2;
end
$$;

-- check: the_wait_of_pulse_is_the_square_of_the_attempts
do $$
declare
    r jsonb := postrider.profile('pulse') #> '{handler,retry}';
begin
    assert (select array_agg(extract(epoch from postrider.delay(r, n, random()))::int) from generate_series(1, 4) n) = '{1,4,9,16}';
end
$$;

-- check: the_wait_of_a_pgmq_pipeline_is_a_minute
do $$
declare
    r jsonb := postrider.profile('pgmq-pipeline') #> '{handler,retry}';
begin
    assert (select array_agg(extract(epoch from postrider.delay(r, n, random()))::int) from generate_series(1, 4) n) = '{60,60,60,60}';
end
$$;

-- check: a_retry_can_be_immediate_delayed_or_backed_off
do $$
declare
    w uuid := promise.worker('strategies', '[{"name": "test.all", "event_types": ["*"], "retry": {"curve": "immediate"}}]');
begin
    perform postrider.publish('x', p_channel => 'strategies');
    commit;
    perform promise.first_run(w, 'transient');
    assert promise.due_run(w, 'transient', '{"delay_ms": 90000}') = 'pending', 'immediate: it was due at once';
    assert (promise.row_of('strategies')).available_at between clock_timestamp() + interval '80 seconds' and clock_timestamp() + interval '90 seconds',
        'delayed: the handler said how long';
    assert (select array_agg(extract(epoch from postrider.delay('{"curve": "linear"}', n, 0))::int) from generate_series(1, 4) n) = '{1,2,3,4}';
end
$$;

-- check: backoff_never_gets_more_frequent
do $$
begin
    assert not exists (
        select from unnest('{spectral,open-outbox,pulse,pgmq-pipeline}'::text[]) p, generate_series(1, 20) n
        where postrider.delay(postrider.profile(p) #> '{handler,retry}', n + 1, 0.5) < postrider.delay(postrider.profile(p) #> '{handler,retry}', n, 0.5)
           or postrider.delay(postrider.profile(p) #> '{handler,retry}', n, 0) < interval '100 milliseconds');
end
$$;

-- check: messages_of_higher_priority_are_retried_first
do $$
declare
    w uuid := promise.worker('priority');
begin
    perform postrider.publish('low', p_channel => 'priority', p_priority => -1), postrider.publish('high', p_channel => 'priority', p_priority => 5),
            postrider.publish('middle', p_channel => 'priority', p_priority => 1);
    commit;
    perform promise.park(w);
    assert (select array_agg(event_type) from (select (postrider.claim_due(w, 1)).event_type from generate_series(1, 3)) x) = '{high,middle,low}';
end
$$;

-- check: retrying_needs_no_other_table_and_no_promoter
do $$
declare
    w uuid := promise.worker('machinery');
    v_id bigint;
begin
    perform postrider.publish('x', p_channel => 'machinery');
    commit;
    perform promise.first_run(w, 'transient');
    v_id := (promise.row_of('machinery')).delivery_id;
    for i in 1..3 loop
        perform promise.due_now('machinery');
        assert promise.due_run(w, 'transient') = 'pending';
        assert (promise.row_of('machinery')).delivery_id = v_id, 'the same row, due later';
    end loop;
    assert (select count(*) from postrider.delivery where channel = 'machinery') = 1;
end
$$;

-- check: one_function_decides_between_retry_and_dead
do $$
begin
    assert (select count(*) from pg_proc p
            where p.pronamespace = 'postrider'::regnamespace and p.prosrc ~ 'attempts\s*>=\s*(\w+\.)?(p_)?max_attempts') = 1;
    assert (select bool_and(prosrc ~ 'postrider\.(conclude|decide)\M') and count(*) = 2 from pg_proc
            where pronamespace = 'postrider'::regnamespace and proname in ('settle_due', 'reap_deliveries'));
    assert (select prosrc ~ 'postrider\.reap_deliveries\M' from pg_proc
            where pronamespace = 'postrider'::regnamespace and proname = 'reap');
end
$$;

-- check: retries_keep_the_message_as_it_was [spectral open-outbox pulse pgmq-pipeline]
do $$
declare
    ch text := promise.channel('durable');
    w uuid := promise.profile_worker(ch);
    v_before jsonb;
begin
    perform postrider.publish('x', '{"a": 1}', p_channel => ch, p_idempotency_key => 'k', p_headers => '{"h": 1}', p_ordering_key => 'o');
    commit;
    v_before := to_jsonb(promise.row_of(ch));
    perform promise.runs(w, ch);
    assert (select bool_and(to_jsonb(promise.row_of(ch)) -> k = v_before -> k) from unnest('{id,event_type,payload,headers,idempotency_key,
        ordering_key,partition_key,metadata,occurred_at,published_at,seq}'::text[]) k);
    assert (select payload::jsonb from postrider.message where channel = ch) = '{"a": 1}';
end
$$;

-- check: a_message_that_is_too_old_is_not_retried
do $$
declare
    w uuid := promise.worker('age', '[{"name": "test.all", "event_types": ["*"], "max_attempts": 100, "retry": {"curve": "fixed", "base_ms": 1000, "max_age_ms": 60000}}]');
begin
    perform postrider.publish('x', p_channel => 'age');
    commit;
    perform promise.first_run(w, 'transient');
    assert (promise.row_of('age')).status = 'pending';
    update postrider.delivery set published_at = published_at - interval '2 minutes' where channel = 'age';
    perform promise.due_now('age');
    assert promise.due_run(w, 'transient') = 'failed';
end
$$;

-- check: an_installation_can_have_other_defaults
begin;
update postrider.setting set value = '7' where name = 'max_attempts';
update postrider.setting set value = '{"curve": "fixed", "base_ms": 5000}' where name = 'retry';
do $$
begin
    perform promise.worker('installed');
    assert (select (h.max_attempts, h.retry ->> 'curve') = (7, 'fixed') from postrider.handler h join postrider.consumer c on c.id = h.consumer_id
            where c.channel = 'installed');
    perform promise.worker('installed.own', '[{"name": "test.all", "event_types": ["*"], "max_attempts": 2}]');
    assert (select h.max_attempts from postrider.handler h join postrider.consumer c on c.id = h.consumer_id where c.channel = 'installed.own') = 2;
end
$$;
rollback;
