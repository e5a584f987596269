-- Dead letters: where they are stored, their fields, and that they are never run automatically.
\ir include/check.sql

-- dead(channel, error): a worker, and a message that died with that error.
create function promise.dead(p_channel text, p_error text default 'it broke') returns uuid
    language plpgsql
    as $$
declare
    w uuid := promise.worker(p_channel, '[{"name": "test.all", "event_types": ["*"], "max_attempts": 1}]');
begin
    insert into postrider.message (channel, event_type, payload, source) values (p_channel, 'x', '{"recording_id": "r-7"}', 'shop');
    return w;
end
$$;

-- check: a_dead_letter_stays_in_the_outbox_as_failed
do $$
declare
    w uuid := promise.dead('stays');
    o postrider.outbox;
begin
    commit;
    perform promise.first_run(w, 'transient', '{"error": "it broke"}');
    select * into strict o from postrider.outbox where status = 'failed' and deleted_at is null and channel = 'stays';
    assert o.last_error = 'it broke' and o.attempts = 1 and o.dead_at is not null and o.payload = '{"recording_id": "r-7"}' and o.source = 'shop';
    assert not exists (select from pg_class where relnamespace = 'postrider'::regnamespace and relkind in ('r', 'p') and relname ~ 'dlq|dead_letter' and relname not in ('dead_letter_tally', 'dead_letter_sum')),
        'there is no other table for them';
end
$$;

-- check: a_dead_letter_is_never_run_by_itself [spectral open-outbox pulse pgmq-pipeline]
do $$
declare
    ch text := promise.channel('never');
    w uuid := promise.profile_worker(ch);
begin
    perform postrider.publish('x', p_channel => ch, p_max_attempts => 1);
    commit;
    perform promise.first_run(w, 'transient');
    update postrider.delivery set available_at = '-infinity' where channel = ch;
    for i in 1..3 loop
        perform postrider.reap();
        assert not exists (select from postrider.claim(w)) and not exists (select from postrider.claim_due(w));
        commit;
    end loop;
    assert (promise.row_of(ch)).status = 'failed' and (promise.row_of(ch)).attempts = 1, 'its counter does not tick either';
end
$$;

-- check: the_end_is_decided_at_the_last_failure_and_not_a_tick_later
do $$
declare
    w uuid := promise.dead('at.once');
begin
    commit;
    perform promise.first_run(w, 'transient');
    assert (promise.row_of('at.once')).status = 'failed';
    assert not exists (select from postrider.claim_due(w));
end
$$;

-- check: the_payload_of_a_dead_letter_is_the_one_that_was_published
do $$
declare
    w uuid := promise.dead('payload');
begin
    commit;
    perform promise.first_run(w, 'transient', '{"error": "secret detail"}');
    assert (select d.payload::text = m.payload::text and d.payload::text not like '%secret%'
            from postrider.delivery d join postrider.message m on m.seq = d.seq where d.channel = 'payload');
end
$$;

-- check: v_pgmq_has_the_nine_columns_of_a_diagnostics_table
do $$
declare
    w uuid := promise.dead('pgmq');
    v record;
begin
    commit;
    perform promise.first_run(w, 'transient', '{"error": "no speech"}');
    select * into strict v from postrider.v_pgmq where queue_name = 'pgmq' order by dead_at desc;
    assert v.original_msg_id = (select seq from postrider.message where channel = 'pgmq') and v.payload = '{"recording_id": "r-7"}'
       and v.step = 'test.all' and v.recording_id = 'r-7' and v.read_ct = 1 and v.last_error = 'no speech'
       and v.first_seen <= v.dead_at and v.message_id is not null;
end
$$;

-- check: every_channel_has_its_own_dead_letters
do $$
declare
    a uuid := promise.dead('queue.a');
    b uuid := promise.dead('queue.b');
begin
    commit;
    perform promise.first_run(a, 'transient'), promise.first_run(b, 'transient');
    assert (select array_agg(queue_name order by queue_name) from postrider.v_pgmq where queue_name like 'queue.%') = '{queue.a,queue.b}';
end
$$;

-- check: a_dead_letter_outlives_the_partition_of_its_message
do $$
declare
    w uuid := promise.dead('outlives');
begin
    commit;
    perform promise.first_run(w, 'transient');
    delete from postrider.message where channel = 'outlives';
    assert (promise.row_of('outlives')).status = 'failed' and (promise.row_of('outlives')).payload ->> 'recording_id' = 'r-7';
end
$$;

-- check: failure_is_bounded_and_visible [spectral open-outbox pulse pgmq-pipeline]
do $$
declare
    ch text := promise.channel('visible');
    w uuid := promise.profile_worker(ch);
    o postrider.outbox;
begin
    perform postrider.publish('x', p_channel => ch);
    commit;
    for i in 1..20 loop
        perform promise.due_now(ch);
        if promise.first_run(w, 'transient', '{"error": "why"}') is null then
            perform promise.due_run(w, 'transient', '{"error": "why"}');
        end if;
    end loop;
    o := promise.row_of(ch);
    assert o.status = 'failed' and o.attempts <= 5 and o.last_error = 'why' and o.available_at is not null and o.dead_at is not null
       and o.first_failed_at <= o.dead_at;
end
$$;
