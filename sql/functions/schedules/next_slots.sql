-- next_slots(cron, time_zone, from, count): the next slots of a cron expression behind an instant, as next_slot() finds them.
-- Returns: at most p_count slots in order; fewer when the expression has no more within forty years.
-- Raises: PR001 for an expression, a time zone or a count that cannot be used.
-- postrider: grant worker, operator, viewer, agent
-- postrider: after parse_cron, next_slot, require_time_zone
create or replace function postrider.next_slots(
    p_cron text, p_time_zone text default 'UTC', p_from timestamptz default clock_timestamp(), p_count int default 10
) returns setof timestamptz
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    c constant postrider.cron := postrider.parse_cron(p_cron);
    v_slot timestamptz := p_from;
begin
    perform postrider.require_time_zone(p_time_zone);
    if p_count is null or p_count not between 1 and 10000 then
        raise exception using errcode = 'PR001',
            message = format('next_slots: count must be between 1 and 10000, got %s', coalesce(p_count::text, '(null)'));
    elsif p_from is null or not isfinite(p_from) then
        raise exception using errcode = 'PR001', message = 'next_slots: from must be an instant';
    end if;
    for i in 1 .. p_count loop
        v_slot := postrider.next_slot(c, p_time_zone, v_slot);
        exit when v_slot is null;
        return next v_slot;
    end loop;
end
$$;
