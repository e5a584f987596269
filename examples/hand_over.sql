-- A program consumes from a broker of its own and has a message that it cannot handle. It hands the message over, and then
-- acknowledges it to the broker. A worker of the channel broker retries it: here in SQL, usually `postrider work --channel broker`.
\set ON_ERROR_STOP on

-- The program, after its handler has failed.
select status, repeated from postrider.hand_over(
    'billing', 'billing.book',
    '{"id": "order-17", "source": "shop", "event_type": "order.placed", "payload": {"order": 17}}',
    p_error => 'account is locked', p_error_class => 'locked', p_delay_ms => 0);
-- The acknowledgement was lost, so the broker sends the message again: it is recognised.
select status, repeated from postrider.hand_over(
    'billing', 'billing.book',
    '{"id": "order-17", "source": "shop", "event_type": "order.placed", "payload": {"order": 17}}',
    p_error => 'account is locked', p_error_class => 'locked', p_delay_ms => 0);

-- The worker that retries.
select gen_random_uuid() as worker \gset
select postrider.register_worker(
    :'worker', 'billing', '[{"name": "billing.book", "event_types": ["*"]}]', 'broker') is not null as registered;
create temp table due as select * from postrider.claim_due(:'worker', 10);
select handler, event_type, payload, attempts from due;
select r.result from postrider.settle_due(:'worker', (
    select jsonb_agg(jsonb_build_object('delivery', delivery_id, 'token', lease_token, 'outcome', 'delivered')) from due)) r;
select postrider.unregister_worker(:'worker');

do $$
begin
    assert (select array_agg(status || ' ' || attempts) from postrider.outbox) = '{"delivered 2"}';
end
$$;
