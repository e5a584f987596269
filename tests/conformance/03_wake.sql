-- Waking: NOTIFY affects latency only, never correctness.
\ir include/check.sql

-- check: without_any_notification_everything_is_delivered [spectral open-outbox pulse pgmq-pipeline]
do $$
declare
    ch text := promise.channel('silent');
    w uuid := promise.profile_worker(ch);
begin
    perform postrider.set_wake(ch, 'never');
    commit;
    perform promise.publish(ch, 25);
    commit;
    assert promise.drain(w, 10) = 25;
end
$$;

-- check: a_channel_has_a_default_and_generations_have_their_own
do $$
begin
    assert (select column_default from information_schema.columns where table_schema = 'postrider' and table_name = 'message'
            and column_name = 'channel') like '''outbox_default''%';
    perform promise.worker('outbox_gen_41');
    assert exists (select from postrider.channels where channel = 'outbox_gen_41' and wake = 'doorbell');
end
$$;

-- check: notify_carries_the_row_id_and_is_frozen
do $$
declare
    v_source text := (select prosrc from pg_proc where proname = 'outbox_notify' and pronamespace = 'postrider'::regnamespace);
begin
    assert v_source like '%pg_notify(new.channel, new.id::text)%';
    assert octet_length(gen_random_uuid()::text) = 36;
    perform promise.worker('announced'), postrider.set_wake('announced', 'always');
    assert exists (select from pg_trigger where tgrelid = 'postrider.message'::regclass and tgfoid = 'postrider.outbox_notify'::regproc
                   and pg_get_triggerdef(oid) like '%AFTER INSERT%FOR EACH ROW%');
    perform postrider.set_wake('announced', 'doorbell');
end
$$;

-- check: a_channel_splits_by_how_it_is_processed
do $$
begin
    perform promise.worker('hot'), promise.worker('cold');
    perform postrider.set_wake('hot', 'always'), postrider.set_wake('cold', 'never');
    assert (select array_agg(wake order by name) from postrider.channel where name in ('hot', 'cold')) = '{never,always}';
    perform promise.raises($q$select postrider.set_wake('hot', 'sometimes')$q$, 'PR001');
    perform postrider.set_wake('hot', 'doorbell');
end
$$;

-- check: a_worker_knows_when_the_next_delivery_is_due
do $$
declare
    w uuid := promise.worker('timer');
    v_at timestamptz := clock_timestamp() + interval '7 minutes';
begin
    perform postrider.publish('x', p_channel => 'timer', p_available_at => v_at);
    commit;
    perform promise.park(w);
    assert postrider.next_due(w) = v_at, 'a retry or a scheduled message needs no notification';
end
$$;
