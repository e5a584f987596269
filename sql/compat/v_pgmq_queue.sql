-- v_pgmq_queue: the content of an equivalent queue of pgmq: messages that are owed, with vt, the time at which they can
-- be read (again). Delivered and dead messages are not in it.
-- postrider: after outbox
create or replace view postrider.v_pgmq_queue as
select o.channel as queue_name, o.seq as msg_id, o.attempts as read_ct, o.published_at as enqueued_at,
       o.available_at as vt, o.payload as message, o.headers, o.id as message_id, o.handler as step
from postrider.outbox o where o.status = 'pending' and o.deleted_at is null
union all
select o.channel, o.seq, o.attempts, o.published_at, o.deadline, o.payload, o.headers, o.id, o.handler
from postrider.outbox o where o.status = 'in_flight' and o.deleted_at is null;
