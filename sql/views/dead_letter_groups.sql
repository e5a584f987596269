-- dead_letter_groups: dead letters that died of the same, counted: one row per handler and fingerprint, with the newest
-- as a sample. order by count desc for what hurts most.
create or replace view postrider.dead_letter_groups as
select c.name as consumer, c.channel, g.handler, g.fingerprint, s.error_class, g.count, s.event_type, g.first_seen,
       g.last_seen, s.id as sample_delivery_id, s.message_id as sample_id, s.last_error as sample_error
from (select d.consumer_id, d.handler, d.fingerprint, count(*) as count, min(d.dead_at) as first_seen,
             max(d.dead_at) as last_seen
      from postrider.delivery d
      where d.status = 'failed' and d.deleted_at is null
      group by d.fingerprint, d.consumer_id, d.handler) g
join postrider.consumer c on c.id = g.consumer_id
cross join lateral (
    select d.id, d.message_id, d.error_class, d.event_type, d.last_error from postrider.delivery d
    where d.status = 'failed' and d.deleted_at is null and d.fingerprint is not distinct from g.fingerprint
      and d.consumer_id = g.consumer_id and d.handler = g.handler and d.dead_at = g.last_seen
    order by d.id desc
    limit 1) s;
