-- Promises of the inbox and of a worker that comes back:
--   an effect is entered once per handler and key, and not at all when its transaction is rolled back
--   a worker gives back, uncharged, what it holds without knowing it, and keeps the rest
\ir include/promises.sql

do $$
begin
    assert postrider.handle_once('billing.book', 'k-1'), 'the first effect goes on';
    assert not postrider.handle_once('billing.book', 'k-1'), 'the same effect is skipped';
    assert postrider.handle_once('billing.book', 'k-2'), 'another key is another effect';
    assert postrider.handle_once('billing.mail', 'k-1'), 'another handler has an effect of its own';
end $$;

do $$
begin
    begin
        perform postrider.handle_once('billing.book', 'rolled back');
        raise exception 'undo' using errcode = 'PR999';
    exception when sqlstate 'PR999' then
        null;
    end;
    assert postrider.handle_once('billing.book', 'rolled back'), 'what was rolled back never happened';
end $$;

do $$
begin
    perform postrider.handle_once('billing.book', repeat('x', 256));
    assert false, 'a key that is too long is refused';
exception when sqlstate 'PR001' then
    null;
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
