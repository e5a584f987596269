-- limit_json(limit): a limit as set_limit() takes it; null: none.
-- postrider: grant operator, viewer, agent
create or replace function postrider.limit_json(p_limit postrider.handler_limit) returns jsonb
    language sql stable
    as $$
    select case when (p_limit).handler is not null then pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_build_object(
        'concurrency', (p_limit).concurrency, 'per_worker', (p_limit).per_worker, 'key', (p_limit).key, 'per_key', (p_limit).per_key,
        'rate', case when (p_limit).starts is not null then pg_catalog.jsonb_build_object(
            'starts', (p_limit).starts, 'period', (p_limit).period, 'burst', (p_limit).burst) end,
        'key_rate', case when (p_limit).key_starts is not null then pg_catalog.jsonb_build_object(
            'starts', (p_limit).key_starts, 'period', (p_limit).key_period, 'burst', (p_limit).key_burst) end,
        'weights', nullif((p_limit).weights, '{}'))) end
    $$;
