-- Generations: messages of a deployment generation are consumed by the same generation.
\ir include/check.sql

-- check: a_generation_is_consumed_by_its_own_workers_only
do $$
declare
    v1 uuid := gen_random_uuid();
    v2 uuid := gen_random_uuid();
begin
    perform postrider.register_worker(v1, 'gen', '[{"name": "gen.all", "event_types": ["*"]}]', 'outbox_gen_1', 1);
    perform postrider.register_worker(v2, 'gen', '[{"name": "gen.all", "event_types": ["*"]}]', 'outbox_gen_2', 2);
    perform postrider.publish('x', '{"n": 1}', p_channel => 'outbox_gen_1', p_generation => 1);
    perform postrider.publish('x', '{"n": 2}', p_channel => 'outbox_gen_2', p_generation => 2);
    commit;
    -- Workers of a generation read another log. The notification does not separate them.
    assert promise.numbers(v2) = '{2}';
    assert promise.numbers(v2) = '{}';
    assert (select array_agg(generation) from postrider.claim(v1)) = '{1}';
end
$$;

-- check: the_generation_is_stamped_by_the_publisher_on_the_row
do $$
begin
    perform promise.worker('stamped');
    perform postrider.publish('x', p_channel => 'stamped', p_generation => 9007199254740993);
    commit;
    assert (promise.row_of('stamped')).generation = 9007199254740993;
    assert not (promise.row_of('stamped')).payload ? 'generation' and (promise.row_of('stamped')).headers is null;
end
$$;
