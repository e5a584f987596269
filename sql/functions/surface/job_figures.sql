-- job_figures(): figures about jobs, for the metrics: a JSON object. Every count has a bound, so that a scrape stays cheap.
--   duplicates  unique jobs that were not published because their key was held, and cancelled: jobs that were cancelled. Both as sequences count
--               them: transactions that rolled back are included
--   reports     of progress and results, as PostgreSQL's statistics count them
--   sets        those that have not completed, counted up to 10000: open, refused (their message could not be published), oldest_s (age of the
--               oldest one), and members that have not ended, counted up to 50000
--   consumers   of each: unique_keys that its jobs hold, counted up to 10000, and oldest_run_s: for how long a worker has had the message
--               that it has had longest, 0 when no worker has one
--   actions     audited actions of the last hour by name, of the newest 10000
-- postrider: grant operator, viewer, agent
-- postrider: after open_leases
create or replace function postrider.job_figures() returns jsonb
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    set jit = off
    set enable_seqscan = off
    as $$
declare
    v_now constant timestamptz := clock_timestamp();
begin
    return jsonb_build_object(
        'duplicates', coalesce(pg_sequence_last_value('postrider.unique_duplicate_seq'), 0),
        'cancelled', coalesce(pg_sequence_last_value('postrider.cancelled_job_seq'), 0),
        'reports', pg_stat_get_tuples_inserted('postrider.job_progress'::regclass)
                   + pg_stat_get_tuples_updated('postrider.job_progress'::regclass),
        'sets', (select jsonb_build_object('open', count(*), 'refused', count(*) filter (where s.problem is not null),
                     'oldest_s', round(coalesce(extract(epoch from v_now - min(s.created_at)), 0), 3),
                     'members', (select count(*) from (select from postrider.set_member limit 50000) m))
                 from (select j.problem, j.created_at from postrider.job_set j where j.completed_at is null limit 10000) s),
        'consumers', (
            with running as materialized (
                select d.consumer_id, min(d.claimed_at) as since from postrider.delivery d where d.status = 'in_flight' group by 1
            )
            select coalesce(jsonb_agg(jsonb_build_object('consumer', c.name, 'channel', c.channel, 'unique_keys', u.keys,
                       'oldest_run_s', round(greatest(extract(epoch from v_now - least(r.since, l.since)), 0), 3))
                       order by c.name, c.channel), '[]')
            from postrider.consumer c
            left join running r on r.consumer_id = c.id
            cross join lateral (select min(o.claimed_at) as since from postrider.open_leases o where o.consumer_id = c.id) l
            cross join lateral (
                select count(*) as keys
                from (select from postrider.unique_job k
                      where k.consumer_id = c.id and (k.expires_at is null or k.expires_at > v_now) limit 10000) k) u),
        'actions', (
            select coalesce(jsonb_agg(jsonb_build_object('action', a.action, 'count', a.n) order by a.action), '[]')
            from (select e.action, count(*) as n
                  from (select r.action from postrider.audit r where r.at > v_now - interval '1 hour' order by r.at desc limit 10000) e
                  group by 1) a));
end
$$;
