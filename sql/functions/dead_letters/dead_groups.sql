-- dead_groups(consumer, handler, workspace, limit, skip): one page of groups of dead letters with the same fingerprint, the
-- largest first, with the times at which their members died. null: any consumer, handler, workspace.
-- Counts come from the ledger, so that a million are counted as fast as ten; those of one workspace are counted, up to
-- 100000. buckets: 24 counts of the newest 300 members of a group, the oldest bucket first; bucket_s: seconds each covers.
-- Returns: the columns of the view dead_letter_groups, buckets and bucket_s.
-- postrider: grant operator, agent
-- postrider: after dead_letter_groups
create or replace function postrider.dead_groups(
    p_consumer text default null, p_handler text default null, p_workspace uuid default null, p_limit int default 50,
    p_skip int default 0
) returns table (
    consumer text, channel text, handler text, fingerprint text, error_class text, count bigint, event_type text,
    first_seen timestamptz, last_seen timestamptz, sample_delivery_id bigint, sample_id uuid, sample_error text, buckets int[],
    bucket_s float8)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    set jit = off
    as $$
begin
    -- Dynamic SQL: a condition on the workspace in every query would prevent index-only scans.
    return query execute format(
        'with page as (
             select c.name as consumer, c.channel, t.* from (%s) t join postrider.consumer c on c.id = t.consumer_id
             where ($1 is null or c.name = $1) and ($2 is null or t.handler = $2)
             order by t.count desc, t.consumer_id, t.handler, t.fingerprint
             limit $4 offset $5)
         select p.consumer, p.channel, p.handler, p.fingerprint, s.error_class, p.count::bigint, s.event_type, b.first_seen,
                b.last_seen, s.id, s.message_id, s.last_error, b.buckets, b.width
         from page p
         cross join lateral (
             select d.id, d.message_id, d.error_class, d.event_type, d.last_error from postrider.delivery d
             where %s order by d.dead_at desc, d.id limit 1) s
         cross join lateral (
             with newest as materialized (
                 select d.dead_at from postrider.delivery d where %2$s order by d.dead_at desc, d.id limit 300
             ), span as (
                 select min(n.dead_at) as low, max(n.dead_at) as high,
                        greatest(extract(epoch from max(n.dead_at) - min(n.dead_at)) / 24, 1)::float8 as width
                 from newest n
             )
             select (select array_agg(coalesce(k.n, 0)::int order by i)
                     from generate_series(0, 23) i
                     left join (select least(23, floor(extract(epoch from n.dead_at - span.low) / span.width))::int as bucket,
                                       count(*) as n from newest n group by 1) k on k.bucket = i) as buckets,
                    span.width, span.high as last_seen,
                    (select d.dead_at from postrider.delivery d where %2$s order by d.dead_at, d.id desc limit 1) as first_seen
             from span) b
         order by p.count desc, p.consumer_id, p.handler, p.fingerprint',
        case when p_workspace is null
             then 'select t.consumer_id, t.handler, t.fingerprint, sum(t.count) as count from postrider.dead_letter_counts t
                   group by 1, 2, 3 having sum(t.count) > 0'
             else 'select w.consumer_id, w.handler, w.fingerprint, count(*) as count
                   from (select d.consumer_id, d.handler, d.fingerprint from postrider.delivery d
                         where d.workspace_id = $3 and d.status = ''failed'' and d.deleted_at is null
                         order by d.dead_at desc, d.id limit 100000) w
                   group by 1, 2, 3' end,
        'd.status = ''failed'' and d.deleted_at is null and d.fingerprint = p.fingerprint
         and d.consumer_id = p.consumer_id and d.handler = p.handler'
        || case when p_workspace is null then '' else ' and d.workspace_id = $3' end)
    using p_consumer, p_handler, p_workspace, least(greatest(p_limit, 1), 1001), greatest(p_skip, 0);
end
$$;
