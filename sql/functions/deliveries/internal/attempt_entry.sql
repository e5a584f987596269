-- attempt_entry(outcome, cycle, attempt, at, error_class, error, duration_ms, worker): a run for the attempt_history of its delivery: an
-- array with one object if it failed, else an empty one. The error is shortened to 1000 characters. The time is written in UTC: a caller
-- may have a time zone whose offsets cannot be read.
create or replace function postrider.attempt_entry(
    p_outcome text, p_cycle int, p_attempt int, p_at timestamptz, p_error_class text, p_error text, p_duration_ms float8, p_worker uuid
) returns jsonb
    language sql stable parallel safe
    as $$
    select case when p_outcome in ('transient', 'terminal', 'crashed')
                then pg_catalog.jsonb_build_array(pg_catalog.jsonb_build_object(
                         'cycle', p_cycle, 'attempt', p_attempt, 'outcome', p_outcome,
                         'at', pg_catalog.to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"'),
                         'error_class', pg_catalog.left(p_error_class, 255), 'error', pg_catalog.left(p_error, 1000),
                         'duration_ms', pg_catalog.round(p_duration_ms::numeric, 3), 'worker', p_worker))
                else '[]'::jsonb end
    $$;
