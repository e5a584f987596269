-- record_server(): notes where the server of this deployment runs: its port, its timeline, and its data directory where the
-- caller may read that. server_mismatch() compares it.
-- Touches: deployment.
create or replace function postrider.record_server() returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    update postrider.deployment
    set recorded_at = clock_timestamp(), port = current_setting('port')::int,
        data_directory = case when pg_has_role('pg_read_all_settings', 'usage') then current_setting('data_directory', true) end,
        timeline = case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end;
end
$$;
