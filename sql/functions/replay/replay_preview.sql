-- replay_preview(filter, samples, reach): the dead letters that a replay with this filter would replay. Changes nothing. filter is
-- dead_where()'s. For filters by consumer, channel, handler or fingerprint the numbers are read from the ledger; with event_type
-- only the total is. For other filters the dead letters are scanned: all of them, or the newest p_reach.
-- Returns: a JSON object: "total", "oldest" and "newest" (when they died), "handlers", "event_types" and "fingerprints"
--   with their counts, the largest twenty of each, the newest p_samples of them as "samples"; "exact": whether total is
--   all of them; otherwise it is a lower bound; "searched_to": the rest is of those that died since then, null: of all; "at":
--   a filter with dead_before = at matches no dead letters that died after the preview.
-- Raises: PR001 for an invalid filter.
-- postrider: grant operator, agent
-- postrider: after dead_where, dead_list, dead_reach, dead_letter_counts, error_excerpt
create or replace function postrider.replay_preview(p_filter jsonb, p_samples int default 5, p_reach int default null) returns jsonb
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    set datestyle = 'ISO'
    set jit = off
    as $$
declare
    v_where text := postrider.dead_where(p_filter);
    v_ledger text := '(select c.*, ''failed'' as status, null::timestamptz as deleted_at from postrider.dead_letter_counts c) d where ' || v_where;
    v_total bigint;
    v_groups text;  -- consumer_id, handler, event_type, fingerprint, n, sample, oldest, newest
    v_oldest timestamptz;
    v_newest timestamptz;
    v_to timestamptz;
    v_to_delivery bigint;
    v_result jsonb;
begin
    if p_filter - '{consumer,channel,handler,fingerprint,event_type}'::text[] = '{}' then
        execute 'select coalesce(sum(d.count), 0) from ' || v_ledger into v_total;
    end if;
    if v_total is not null and not p_filter ? 'event_type' then
        v_groups := 'select d.consumer_id, d.handler, d.event_type, d.fingerprint, sum(d.count) as n, null::bigint as sample,
                            null::timestamptz as oldest, null::timestamptz as newest from '
                    || v_ledger || ' group by 1, 2, 3, 4 having sum(d.count) > 0';
        execute format(
            'select min(o.dead_at), max(n.dead_at)
             from (select distinct d.consumer_id, d.handler%s from %s) g
             cross join lateral (select d.dead_at from postrider.delivery d where %s order by d.dead_at, d.id desc limit 1) o
             cross join lateral (select d.dead_at from postrider.delivery d where %3$s order by d.dead_at desc, d.id limit 1) n',
            case when p_filter ? 'fingerprint' then ', d.fingerprint' end, v_ledger,
            'd.status = ''failed'' and d.deleted_at is null and d.consumer_id = g.consumer_id and d.handler = g.handler'
            || case when p_filter ? 'fingerprint' then ' and d.fingerprint = g.fingerprint' else '' end)
        into v_oldest, v_newest;
    else
        select r.dead_at, r.delivery_id into v_to, v_to_delivery
        from postrider.dead_reach(p_filter, p_reach, p_counting => true) r;
        v_groups := 'select d.consumer_id, d.handler, d.event_type, d.fingerprint, count(*) as n, max(d.id) as sample,
                            min(d.dead_at) as oldest, max(d.dead_at) as newest
                     from postrider.delivery d where ' || v_where
                    || case when v_to is null then ''
                            else format(' and d.dead_at >= %L and (d.dead_at > %1$L or d.id <= %L)', v_to, v_to_delivery) end
                    || ' group by 1, 2, 3, 4';
    end if;
    execute format(
        'with g as materialized (%s),
         h as (select c.name as consumer, c.channel, g.handler, sum(g.n) as n
               from g join postrider.consumer c on c.id = g.consumer_id group by 1, 2, 3 order by n desc, 1, 2, 3 limit 20),
         t as (select g.event_type, sum(g.n) as n from g group by 1 order by n desc, 1 limit 20),
         f as (select g.fingerprint, sum(g.n) as n, max(g.sample) as sample,
                      (array_agg(g.consumer_id order by g.n desc))[1] as consumer_id, (array_agg(g.handler order by g.n desc))[1] as handler
               from g group by 1 order by n desc, 1 limit 20)
         select jsonb_build_object(
             ''total'', coalesce($1, (select sum(n) from g), 0), ''exact'', $1 is not null or $2 is null, ''searched_to'', $2,
             ''oldest'', coalesce($3, (select min(oldest) from g)), ''newest'', coalesce($4, (select max(newest) from g)),
             ''handlers'', (select coalesce(jsonb_agg(jsonb_build_object(
                 ''consumer'', consumer, ''channel'', channel, ''handler'', handler, ''count'', n) order by n desc), ''[]'') from h),
             ''event_types'', (select coalesce(jsonb_agg(jsonb_build_object(
                 ''event_type'', event_type, ''count'', n) order by n desc), ''[]'') from t),
             ''fingerprints'', (select coalesce(jsonb_agg(jsonb_build_object(
                 ''fingerprint'', f.fingerprint, ''error_class'', x.error_class, ''count'', f.n,
                 ''last_error'', postrider.error_excerpt(x.last_error, 300)) order by f.n desc), ''[]'')
                 from f left join postrider.delivery x on x.id = coalesce(f.sample, (
                     select d.id from postrider.delivery d
                     where d.status = ''failed'' and d.deleted_at is null and d.fingerprint = f.fingerprint
                       and d.consumer_id = f.consumer_id and d.handler = f.handler
                     order by d.dead_at desc, d.id limit 1))))', v_groups)
    into v_result
    using v_total, v_to, v_oldest, v_newest;
    return v_result || jsonb_build_object('at', clock_timestamp(), 'samples', (
        select coalesce(jsonb_agg(jsonb_build_object(
            'delivery', x.delivery_id, 'id', x.id, 'event_type', x.event_type, 'handler', x.handler, 'attempts', x.attempts,
            'error_class', x.error_class, 'last_error', postrider.error_excerpt(x.last_error, 300), 'dead_at', x.dead_at)
            order by x.dead_at desc, x.delivery_id), '[]')
        from postrider.dead_list(p_filter, least(greatest(p_samples, 1), 100), null, null, v_to, v_to_delivery) x
        where p_samples > 0 and v_result -> 'total' <> '0'));
end
$$;
