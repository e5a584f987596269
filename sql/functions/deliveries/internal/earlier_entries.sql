-- earlier_entries(earlier, now, worker): the runs before the immediate retries of a lease, for the attempt_history of the delivery that the last
-- of them made. p_earlier is settle()'s `earlier`: transient failures of the first cycle, the first one first. The newest 19 are kept.
-- Strict, because most failures have no earlier runs.
-- postrider: after attempt_entry
create or replace function postrider.earlier_entries(p_earlier jsonb, p_now timestamptz, p_worker uuid) returns jsonb
    language plpgsql stable strict
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return (
        select jsonb_agg(postrider.attempt_entry(
                   'transient', 1, e.attempt::int, p_now - make_interval(secs => e.ago_ms / 1000), e.error_class, e.error, e.duration_ms,
                   p_worker) -> 0 order by e.attempt)
        from rows from (jsonb_to_recordset(p_earlier) as (
                 error text, error_class text, duration_ms float8, ago_ms float8))
             with ordinality as e(error, error_class, duration_ms, ago_ms, attempt)
        where e.attempt > jsonb_array_length(p_earlier) - 19);
end
$$;
