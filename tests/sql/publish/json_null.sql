-- Promise: a payload that is the JSON value null is a payload like any other, also when its message has to wait,
-- fails, is released or is reaped.
\ir ../include/promises.sql

do $$
declare
    w uuid := promise.worker('waits');
begin
    perform postrider.publish('a', 'null', p_channel => 'waits', p_priority => 1, p_headers => 'null', p_metadata => 'null');
    perform postrider.publish('a', '{"n": 2}', p_channel => 'waits');
    commit;
    perform promise.park(w);
    assert promise.numbers(w) = '{2}', 'the messages behind it must be handed out';
    assert (select d.payload::text from postrider.delivery d where d.channel = 'waits') = 'null';
    assert (select c.payload::text from postrider.claim_due(w) c) = 'null';
end
$$;

do $$
declare
    w uuid := promise.worker('fails');
    c record;
begin
    perform postrider.publish('a', 'null', p_channel => 'fails') from generate_series(1, 3);
    commit;
    select * into strict c from postrider.claim(w, 1);
    assert c.payload::text = 'null';
    assert postrider.settle(w, c.lease_id, c.lease_token, null, jsonb_build_array(
        jsonb_build_object('seq', c.seq, 'outcome', 'transient'))) = 'settled';
    select * into strict c from postrider.claim(w, 1);
    assert postrider.release(w, c.lease_id, c.lease_token) = 'settled';
    select * into strict c from postrider.claim(w, 1);
    perform postrider.unregister_worker(w);
    assert (select leases from postrider.reap()) = 1;
    assert (select count(*) from postrider.delivery d where d.channel = 'fails' and d.payload::text = 'null') = 3;
end
$$;
