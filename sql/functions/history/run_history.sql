-- run_history(span, consumer, channel, handler): runs of handlers over time, from the buckets that workers fill (record_runs()).
-- span: hour, day or week, which have buckets of 1, 10 and 60 minutes. consumer, channel, handler: null or '' means any.
-- Returns: {"span", "bucket_s", "from", "to", "bounds_ms", "buckets", "total"}. A bucket has {"since", "delivered", "transient",
--   "terminal", "other", "run_ms", "queue_ms", "run_times"}: percentiles are [50th, 95th, 99th] or null, run_times counts the runs by
--   duration, whose classes begin at bounds_ms. Buckets without runs are left out. The total also has attempts and queue_times.
-- Raises: PR001 for another span.
-- Touches: run_bucket, consumer (read).
-- postrider: grant operator, viewer, agent
-- postrider: after history_span, quantiles, time_bound, time_bounds
create or replace function postrider.run_history(
    p_span text default 'hour', p_consumer text default null, p_channel text default null, p_handler text default null
) returns json
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    set jit = off
    as $$
declare
    h constant record := postrider.history_span(p_span);
begin
    return (
        with chosen as materialized (
            select b.* from postrider.run_bucket b join postrider.consumer c on c.id = b.consumer_id
            where b.width = h.width and b.since >= h.from_at and coalesce(nullif(p_consumer, ''), c.name) = c.name
              and coalesce(nullif(p_channel, ''), c.channel) = c.channel and coalesce(nullif(p_handler, ''), b.handler) = b.handler
        ), counts as materialized (
            -- Of each bucket, and of all of them together (since is null).
            select k.kind, k.since, array_agg(k.n order by k.class) as counts
            from (select a.kind, c.since, u.class, sum(u.n)::bigint as n
                  from chosen c
                  cross join lateral (values ('run', c.run_times), ('queue', c.queue_times), ('attempt', c.attempts)) a(kind, counts)
                  cross join lateral unnest(a.counts) with ordinality u(n, class)
                  group by grouping sets ((a.kind, c.since, u.class), (a.kind, u.class))) k
            group by k.kind, k.since
        ), summed as (
            select s.since, sum(s.delivered)::bigint as delivered, sum(s.transient)::bigint as transient,
                   sum(s.terminal)::bigint as terminal, sum(s.other)::bigint as other
            from chosen s group by grouping sets ((s.since), ())
        ), shown as (
            select s.since, json_build_object(
                       'since', s.since, 'delivered', coalesce(s.delivered, 0), 'transient', coalesce(s.transient, 0),
                       'terminal', coalesce(s.terminal, 0), 'other', coalesce(s.other, 0), 'run_ms', postrider.quantiles(r.counts),
                       'queue_ms', postrider.quantiles(q.counts), 'run_times', coalesce(r.counts, '{}')) as one
            from summed s
            left join counts r on r.kind = 'run' and r.since is not distinct from s.since
            left join counts q on q.kind = 'queue' and q.since is not distinct from s.since
        )
        select json_build_object(
            'span', p_span, 'bucket_s', h.width * 60, 'from', h.from_at, 'to', h.to_at,
            'bounds_ms', (select json_agg(postrider.time_bound(n) order by n) from generate_series(1, postrider.time_bounds()) n),
            'buckets', (select coalesce(json_agg(s.one order by s.since), '[]') from shown s where s.since is not null),
            'total', (select (s.one::jsonb - 'since') || jsonb_build_object(
                          'attempts', coalesce((select to_jsonb(a.counts) from counts a where a.kind = 'attempt' and a.since is null), '[]'),
                          'queue_times', coalesce((select to_jsonb(q.counts) from counts q where q.kind = 'queue' and q.since is null), '[]'))
                      from shown s where s.since is null)));
end
$$;
