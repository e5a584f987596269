-- postrider: breaking
-- The inbox knows an effect by consumer, handler, source and idempotency key. Two consumers may have handlers of one name, and two
-- sources may use the same key: neither is a repetition of the other.
set local role postrider_owner;

-- Identifies one effect of a handler. The consumer is its name and not its id: a replay may move a delivery to the consumer of that name on
-- another channel, where it is still the same effect.
create type postrider.inbox_key as (consumer text, handler text, source text, idempotency_key text);

alter table postrider.event_handled rename to event_handled_before;
alter index postrider.event_handled_pkey rename to event_handled_before_pkey;

create table postrider.event_handled (
    consumer_name text collate "C" not null,
    handler_name text collate "C" not null,
    source text collate "C" not null default '',
    idempotency_key text collate "C" not null,
    handled_at timestamptz not null default clock_timestamp(),
    -- The key comes first because it differs most: comparing two entries ends there, and inserting takes less time.
    primary key (idempotency_key, handler_name, consumer_name, source)
);

-- Entries so far name neither consumer nor source. They come from the consumers that have had the handler, and from the messages
-- with the key that can still run again. An entry whose handler no consumer has had cannot be looked up again and is dropped.
insert into postrider.event_handled
select c.name, o.handler_name, coalesce(m.source, ''), o.idempotency_key, max(o.handled_at)
from postrider.event_handled_before o
join (select distinct c.name, h.name as handler_name
      from postrider.consumer c join postrider.handler h on h.consumer_id = c.id) c using (handler_name)
left join (select source, idempotency_key from postrider.delivery
           union all
           select source, coalesce(idempotency_key, id::text) from postrider.message) m using (idempotency_key)
group by 1, 2, 3, 4;

drop table postrider.event_handled_before;
