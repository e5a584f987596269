-- Promises about isolation: an operation on one consumer, handler or message does not affect a similar one:
--   a circuit is one handler's of one consumer, also where another consumer has a handler of that name
--   a handler that is retired takes its own circuit with it, and no other
--   of several held handlers each is released separately, and after the last one the consumer is as before
--   one success among failures resets the count of failures in a row
--   redeliver affects only that message and handler
--   a replay of several consumers' dead letters rings for each, an edited one for its own
\ir ../include/promises.sql
\ir ../include/dead.sql

create function promise.circuit(p_channel text, p_handler text default 'test.all') returns text
    language sql
    as $$
    select format('%s %s', circuit_state, failures_in_a_row) from postrider.handlers
    where channel = p_channel and handler = p_handler
    $$;

-- a circuit is one handler's of one consumer, also where another consumer has a handler of that name
do $$
declare
    a uuid := promise.worker('here');
    b uuid := promise.worker('there');
begin
    perform promise.publish('there', 1);
    perform promise.publish('here', 19);
    commit;
    call promise.die(b, 'transient');
    call promise.die(a, 'transient');
    assert promise.circuit('here') = 'closed 19' and promise.circuit('there') = 'closed 1',
        promise.circuit('here') || promise.circuit('there');
    perform promise.publish('here', 1);
    commit;
    call promise.die(a, 'transient');
    assert promise.circuit('here') = 'open 20' and promise.circuit('there') = 'closed 1',
        promise.circuit('here') || promise.circuit('there');
    -- During the outage of one handler, a failure of the other is charged to its message.
    perform promise.due_now('there');
    assert promise.run(b, 10, 'transient') = 1;
    assert (select attempts from postrider.delivery where channel = 'there') = 2;
    assert promise.circuit('here') = 'open 20' and promise.circuit('there') = 'closed 2',
        promise.circuit('here') || promise.circuit('there');
end
$$;

-- a handler that is retired takes its own circuit with it, and no other
do $$
begin
    perform postrider.retire_handler('reader', 'test.all', 'there');
    assert promise.circuit('here') = 'open 20', promise.circuit('here');
    assert not exists (select from postrider.circuit k join postrider.consumer c on c.id = k.consumer_id where c.channel = 'there');
    perform promise.worker('here', '[{"name": "test.more", "event_types": ["*"]}]');
    perform postrider.hold_handler('reader', 'test.more', 'ann', 'x', 'here');
    perform postrider.retire_handler('reader', 'test.more', 'here');
    assert promise.circuit('here') = 'open 20', 'nor one of the same consumer';
    assert (select held_handlers from postrider.consumers where channel = 'here') = '{test.all}';
end
$$;

-- of several held handlers each is released separately, and after the last one the consumer is as before
do $$
declare
    w uuid := promise.worker('held', '[{"name": "a.x", "event_types": ["a"]}, {"name": "b.x", "event_types": ["b"]},
                                       {"name": "c.x", "event_types": ["c"]}]');
    v_before postrider.consumer := (select c from postrider.consumer c where channel = 'held');
    a record;
begin
    for a in select * from (values
        ('a.x', 'hold_handler', '{a.x}', '{b,c}'), ('b.x', 'hold_handler', '{a.x,b.x}', '{c}'), ('b.x', 'hold_handler', '{a.x,b.x}', '{c}'),
        ('a.x', 'force_handler', '{b.x}', '{a,c}'), ('a.x', 'force_handler', '{b.x}', '{a,c}'), ('c.x', 'hold_handler', '{b.x,c.x}', '{a}'),
        ('b.x', 'force_handler', '{c.x}', '{a,b}'), ('c.x', 'force_handler', null, '{a,b,c}')) v(handler, action, held, gets)
    loop
        execute format('select postrider.%I(''reader'', %L, ''ann'', ''x'', ''held'')', a.action, a.handler);
        assert (select held_handlers from postrider.consumers where channel = 'held') is not distinct from a.held::text[],
            format('%s: %s', a, (select held_handlers from postrider.consumers where channel = 'held'));
        perform postrider.publish(t, p_channel => 'held') from unnest('{a,b,c}'::text[]) t;
        commit;
        assert array(select c.event_type from postrider.claim(w) c order by 1) = a.gets::text[], a;
        commit;
    end loop;
    assert (select c from postrider.consumer c where channel = 'held') = v_before;
end
$$;

-- one success among failures resets the count of failures in a row
do $$
declare
    w uuid := promise.worker('mixed', '[{"name": "mixed.all", "event_types": ["*"]}, {"name": "mixed.some", "event_types": ["x"]}]');
    l postrider.lease;
begin
    perform promise.publish('mixed', 19);
    commit;
    call promise.die(w, 'transient');
    assert promise.circuit('mixed', 'mixed.all') = 'closed 19', promise.circuit('mixed', 'mixed.all');
    perform promise.publish('mixed', 2);
    commit;
    perform postrider.claim(w, 2);
    l := promise.newest_lease(w);
    perform postrider.settle(w, l.id, l.token, null, jsonb_build_array(
        jsonb_build_object('seq', l.members[1], 'handler', 'mixed.all', 'outcome', 'transient', 'error', 'no')));
    assert promise.circuit('mixed', 'mixed.all') = 'closed 0', promise.circuit('mixed', 'mixed.all');
end
$$;

-- redeliver affects only that message and handler
do $$
declare
    w uuid := promise.worker('twins', '[{"name": "test.a", "event_types": ["*"]}, {"name": "test.b", "event_types": ["*"]}]');
    v_ids uuid[];
    l postrider.lease;
begin
    perform promise.publish('twins', 2);
    commit;
    select array_agg(id order by seq) into v_ids from postrider.message where channel = 'twins';
    perform postrider.claim(w, 2);
    l := promise.newest_lease(w);
    -- The first is dead for one handler, the second for the other.
    perform postrider.settle(w, l.id, l.token, null, jsonb_build_array(
        jsonb_build_object('seq', l.members[1], 'handler', 'test.a', 'outcome', 'terminal', 'error', 'no'),
        jsonb_build_object('seq', l.members[2], 'handler', 'test.b', 'outcome', 'terminal', 'error', 'no')));
    perform postrider.redeliver(v_ids[1], 'reader', 'test.b', false, 'ann', 'again', 'twins');
    assert (select array_agg(format('%s %s %s', array_position(v_ids, message_id), handler, status) order by 1)
            from (select message_id, handler, status from postrider.delivery where channel = 'twins' order by seq, handler) d)
        = array['1 test.a failed', '1 test.b pending', '2 test.b failed'];
end
$$;

-- a replay of several consumers' dead letters rings for each, an edited one for its own
do $$
declare
    a uuid := promise.worker('left');
    b uuid := promise.worker('right');
    v_replay bigint;
begin
    perform promise.publish('left', 2);
    perform promise.publish('right', 2);
    commit;
    call promise.die(a);
    call promise.die(b);
    perform postrider.edit_and_replay(
        (select delivery_id from postrider.dead_letters where channel = 'left' limit 1), '{}', null, 'ann', 'mended');
    assert promise.bell_shared('left') and not promise.bell_shared('right');
    commit;
    v_replay := postrider.replay_start('{"error_class": "broken", "consumer": "reader"}', 'ann', 'mended');
    commit;
    assert (select moved from postrider.replay_step(p_replay => v_replay)) = 3;
    assert promise.bell_shared('left') and promise.bell_shared('right');
end
$$;
