-- Promises of delay(): each curve, its floor, its cap and its jitter, as vectors; those of ../../vectors/delay.tsv hold
-- for postrider::delay() of the library too.
\ir ../include/promises.sql

create temp table vector (retry jsonb, attempt int, u float8, ms float8);
insert into vector values
    -- The default: exponential from 1 s, doubled, at most 300 s, any part of it, at least 100 ms.
    ('{}', 1, 0.5, 500), ('{}', 2, 0.5, 1000), ('{}', 3, 0.5, 2000), ('{}', 10, 0.5, 150000), ('{}', 100, 0.5, 150000),
    ('{}', 1, 0, 100), ('{}', 100, 0, 100), ('{}', 9, 0.99, 253440), ('{}', 10, 0.99, 297000),
    ('{}', 0, 0.5, 500), ('{}', -3, 0.5, 500), (null, 1, 0.5, 500),
    ('{"jitter": "none"}', 1, 0.5, 1000), ('{"jitter": "none"}', 2, 0.5, 2000), ('{"jitter": "none"}', 3, 0.5, 4000),
    ('{"jitter": "none"}', 9, 0.5, 256000), ('{"jitter": "none"}', 10, 0.5, 300000), ('{"jitter": "none"}', 100, 0.5, 300000),
    ('{"jitter": "equal"}', 3, 0, 2000), ('{"jitter": "equal"}', 3, 0.5, 3000), ('{"jitter": "equal"}', 100, 0.5, 225000),
    ('{"jitter": "none", "base_ms": 10, "multiplier": 3, "cap_ms": 1000}', 1, 0, 100),
    ('{"jitter": "none", "base_ms": 10, "multiplier": 3, "cap_ms": 1000, "floor_ms": 1}', 1, 0, 10),
    ('{"jitter": "none", "base_ms": 10, "multiplier": 3, "cap_ms": 1000, "floor_ms": 1}', 3, 0, 90),
    ('{"jitter": "none", "base_ms": 10, "multiplier": 3, "cap_ms": 1000, "floor_ms": 1}', 10, 0, 1000),
    ('{"jitter": "none", "multiplier": 1}', 100, 0, 1000), ('{"jitter": "none", "multiplier": 1.5}', 3, 0, 2250),
    ('{"curve": "quadratic"}', 1, 0.5, 1000), ('{"curve": "quadratic"}', 2, 0.5, 4000),
    ('{"curve": "quadratic"}', 3, 0.5, 9000), ('{"curve": "quadratic"}', 10, 0.5, 100000),
    ('{"curve": "quadratic"}', 100, 0.5, 300000), ('{"curve": "quadratic", "jitter": "full"}', 2, 0.5, 2000),
    ('{"curve": "linear"}', 1, 0.5, 1000), ('{"curve": "linear"}', 2, 0.5, 2000), ('{"curve": "linear"}', 3, 0.5, 3000),
    ('{"curve": "linear"}', 10, 0.5, 10000), ('{"curve": "linear"}', 100, 0.5, 100000),
    ('{"curve": "linear", "base_ms": 5000}', 100, 0.5, 300000),
    ('{"curve": "fixed"}', 1, 0.5, 60000), ('{"curve": "fixed"}', 2, 0.5, 60000), ('{"curve": "fixed"}', 3, 0.5, 60000),
    ('{"curve": "fixed"}', 10, 0.5, 60000), ('{"curve": "fixed"}', 100, 0.5, 60000),
    ('{"curve": "fixed", "base_ms": 1}', 1, 0.5, 100), ('{"curve": "fixed", "base_ms": 999999999}', 1, 0.5, 300000),
    ('{"curve": "fixed", "jitter": "equal"}', 1, 0.5, 45000),
    ('{"curve": "immediate"}', 1, 0.5, 0), ('{"curve": "immediate"}', 2, 0.5, 0), ('{"curve": "immediate"}', 3, 0.5, 0),
    ('{"curve": "immediate"}', 10, 0.5, 0), ('{"curve": "immediate"}', 100, 0.5, 0),
    ('{"curve": "immediate", "floor_ms": 7}', 1, 0.5, 7),
    ('{"curve": "list", "delays_ms": [500, 2000, 70]}', 1, 0.5, 500),
    ('{"curve": "list", "delays_ms": [500, 2000, 70]}', 2, 0.5, 2000),
    ('{"curve": "list", "delays_ms": [500, 2000, 70]}', 3, 0.5, 100),
    ('{"curve": "list", "delays_ms": [500, 2000, 900]}', 10, 0.5, 900),
    ('{"curve": "list", "delays_ms": [500, 2000, 900]}', 100, 0.5, 900),
    ('{"curve": "list", "delays_ms": [9e9]}', 1, 0.5, 300000);

do $$
declare
    v record;
    v_ms float8;
begin
    for v in select * from vector loop
        v_ms := extract(epoch from postrider.delay(v.retry, v.attempt, v.u)) * 1000;
        assert abs(v_ms - v.ms) < 0.01, format('%s: %s ms', v, v_ms);
    end loop;
end
$$;

-- never below the floor, never above the cap, never null, for any random number and any attempt
do $$
declare
    v record;
    v_delay interval;
begin
    for v in
        select r::jsonb as retry, attempt, u,
               make_interval(secs => coalesce((r::jsonb ->> 'floor_ms')::float8,
                                              case when r like '%immediate%' then 0 else 100 end) / 1000) as floor,
               make_interval(secs => coalesce((r::jsonb ->> 'cap_ms')::float8, 300000) / 1000) as cap
        from unnest(array['{}', '{"jitter": "equal"}', '{"jitter": "none"}', '{"curve": "quadratic", "jitter": "full"}',
                          '{"curve": "linear", "jitter": "full"}', '{"curve": "immediate"}',
                          '{"curve": "fixed", "jitter": "full"}', '{"base_ms": 0}', '{"base_ms": 1e12}', '{"base_ms": -5}',
                          '{"multiplier": 0}', '{"multiplier": 1000}', '{"multiplier": 1e-6}', '{"base_ms": 1e-400}',
                          '{"base_ms": -1e400}', '{"curve": "list", "delays_ms": [1e-400]}', '{"cap_ms": 1000, "floor_ms": 1000}']) r
        cross join unnest(array[1, 2, 3, 10, 100, 1000, 2147483647]) attempt
        cross join unnest(array[0, 1e-9, 0.3, 0.999999999]) u
    loop
        v_delay := postrider.delay(v.retry, v.attempt, v.u);
        assert v_delay between v.floor and v.cap, format('%s: %s', v, v_delay);
    end loop;
end
$$;

-- the vectors that the library shares, to the microsecond
create temp table shared (curve text, base_ms bigint, multiplier float8, cap_ms bigint, floor_ms bigint, jitter text,
                          delays_ms jsonb, attempt int, u float8, us bigint);
\copy shared from '../../vectors/delay.tsv' (format csv, delimiter E'\t', header)
do $$
declare
    v record;
begin
    assert (select count(*) from shared) > 300, 'where are the vectors?';
    for v in
        select s.*, round(extract(epoch from postrider.delay(
                   jsonb_strip_nulls(jsonb_build_object(
                       'curve', curve, 'base_ms', base_ms, 'multiplier', multiplier, 'cap_ms', cap_ms,
                       'floor_ms', floor_ms, 'jitter', jitter, 'delays_ms', delays_ms)), attempt, u)) * 1e6) as answer
        from shared s
    loop
        assert v.us = v.answer, v;
    end loop;
end
$$;
