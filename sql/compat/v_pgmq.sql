-- v_pgmq: dead letters in the shape that pipelines on pgmq keep beside their queue: nine columns, the last 30 days. The
-- message itself stays where it is; message_id and delivery_id name it. step is the handler; recording_id is taken from
-- the payload, which pipelines key by it.
-- postrider: after outbox
create or replace view postrider.v_pgmq as
select o.channel as queue_name, o.seq as original_msg_id, o.payload, o.handler as step,
       o.payload ->> 'recording_id' as recording_id, o.attempts as read_ct, o.last_error,
       o.published_at as first_seen, o.dead_at, o.id as message_id, o.delivery_id
from postrider.outbox o
where o.status = 'failed' and o.deleted_at is null and o.dead_at > now() - interval '30 days';
