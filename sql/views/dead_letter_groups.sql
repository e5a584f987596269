-- dead_letter_groups: dead letters by cause: one row per handler and fingerprint, with their count and the newest as a
-- sample. Order by count desc for the most frequent causes. The count is read from a ledger, so its cost does not grow
-- with the number of dead letters.
-- postrider: after dead_letter_counts
create or replace view postrider.dead_letter_groups as
select c.name as consumer, c.channel, g.handler, g.fingerprint, s.error_class, g.count::bigint as count, s.event_type,
       f.dead_at as first_seen, s.dead_at as last_seen, s.id as sample_delivery_id, s.message_id as sample_id,
       s.last_error as sample_error
from (select t.consumer_id, t.handler, t.fingerprint, sum(t.count) as count
      from postrider.dead_letter_counts t
      group by t.consumer_id, t.handler, t.fingerprint
      having sum(t.count) > 0) g
join postrider.consumer c on c.id = g.consumer_id
cross join lateral (
    select d.id, d.message_id, d.error_class, d.event_type, d.last_error, d.dead_at from postrider.delivery d
    where d.status = 'failed' and d.deleted_at is null and d.fingerprint = g.fingerprint
      and d.consumer_id = g.consumer_id and d.handler = g.handler
    order by d.dead_at desc, d.id
    limit 1) s
cross join lateral (
    select d.dead_at from postrider.delivery d
    where d.status = 'failed' and d.deleted_at is null and d.fingerprint = g.fingerprint
      and d.consumer_id = g.consumer_id and d.handler = g.handler
    order by d.dead_at, d.id desc
    limit 1) f;
