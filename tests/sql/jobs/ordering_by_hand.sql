-- Promises about operators and ordering keys: none of their actions lets two messages of a key run at once.
--   reschedule refuses a delivery that waits for its ordering key
--   an edited message takes the place of a dead letter that holds its key; when the key has gone on, it waits for the key
\ir ../include/promises.sql
\ir ../include/ordering.sql

create function promise.in_lease(p_worker uuid) returns text
    language sql
    as $$
    select coalesce(string_agg(m.payload ->> 'n', ' ' order by m.seq), '')
    from postrider.lease l join postrider.message m on m.seq = any (l.members) where l.worker_id = p_worker and l.finished_at is null
    $$;
create function promise.failed(p_worker uuid, p_outcome text) returns void
    language sql
    as $$
    select postrider.settle(p_worker, l.id, l.token, null, jsonb_build_array(jsonb_build_object('seq', l.members[1], 'outcome', p_outcome, 'error', 'no')))
    from postrider.lease l where l.worker_id = p_worker and l.finished_at is null and l.members <> '{}'
    $$;
do $$
declare
    w uuid := promise.ordered('by_hand');
    v_dead bigint;
begin
    perform promise.keyed('by_hand', 'a1 a2 a3');
    commit;
    perform postrider.exchange_ordered(w, 10);
    commit;
    perform promise.failed(w, 'terminal');
    commit;
    v_dead := (select delivery_id from postrider.dead_letters);
    perform postrider.discard('{}', 'test', 'a test');
    commit;
    perform postrider.exchange_ordered(w, 10);
    commit;
    assert promise.in_lease(w) = 'a2', 'the key goes on';
    perform postrider.restore('{}', 'test', 'a test');
    perform postrider.edit_and_replay(v_dead, '{"n": "edited"}', null, 'test', 'a test');
    commit;
    assert promise.due(w) = '', 'a2 runs';
    perform promise.raises(format('select postrider.reschedule(array[%s], null, ''test'', ''x'')', d.id), 'PR012')
    from postrider.delivery d where d.payload ->> 'n' = 'edited';
    assert promise.due(w) = '', 'it still does';
    commit;
    perform promise.failed(w, 'terminal');
    commit;
    v_dead := (select delivery_id from postrider.dead_letters);
    perform postrider.edit_and_replay(v_dead, '{"n": "in its place"}', null, 'test', 'a test');
    commit;
    assert promise.due(w) = 'in its place';
    commit;
    perform postrider.exchange_ordered(w, 10);
    commit;
    assert promise.in_lease(w) = 'a3';
    perform postrider.settle(w, l.id, l.token) from postrider.lease l where l.worker_id = w and l.finished_at is null and l.members <> '{}';
    commit;
    assert promise.due(w) = 'edited';
    commit;
end
$$;
