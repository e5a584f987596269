-- server_mismatch(): whether the server looks like a physical copy of the one this deployment was recorded on: it runs on the same
-- timeline at another port or in another data directory. A failover begins a new timeline and is not reported; neither is a copy
-- that was promoted, or one on another host with the same port and directory. The data directory counts where the caller may
-- read it.
-- Returns: the difference in words, null when there is none. Touches: deployment (read, with the owner's rights).
-- postrider: grant worker, operator, viewer
-- postrider: after deployment
create or replace function postrider.server_mismatch() returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    d record;
    v_directory text := case when pg_has_role('pg_read_all_settings', 'usage') then current_setting('data_directory', true) end;
begin
    select * into d from postrider.deployment();
    if pg_is_in_recovery() or left(pg_walfile_name(pg_current_wal_lsn()), 8) is distinct from d.timeline then
        return null;
    elsif d.port <> current_setting('port')::int then
        return format('port %s instead of %s', current_setting('port'), d.port);
    elsif d.data_directory <> v_directory then
        return format('data directory %s instead of %s', v_directory, d.data_directory);
    end if;
    return null;
end
$$;
