-- cycles_of(delivery): the earlier cycles of a dead letter, oldest first.
-- postrider: grant operator, agent
-- postrider: after cycles, dead_letters
create or replace function postrider.cycles_of(p_delivery bigint) returns table (
    cycle int, status text, outcome text, attempts int, crashes int, first_failed_at timestamptz, ended_at timestamptz,
    error_class text, last_error text, replayed_at timestamptz, replayed_by text, replay bigint)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return query
        select h.* from postrider.dead_letters d cross join lateral postrider.cycles(d.failure_history) h
        where d.delivery_id = p_delivery order by h.cycle;
end
$$;
