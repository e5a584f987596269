-- retention_note(step, place, removed): records where a step of retention stopped and how many rows it removed.
-- Touches: retention_progress.
create or replace function postrider.retention_note(p_step text, p_place bigint, p_removed bigint) returns void
    language sql volatile
    set search_path = pg_catalog, pg_temp
    as $$
    update postrider.retention_progress
    set place = p_place, removed = removed + p_removed, last_run_at = clock_timestamp()
    where step = p_step
    $$;
