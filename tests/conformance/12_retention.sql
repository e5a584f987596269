-- Retention: how long rows are kept, and that unhandled messages are never removed. tests/sql/schema/retention.sql has more.
\ir include/check.sql

-- check: outbox_45_and_7_days_inbox_60_and_7
do $$
begin
    assert (select array_agg(concat_ws(' ', entity, class, active_ttl, grace, disposal) order by entity)
            from postrider.retention_policy where entity in ('outbox', 'event_handled')) = array[
        'event_handled * 60 days 7 days hard_delete', 'outbox * 45 days 7 days hard_delete'];
end
$$;

-- check: the_inbox_outlives_the_outbox
do $$
begin
    assert (select h.active_ttl > max(o.active_ttl + o.grace)
            from postrider.retention_policy h, postrider.retention_policy o
            where h.entity = 'event_handled' and o.entity = 'outbox' group by h.active_ttl);
    perform promise.raises($q$select postrider.set_retention('event_handled', '52 days', '7 days')$q$, 'PR001');
    perform promise.raises($q$update postrider.retention_policy set active_ttl = '53 days' where entity = 'outbox'$q$, 'PR001');
    perform postrider.set_retention('outbox', '40 days', '7 days'), postrider.set_retention('event_handled', '48 days');
end
$$;

-- check: retention_removes_only_ended_messages
do $$
declare
    w uuid := promise.worker('kept');
begin
    perform promise.publish('kept', 3);
    perform postrider.publish('later', p_channel => 'kept', p_available_at => clock_timestamp() + interval '1 day');
    commit;
    perform promise.first_run(w, 'transient'), promise.first_run(w, 'terminal');
    perform promise.park(w);
    perform postrider.claim(w);
    perform postrider.set_retention('outbox', '1 microsecond'), postrider.set_retention('dead_letter', '1 microsecond');
    for i in 1..5 loop
        perform postrider.retention_run();
        perform pg_sleep(0.001);
    end loop;
    assert (select array_agg(status order by status, seq) from postrider.outbox where channel = 'kept') = '{failed,in_flight,pending,pending}';
end
$$;

-- check: dead_letters_and_alerts_have_a_time_too
do $$
begin
    assert (select active_ttl from postrider.retention_policy where entity = 'dead_letter' and class = '*') is not null;
    assert (select active_ttl from postrider.retention_policy where entity = 'alert') = interval '30 days';
    assert pg_get_viewdef('postrider.v_pgmq'::regclass) like '%30 days%';
end
$$;

-- check: a_content_class_can_have_a_policy_of_its_own
do $$
begin
    perform postrider.set_retention('dead_letter', '10 days', '1 day', p_class => 'pii');
    assert (postrider.retention_of('dead_letter', 'pii')).active_ttl = interval '10 days';
    assert (postrider.retention_of('dead_letter', 'other')).class = '*' and (postrider.retention_of('dead_letter', null)).class = '*';
end
$$;

-- check: soft_deleted_rows_leave_the_list_and_come_before_removal
do $$
declare
    w uuid := promise.worker('soft');
begin
    perform postrider.publish('x', p_channel => 'soft');
    commit;
    perform promise.first_run(w, 'terminal');
    perform postrider.set_retention('dead_letter', '1 microsecond', '7 days');
    perform pg_sleep(0.001);
    perform postrider.retention_run();
    assert (promise.row_of('soft')).deleted_at is not null;
    assert not exists (select from postrider.outbox where status = 'failed' and deleted_at is null and channel = 'soft');
end
$$;
