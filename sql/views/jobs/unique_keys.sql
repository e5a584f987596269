-- unique_keys: the unique keys that are held, with the job that holds each. `running` is that of a serial job: it was started, and the
-- next job of the key waits for it. A key whose period is over is no longer held, and not listed.
create or replace view postrider.unique_keys as
select c.name as consumer, c.channel, u.handler, u.key, u.scope, u.place = 'running' as running, u.message_id as id, u.taken_at,
       u.expires_at, u.seq
from postrider.unique_job u
join postrider.consumer c on c.id = u.consumer_id
where u.expires_at is null or u.expires_at > clock_timestamp();
