-- Promises about handlers registered, changed and retired while workers hold messages:
--   a message is owed to the handlers that were there when it was claimed: one retired meanwhile still gets it,
--     one registered meanwhile does not
--   a delivery that waited for a handler gets that handler's policy
--   a worker whose handler was given other types by another one no longer has it until it registers again
--   the view shows delivered only for messages that a handler got
\ir ../include/promises.sql

-- one retired meanwhile keeps its messages: released, failed, or reaped
do $$
declare
    w uuid := promise.worker('retired', '[{"name": "a.x", "event_types": ["*"]}]');
    l postrider.lease;
begin
    perform promise.publish('retired', 4);
    commit;
    perform postrider.claim(w);
    l := promise.newest_lease(w);
    commit;
    perform postrider.retire_handler('reader', 'a.x', 'retired');
    commit;
    perform postrider.release(w, l.id, l.token, l.members[1:1]);
    assert exists (select from postrider.delivery where seq = l.members[1] and handler = 'a.x'), 'a released message is lost';
    perform postrider.settle(w, l.id, l.token, l.members[2:2], jsonb_build_array(
        jsonb_build_object('seq', l.members[3], 'outcome', 'transient')));
    assert exists (select from postrider.delivery where seq = l.members[3] and handler = 'a.x'), 'a failed message is lost';
    perform postrider.unregister_worker(w);
    perform postrider.reap();
    assert exists (select from postrider.delivery where seq = l.members[4] and handler = 'a.x'), 'a reaped message is lost';
end
$$;

-- no handler is retired by an old snapshot: it would show a cursor before messages claimed since
begin isolation level repeatable read;
select promise.raises($q$select postrider.retire_handler('reader', 'a.x', 'retired')$q$, 'PR005') \g /dev/null
rollback;
begin isolation level serializable;
select promise.raises($q$select postrider.retire_handler('reader', 'a.x', 'retired')$q$, 'PR005') \g /dev/null
rollback;

-- one registered meanwhile does not get messages claimed before
do $$
declare
    w uuid := promise.worker('newcomer', '[{"name": "a.x", "event_types": ["*"]}]');
    l postrider.lease;
begin
    perform promise.publish('newcomer', 1);
    commit;
    perform postrider.claim(w);
    l := promise.newest_lease(w);
    commit;
    perform promise.worker('newcomer', '[{"name": "b.x", "event_types": ["*"]}]');
    commit;
    perform postrider.release(w, l.id, l.token);
    assert (select array_agg(handler) from postrider.delivery where channel = 'newcomer') = '{a.x}';
end
$$;

-- one whose types changed meanwhile keeps its messages
do $$
declare
    w uuid := promise.worker('changed', '[{"name": "a.x", "event_types": ["a", "b"]}]');
    l postrider.lease;
begin
    perform promise.publish('changed', 1, 'a');
    commit;
    perform postrider.claim(w);
    l := promise.newest_lease(w);
    commit;
    perform promise.worker('changed', '[{"name": "a.x", "event_types": ["b"]}]');
    commit;
    perform postrider.release(w, l.id, l.token);
    assert (select array_agg(handler) from postrider.delivery where channel = 'changed') = '{a.x}', 'a message is lost';
end
$$;

-- a delivery that waited for a handler gets that handler's policy: one that may run once runs once
do $$
declare
    w uuid := promise.worker('policy', '[{"name": "a.x", "event_types": ["a"]}]');
begin
    perform postrider.publish('b', p_target => 'reader', p_channel => 'policy');
    perform postrider.publish('b', p_target => 'reader', p_channel => 'policy', p_max_attempts => 3);
    commit;
    perform postrider.claim(w);
    commit;
    perform promise.worker('policy', '[{"name": "b.x", "event_types": ["b"], "max_attempts": 1}]');
    assert (select array_agg(max_attempts order by seq) from postrider.delivery where channel = 'policy') = '{1,3}';
end
$$;

-- the view shows delivered only for messages that a handler got
do $$
declare
    w uuid := promise.worker('widened', '[{"name": "a.x", "event_types": ["a"]}]');
begin
    perform promise.publish('widened', 1, 'b');
    perform promise.publish('widened', 1, 'a');
    commit;
    assert promise.drain(w) = 1;
    commit;
    perform promise.worker('widened', '[{"name": "a.x", "event_types": ["a", "b"]}]');
    commit;
    assert (select array_agg(event_type || ' ' || status) from postrider.outbox where channel = 'widened') = '{a delivered}',
        'a message that no handler ever saw is called delivered';
end
$$;

-- one whose types another worker changed is no longer given to those that route by the old ones
do $$
declare
    old uuid := promise.worker('retyped', '[{"name": "a.x", "event_types": ["a"]}, {"name": "b.x", "event_types": ["a", "b"]}]');
    new uuid;
    same uuid;
begin
    new := promise.worker('retyped', '[{"name": "a.x", "event_types": ["a", "b"]}]');
    same := promise.worker('retyped', '[{"name": "b.x", "event_types": ["a", "b"]}]');
    perform promise.publish('retyped', 1, 'b');
    commit;
    assert promise.drain(old) = 1, 'it still has the other handler';
    assert (select array_agg(handler || ' ' || status) from postrider.delivery where channel = 'retyped') = '{"a.x pending"}',
        'settled without the handler having run';
    assert (select array_agg(h order by w.id = old, h) from postrider.worker w, unnest(w.handlers) h
            where w.id in (old, new, same)) = '{a.x,b.x,b.x}';
    perform postrider.register_worker(old, 'reader', '[{"name": "a.x", "event_types": ["a", "b"]}]', 'retyped');
    commit;
    assert (select array_agg(handler) from postrider.claim_due(old)) = '{a.x}', 'registered again it has it';
end
$$;
