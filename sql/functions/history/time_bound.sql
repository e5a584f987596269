-- time_bound(n): where the n-th class of a histogram of durations begins, in milliseconds. The first class has all below 0.064 ms; then
-- an octave has two classes, the second from one and a half times its beginning on: 0.064, 0.096, 0.128, 0.192 …
-- The last class, the 74th, begins at about 51 days and has no end.
-- postrider: grant worker, operator, viewer, agent
create or replace function postrider.time_bound(p_n int) returns float8
    language sql immutable parallel safe
    as $$
    select case when p_n <= 1 then 0
                else pg_catalog.power(2::float8, 6 + (p_n - 2) / 2) * (1 + 0.5::float8 * ((p_n - 2) % 2)) / 1000 end
    $$;
