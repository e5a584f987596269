-- top_consumers: consumers with their rates and backlogs, the most delayed first.
-- postrider: after pace, figures
create or replace view postrider.top_consumers as
select c.consumer, c.channel, c.workers, p.taken / p.seconds as taken_per_s, p.taken >= 20000 as taken_capped, c.backlog,
       c.backlog_exact, extract(epoch from clock_timestamp() - c.behind_since)::float8 as oldest_seconds, c.in_flight, c.pending,
       c.failed as dead_letters,
       case when c.paused then 'paused' when c.held then 'held' when c.workers = 0 then 'no_workers'
            when c.held_handlers <> '{}' then 'partly_held' else 'working' end as state
from jsonb_to_recordset(postrider.figures() #> '{figures,consumers}') c(
    consumer text, channel text, paused boolean, held boolean, held_handlers text[], workers bigint, backlog bigint,
    backlog_exact boolean, behind_since timestamptz, in_flight bigint, pending bigint, failed bigint)
join postrider.pace() p using (consumer, channel)
order by c.behind_since, c.consumer, c.channel;
