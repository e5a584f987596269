-- Promises about the figures, which are those of all roles:
--   consumers of one role within its quotas, whose patterns are long and whose messages match none of them, do not delay them for ten seconds
\ir ../../sql/include/promises.sql

do $$
begin
    for i in 1..100 loop
        perform promise.worker('long', jsonb_build_array(jsonb_build_object('name', 'test.all', 'event_types', (
            select jsonb_agg(repeat('q', 248) || n || '.*') from generate_series(100, 149) n))), 'reader' || i);
    end loop;
end
$$;
select promise.publish('long', 4000, repeat('q', 248) || '999.x') from generate_series(1, 2) \g /dev/null
do $$
declare
    v_began timestamptz := clock_timestamp();
begin
    perform postrider.figures();
    assert clock_timestamp() - v_began < interval '8 seconds', clock_timestamp() - v_began;
end
$$;
