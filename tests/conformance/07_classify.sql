-- Classification of failures: the worker reports, the database decides.
\ir include/check.sql

-- check: a_terminal_failure_is_dead_at_once [spectral open-outbox pulse]
do $$
declare
    ch text := promise.channel('final');
    w uuid := promise.profile_worker(ch);
begin
    perform postrider.publish('x', p_channel => ch);
    commit;
    perform promise.first_run(w, 'terminal', '{"error": "the payload does not fit", "error_class": "payload"}');
    assert (promise.row_of(ch)).status = 'failed' and (promise.row_of(ch)).attempts = 1 and (promise.row_of(ch)).error_class = 'payload';
end
$$;

-- check: an_unknown_failure_is_retried [spectral open-outbox pulse pgmq-pipeline]
do $$
declare
    ch text := promise.channel('unknown');
    w uuid := promise.profile_worker(ch);
begin
    perform postrider.publish('x', p_channel => ch);
    commit;
    perform promise.first_run(w, 'transient', '{"error": "?", "error_class": "something_new"}');
    assert (promise.row_of(ch)).status = 'pending';
end
$$;

-- check: a_class_can_change_the_wait
do $$
declare
    w uuid := promise.worker('timing');
begin
    perform postrider.publish('x', p_channel => 'timing');
    commit;
    perform promise.first_run(w, 'transient', '{"error_class": "rate_limited", "delay_ms": 600000}');
    assert (promise.row_of('timing')).available_at > clock_timestamp() + interval '9 minutes';
end
$$;

-- check: interrupted_and_snoozed_runs_are_not_charged
do $$
declare
    w uuid := promise.worker('free');
begin
    perform postrider.publish('x', p_channel => 'free');
    commit;
    perform promise.first_run(w, 'interrupted');
    assert (promise.row_of('free')).attempts = 0 and (promise.row_of('free')).interruptions = 1;
    assert promise.due_run(w, 'snooze', '{"delay_ms": 0}') = 'pending';
    assert (promise.row_of('free')).attempts = 0;
end
$$;

-- check: a_worker_reports_and_cannot_decide
do $$
begin
    assert not has_table_privilege('postrider_worker', 'postrider.delivery', 'update');
    assert not exists (select from pg_proc where pronamespace = 'postrider'::regnamespace and proname in ('conclude', 'decide')
                       and has_function_privilege('postrider_worker', oid, 'execute'));
    perform promise.raises($q$select postrider.settle_due(promise.worker('decide'), '[{"delivery": 1, "outcome": "dead"}]')$q$, 'PR001');
end
$$;

-- check: a_pipeline_can_ignore_terminal_reports [pgmq-pipeline]
do $$
declare
    ch text := promise.channel('stubborn');
    w uuid := promise.profile_worker(ch);
begin
    perform postrider.publish('x', p_channel => ch);
    commit;
    perform promise.first_run(w, 'terminal');
    assert (promise.row_of(ch)).status = 'pending', 'only the ceiling ends it';
    for i in 1..4 loop
        perform promise.due_now(ch);
        perform promise.due_run(w, 'terminal');
    end loop;
    assert (promise.row_of(ch)).status = 'failed' and (promise.row_of(ch)).attempts = 5;
end
$$;

-- check: classes_of_errors_decide_by_default_and_by_handler
do $$
declare
    w uuid := promise.worker('classes', '[{"name": "test.all", "event_types": ["*"], "classes": {"terminal": ["not_found"], "transient": ["sqlstate:23505"]}}]');
    v_class text;
    v_seen jsonb := '{}';
begin
    foreach v_class in array '{sqlstate:22001,sqlstate:23502,sqlstate:23505,sqlstate:40001,sqlstate:08006,sqlstate:57P01,timeout,not_found}'::text[] loop
        perform postrider.publish(v_class, p_channel => 'classes');
        commit;
        perform promise.first_run(w, 'transient', jsonb_build_object('error_class', v_class));
    end loop;
    assert (select array_agg(event_type order by event_type) from postrider.outbox where channel = 'classes' and status = 'failed')
        = '{not_found,sqlstate:22001,sqlstate:23502}';
end
$$;
