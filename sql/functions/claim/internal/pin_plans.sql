-- pin_plans(): lets the plans of exchange_packed() in this session be index range scans of as many rows as are claimed,
-- whatever the statistics say. SET clauses of the function would have the same effect, but each call would set and reset
-- every setting.
create or replace function postrider.pin_plans() returns void
    language sql volatile
    set search_path = pg_catalog, pg_temp
    as $$
    select set_config(s.name, s.value, false)
    from (values ('jit', 'off'), ('max_parallel_workers_per_gather', '0'), ('enable_seqscan', 'off'),
                 ('enable_bitmapscan', 'off'), ('enable_hashjoin', 'off'), ('enable_mergejoin', 'off'),
                 ('plan_cache_mode', 'force_generic_plan')) as s(name, value)
    $$;
