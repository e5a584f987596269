-- deployment(): which deployment this database belongs to, and where its server ran when that was recorded: the data directory for those who may
-- read that setting.
-- Touches: deployment (read).
-- postrider: grant worker, operator, viewer
create or replace function postrider.deployment(
    out name text, out recorded_at timestamptz, out port int, out data_directory text, out timeline text
)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    as $$
#variable_conflict use_column
begin
    select d.name, d.recorded_at, d.port, case when pg_has_role(session_user, 'pg_read_all_settings', 'usage') then d.data_directory end, d.timeline
    into name, recorded_at, port, data_directory, timeline
    from postrider.deployment d;
end
$$;
