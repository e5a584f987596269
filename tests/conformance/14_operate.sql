-- Operating: operators' actions in plain SQL.
\ir include/check.sql

-- check: dead_letters_are_found_by_the_promised_query
do $$
declare
    w uuid := promise.worker('query');
begin
    perform postrider.publish('x', p_channel => 'query', p_source => 'shop');
    commit;
    perform promise.first_run(w, 'terminal', '{"error": "no"}');
    set local role postrider_operator;
    assert (select last_error from postrider.outbox where status = 'failed' and deleted_at is null and source = 'shop') = 'no';
    assert exists (select from postrider.v_pgmq order by dead_at desc);
end
$$;

-- check: an_operator_cannot_leave_the_paths_of_the_states
do $$
begin
    assert not exists (select from pg_class c where c.relnamespace = 'postrider'::regnamespace and c.relkind in ('r', 'p', 'v')
                       and has_table_privilege('postrider_operator', c.oid, 'insert,update,delete,truncate'));
end
$$;

-- check: an_operator_can_change_how_things_are_retried
do $$
declare
    w uuid := promise.worker('retry', '[{"name": "test.all", "event_types": ["*"], "max_attempts": 2}]');
begin
    perform promise.worker('retry', '[{"name": "test.all", "event_types": ["*"], "max_attempts": 9}]');
    assert (select max_attempts from postrider.handler h join postrider.consumer c on c.id = h.consumer_id where c.channel = 'retry') = 9;
    perform postrider.pause_consumer('reader', true, 'retry');
    perform postrider.publish('x', p_channel => 'retry');
    commit;
    assert not exists (select from postrider.claim(w));
    perform postrider.pause_consumer('reader', false, 'retry');
    assert (select count(*) from postrider.claim(w)) = 1;
end
$$;
