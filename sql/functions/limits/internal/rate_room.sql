-- rate_room(starts, period, burst, paid_at, now): how many runs a rate allows to start now. Each start takes period / starts to pay off, and
-- up to `burst` of them may be owed. paid_at is the bucket's, null: nothing is owed. After the clock was set back by more than the burst
-- takes, nothing is owed either.
-- Returns: 0 and above; null without a rate. One expression, which is inlined.
create or replace function postrider.rate_room(
    p_starts int, p_period interval, p_burst int, p_paid_at timestamptz, p_now timestamptz
) returns int
    language sql immutable parallel safe
    as $$
    select case when p_paid_at <= p_now + p_burst * p_period / p_starts + interval '1 second'
                then pg_catalog.floor(p_burst - greatest(pg_catalog.date_part('epoch', p_paid_at - p_now), 0)
                                                * p_starts / pg_catalog.date_part('epoch', p_period) + 0.000001)::int
                when p_starts is not null then p_burst end
    $$;
