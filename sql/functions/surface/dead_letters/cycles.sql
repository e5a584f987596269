-- cycles(history): the earlier cycles in the failure history of a delivery, as rows.
-- history: failure_history of the view dead_letters, a JSON array with one object per cycle.
-- postrider: grant operator, viewer, agent
create or replace function postrider.cycles(p_history jsonb) returns table (
    cycle int, status text, outcome text, attempts int, crashes int, first_failed_at timestamptz, ended_at timestamptz,
    error_class text, last_error text, replayed_at timestamptz, replayed_by text, replay bigint)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return query
        select h.* from jsonb_to_recordset(p_history) h(
            cycle int, status text, outcome text, attempts int, crashes int, first_failed_at timestamptz, ended_at timestamptz,
            error_class text, last_error text, replayed_at timestamptz, replayed_by text, replay bigint);
end
$$;
