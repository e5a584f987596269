-- A consumer in plain SQL: the functions are the protocol, and any language that can call them will do.
-- It consumes the messages of plain_sql_producer.sql.
--
--   psql -d app -f plain_sql_consumer.sql
\set ON_ERROR_STOP on

-- Once per process: register the worker, its consumer and its handlers. A new consumer gets messages published
-- from now on, or, as here, everything that the log still holds.
select gen_random_uuid() as worker \gset
select postrider.register_worker(:'worker', 'billing', '[{
    "name": "billing.send_invoice", "event_types": ["order.*"], "max_attempts": 3,
    "retry": {"curve": "immediate"}}]', p_from_beginning => true) as consumer;

-- Lease the next messages to this worker ...
create temp table claimed as select * from postrider.claim(:'worker', 10);
select seq, event_type, payload, idempotency_key from claimed;

-- ... handle them, and say how it went: everything was delivered, but for one.
select lease_id, lease_token from claimed limit 1 \gset
select jsonb_build_array(jsonb_build_object(
           'seq', seq, 'handler', 'billing.send_invoice', 'outcome', 'transient',
           'error_class', 'timeout', 'error', 'the mail server did not answer')) as failures
from claimed where payload ->> 'order' = '43' \gset
select postrider.settle(:'worker', :lease_id, :'lease_token', p_failures => :'failures') as lease;

-- A failed message is due again when its backoff is over; here at once.
create temp table due as select * from postrider.claim_due(:'worker', 10);
select handler, attempts, event_type, payload from due;
select s.result
from postrider.settle_due(:'worker', (
    select jsonb_agg(jsonb_build_object('delivery', delivery_id, 'token', lease_token, 'outcome', 'delivered'))
    from due)) s;

select event_type, payload ->> 'order' as "order", status, attempts from postrider.outbox order by seq;
select postrider.unregister_worker(:'worker');

do $$
begin
    assert (select count(*) = 2 and bool_and(status = 'delivered') from postrider.outbox),
        'two orders were committed, and both invoices are sent';
    assert (select attempts = 2 from due), 'the second attempt is the one that worked';
end
$$;
