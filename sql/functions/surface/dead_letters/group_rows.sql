-- group_rows(consumer, handler, workspace, limit, after, error_length): one page of groups of dead letters, the largest first, with
-- ids as text. '' means any consumer or handler, null any workspace. after and error_length are dead_rows()'s.
-- Returns: the rows of dead_groups() as JSON objects with their places.
-- postrider: grant operator, agent
-- postrider: after dead_groups, shown, error_excerpt
create or replace function postrider.group_rows(
    p_consumer text, p_handler text, p_workspace uuid default null, p_limit int default 50, p_after jsonb default null,
    p_error_length int default null
) returns table (shown json, place json)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_skip constant int := coalesce((p_after ->> 'skip')::int, 0);
begin
    return query
        select postrider.shown(row_to_json(v), true, case p_error_length when 0 then '{n,sample_error}'::text[] else '{n}' end),
               json_build_object('skip', v_skip + v.n)
        from (select g.consumer, g.channel, g.handler, g.fingerprint, g.error_class, g.count, g.event_type, g.first_seen, g.last_seen,
                     g.sample_delivery_id, g.sample_id, g.buckets, g.bucket_s,
                     postrider.error_excerpt(g.sample_error, p_error_length) as sample_error,
                     g.n
              from postrider.dead_groups(nullif(p_consumer, ''), nullif(p_handler, ''), p_workspace, p_limit, v_skip)
                   with ordinality g(consumer, channel, handler, fingerprint, error_class, count, event_type, first_seen, last_seen,
                                     sample_delivery_id, sample_id, sample_error, buckets, bucket_s, n)) v
        order by v.n;
end
$$;
