-- brokers: the handlers that publish to a broker or a webhook (direction `to`: relays) or receive from a broker (`from`), as their
-- workers registered them last. Addresses have no credentials. `behind_since` is when the oldest message of the log that the consumer
-- has not claimed was published; for a consumer behind a broker it is null, because only the broker has that time. `pending` are
-- retried, `failed` are dead letters. `error_class` and `last_error` are those of a circuit that is not closed.
-- postrider: after handlers, consumers
create or replace view postrider.brokers as
-- Computed once per consumer: a consumer may have a thousand relays.
with behind as materialized (
    select n.consumer, n.channel, n.behind_since from postrider.consumers n
    where (n.consumer, n.channel) in (
        select c.name, c.channel from postrider.handler b join postrider.consumer c on c.id = b.consumer_id
        where b.broker is not null and b.retired_at is null)
)
select h.consumer, h.channel, h.handler, b.broker ->> 'direction' as direction, b.broker ->> 'address' as address, b.broker ->> 'name' as name,
       h.event_types, h.workers, n.behind_since, h.pending, h.failed, h.circuit_state, h.circuit_mode, h.opened_at, h.probe_at,
       case when h.circuit_state <> 'closed' then h.circuit_error_class end as error_class,
       case when h.circuit_state <> 'closed' then h.circuit_error end as last_error
from postrider.handler b
join postrider.consumer c on c.id = b.consumer_id
join postrider.handlers h on h.consumer = c.name and h.channel = c.channel and h.handler = b.name
join behind n on n.consumer = c.name and n.channel = c.channel
where b.broker is not null and b.retired_at is null;
