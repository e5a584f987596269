-- top_totals: rates and totals of all consumers, in one row. A rate is capped when it is a lower bound.
-- postrider: after pace, figures, dead_letters, replays
create or replace view postrider.top_totals as
with pace as materialized (
    select * from postrider.pace()
), seen as materialized (
    select * from jsonb_to_record(postrider.figures() #> '{figures,totals}') t(
        backlog bigint, backlog_exact boolean, in_flight bigint, deliveries_pending bigint, dead_letters bigint, workers bigint,
        circuits_not_closed bigint)
)
select clock_timestamp() as at, current_database() as database,
       (select coalesce(sum(c.published), 0)
        from (select max(p.published / p.seconds) as published from pace p group by p.channel) c)::float8 as published_per_s,
       (select coalesce(bool_or(p.published >= 20000), false) from pace p) as published_capped,
       (select coalesce(sum(p.taken / p.seconds), 0) from pace p)::float8 as taken_per_s,
       (select coalesce(bool_or(p.taken >= 20000), false) from pace p) as taken_capped,
       s.backlog, s.backlog_exact, s.in_flight, s.deliveries_pending as pending, s.dead_letters,
       (select count(*) from (select from postrider.dead_letters d
                              where d.dead_at > clock_timestamp() - interval '1 minute' limit 10000) d) as died_in_a_minute,
       s.workers, s.circuits_not_closed,
       (select count(*) from postrider.replays r where r.phase in ('canary', 'running')) as replays_running
from seen s;
