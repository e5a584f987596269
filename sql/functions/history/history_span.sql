-- history_span(span): the width of buckets in minutes and the bounds of a history.
-- span: hour, day or week, which have buckets of 1, 10 and 60 minutes.
-- Raises: PR001 for another span.
-- postrider: grant operator, viewer, agent
create or replace function postrider.history_span(p_span text, out width int, out from_at timestamptz, out to_at timestamptz)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_count constant int := '{"hour": 60, "day": 144, "week": 168}'::jsonb ->> p_span;
begin
    width := '{"hour": 1, "day": 10, "week": 60}'::jsonb ->> p_span;
    if width is null then
        raise exception using errcode = 'PR001', message = format('span must be hour, day or week, got %s', coalesce(p_span, '(null)'));
    end if;
    to_at := clock_timestamp();
    from_at := to_timestamp((floor(extract(epoch from to_at) / 60 / width) - v_count + 1) * width * 60);
end
$$;
