-- preview_shown(filter, reach): replay_preview() with ten samples, whose deliveries are text. filter is dead_where()'s.
-- postrider: grant operator, agent
-- postrider: after replay_preview
create or replace function postrider.preview_shown(p_filter jsonb, p_reach int default null) returns jsonb
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_preview constant jsonb := postrider.replay_preview(p_filter, 10, p_reach);
begin
    return v_preview || jsonb_build_object('samples', (
        select coalesce(jsonb_agg(s.sample || jsonb_build_object('delivery', s.sample ->> 'delivery') order by s.n), '[]')
        from jsonb_array_elements(v_preview -> 'samples') with ordinality s(sample, n)));
end
$$;
