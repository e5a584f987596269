-- time_bounds(): how many classes a histogram of durations has; time_bound() has the beginnings.
create or replace function postrider.time_bounds() returns int
    language sql immutable parallel safe
    as $$ select 74 $$;
