-- replay_preview(filter, samples): what a replay with this filter would give a new cycle. Changes nothing.
-- filter is dead_where()'s.
-- Returns: a JSON object: "total", "oldest" and "newest" (when they died), "handlers", "event_types" and "fingerprints"
--   with their counts, the largest twenty of each, and the newest p_samples of them as "samples".
-- Raises: PR001 for a filter that makes no sense.
-- postrider: after dead_where
create or replace function postrider.replay_preview(p_filter jsonb, p_samples int default 5) returns jsonb
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_where text := postrider.dead_where(p_filter);
    v_result jsonb;
begin
    execute format(
        'with d as materialized (
             select d.id, d.consumer_id, d.handler, d.event_type, d.fingerprint, d.error_class, d.dead_at
             from postrider.delivery d where %1$s),
         h as (select c.name as consumer, c.channel, d.handler, count(*) as n
               from d join postrider.consumer c on c.id = d.consumer_id group by 1, 2, 3 order by n desc, 1, 2, 3 limit 20),
         t as (select d.event_type, count(*) as n from d group by 1 order by n desc, 1 limit 20),
         f as (select d.fingerprint, max(d.error_class) as error_class, count(*) as n, max(d.id) as sample
               from d group by 1 order by n desc, 1 limit 20),
         s as (select d.id from d order by d.dead_at desc, d.id limit $1)
         select jsonb_build_object(
             ''total'', (select count(*) from d), ''oldest'', (select min(dead_at) from d), ''newest'', (select max(dead_at) from d),
             ''handlers'', (select coalesce(jsonb_agg(jsonb_build_object(
                 ''consumer'', consumer, ''channel'', channel, ''handler'', handler, ''count'', n) order by n desc), ''[]'') from h),
             ''event_types'', (select coalesce(jsonb_agg(jsonb_build_object(
                 ''event_type'', event_type, ''count'', n) order by n desc), ''[]'') from t),
             ''fingerprints'', (select coalesce(jsonb_agg(jsonb_build_object(
                 ''fingerprint'', f.fingerprint, ''error_class'', f.error_class, ''count'', f.n,
                 ''last_error'', left(x.last_error, 200)) order by f.n desc), ''[]'')
                 from f join postrider.delivery x on x.id = f.sample),
             ''samples'', (select coalesce(jsonb_agg(jsonb_build_object(
                 ''delivery'', x.id, ''id'', x.message_id, ''event_type'', x.event_type, ''handler'', x.handler,
                 ''attempts'', x.attempts, ''error_class'', x.error_class, ''last_error'', left(x.last_error, 200),
                 ''dead_at'', x.dead_at) order by x.dead_at desc, x.id), ''[]'')
                 from s join postrider.delivery x on x.id = s.id))', v_where)
    into v_result
    using greatest(0, least(coalesce(p_samples, 5), 100));
    return v_result;
end
$$;
