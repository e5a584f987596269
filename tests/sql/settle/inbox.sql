-- Promises of the inbox and of a worker that reconnects:
--   an effect is entered once per consumer, handler, source and key, and not at all when its transaction is rolled back
--   a replay that moves a delivery to the consumer of the same name on another channel does not repeat its effect
--   a worker releases, uncharged, leases it does not know, and keeps the rest
\ir ../include/promises.sql

do $$
begin
    assert postrider.handle_once(row('billing', 'ledger.book', 'shop', 'k-1')), 'the first effect goes on';
    assert not postrider.handle_once(row('billing', 'ledger.book', 'shop', 'k-1')), 'the same effect is skipped';
    assert postrider.handle_once(row('billing', 'ledger.book', 'shop', 'k-2')), 'another key is another effect';
    assert postrider.handle_once(row('billing', 'ledger.mail', 'shop', 'k-1')), 'another handler has an effect of its own';
    assert postrider.handle_once(row('audit', 'ledger.book', 'shop', 'k-1')), 'another consumer has an effect of its own';
    assert postrider.handle_once(row('billing', 'ledger.book', 'mill', 'k-1')), 'another source has keys of its own';
    assert postrider.handle_once(row('billing', 'ledger.book', '', 'k-1')), 'and so has a message without a source';
    assert not postrider.handle_once(row('billing', 'ledger.book', null, 'k-1')), 'null is no source either';
end $$;

do $$
begin
    begin
        perform postrider.handle_once(row('billing', 'ledger.book', 'shop', 'rolled back'));
        raise exception 'undo' using errcode = 'PR999';
    exception when sqlstate 'PR999' then
        null;
    end;
    assert postrider.handle_once(row('billing', 'ledger.book', 'shop', 'rolled back')), 'a rolled back effect never happened';
end $$;

-- an effect that is incomplete or too long is refused
do $$
declare
    e postrider.inbox_key;
begin
    foreach e in array array[
        (null, 'a.b', 's', 'k'), ('', 'a.b', 's', 'k'), (repeat('x', 64), 'a.b', 's', 'k'), ('c', null, 's', 'k'),
        ('c', repeat('x', 128), 's', 'k'), ('c', 'a.b', repeat('x', 256), 'k'), ('c', 'a.b', 's', null), ('c', 'a.b', 's', ''),
        ('c', 'a.b', 's', repeat('x', 256))]::postrider.inbox_key[] loop
        perform promise.raises(format('select postrider.handle_once(%L::postrider.inbox_key)', e), 'PR001');
    end loop;
    perform promise.raises('select postrider.handle_once(null)', 'PR001');
end $$;

select postrider.register_worker('00000000-0000-4000-8000-000000000001', 'office',
       '[{"name": "office.all", "event_types": ["*"]}]');
select postrider.publish('a.one'), postrider.publish('a.two'), postrider.publish('a.three', p_priority => 5);
do $$
declare
    w uuid := '00000000-0000-4000-8000-000000000001';
    known record;
    unknown record;
    due record;
    r record;
begin
    perform promise.park(w);
    select * into known from postrider.claim(w, 1);
    select * into unknown from postrider.claim(w, 1);
    assert postrider.settle(w, unknown.lease_id, unknown.lease_token, '{}') = 'open';
    perform postrider.claim(w, 10);
    select * into due from postrider.claim_due(w);
    assert due.delivery_id is not null, 'the third one was parked and is due';
    select * into r from postrider.resume_worker(w, array[known.lease_id]);
    assert r.leases = 1 and r.deliveries = 1, format('given back: %s', r);
    assert postrider.settle(w, known.lease_id, known.lease_token) = 'settled', 'the known lease is still its own';
    assert (select count(*) from postrider.claim_due(w)) = 2, 'what was given back is due at once';
    assert (select bool_and(attempts = 1 and interruptions = 1) from postrider.delivery), 'and was not charged';
end $$;

-- an empty key is none, whichever way it comes in: it would be one that handle_once refuses
do $$
declare
    w uuid := promise.worker('empty');
begin
    perform postrider.publish('a', p_channel => 'empty', p_idempotency_key => '');
    perform postrider.publish_many('[{"event_type": "a", "channel": "empty", "idempotency_key": ""}]');
    insert into postrider.outbox (event_type, channel, idempotency_key) values ('a', 'empty', '');
    perform promise.raises($q$insert into postrider.message (event_type, channel, idempotency_key) values ('a', 'empty', '')$q$, '23514');
    commit;
    assert (select count(*) from postrider.claim(w) c where c.idempotency_key = c.id::text) = 3;
end $$;

-- two consumers with a handler of one name, and two messages with one key from two sources: four effects, each once
do $$
declare
    v_workers uuid[] := array[promise.worker('ledger', '[{"name": "ledger.book", "event_types": ["*"]}]', 'billing'),
                              promise.worker('ledger', '[{"name": "ledger.book", "event_types": ["*"]}]', 'audit')];
    v_names text[] := '{billing,audit}';
    v_effects int := 0;
begin
    perform postrider.publish('order.paid', p_channel => 'ledger', p_source => 'shop', p_idempotency_key => '42'),
            postrider.publish('rent.paid', p_channel => 'ledger', p_source => 'mill', p_idempotency_key => '42'),
            postrider.publish('order.paid', p_channel => 'ledger', p_source => 'shop', p_idempotency_key => '42');
    commit;
    for i in 1..2 loop
        v_effects := v_effects + (
            select count(*) filter (where postrider.handle_once(row(v_names[i], 'ledger.book', c.source, c.idempotency_key)))
            from postrider.claim(v_workers[i]) c);
    end loop;
    assert v_effects = 4, v_effects;
end $$;

-- a replay may move a delivery to the consumer of the same name on another channel: its effect is known there
do $$
declare
    w uuid := promise.worker('outbox_gen_1');
    n uuid := promise.worker('outbox_gen_2');
    v_id uuid := postrider.publish('a', p_channel => 'outbox_gen_1', p_source => 'shop', p_generation => 1);
    c record;
begin
    commit;
    select * into strict c from postrider.claim(w);
    assert postrider.handle_once(row('reader', 'test.all', c.source, c.idempotency_key));
    perform postrider.settle(w, c.lease_id, c.lease_token, null,
                             jsonb_build_array(jsonb_build_object('seq', c.seq, 'outcome', 'terminal', 'error', 'answer lost')));
    perform postrider.outbox_replay(v_id, 2, 'ann');
    select * into strict c from postrider.claim_due(n);
    assert not postrider.handle_once(row('reader', 'test.all', c.source, c.idempotency_key));
end $$;
