-- channels: every channel that has consumers, a setting (set_wake) or messages in the log. `generation` is
-- that of a channel outbox_gen_<N>. The names are found by a loose index scan, so the cost does not grow with the log.
-- postrider: after channel_names
create or replace view postrider.channels as
with recursive logged (name) as (
    (select m.channel from postrider.message m order by m.channel limit 1)
    union all
    select (select m.channel from postrider.message m where m.channel > l.name order by m.channel limit 1)
    from logged l where l.name is not null
)
select n.name as channel, coalesce(k.wake, 'doorbell') as wake,
       substring(n.name from '^outbox_gen_([0-9]{1,18})$')::bigint as generation,
       exists (select from logged l where l.name = n.name) as has_messages,
       (select count(*) from postrider.consumer c where c.channel = n.name) as consumers,
       (select count(*) from postrider.worker w join postrider.consumer c on c.id = w.consumer_id
        where c.channel = n.name and w.alive_until > clock_timestamp()) as workers
from (select l.name from logged l where l.name is not null
      union
      select c.name from postrider.channel_names c) n
left join postrider.channel k on k.name = n.name;
