-- preview_rows(preview, part): one list of a replay_preview() as rows. part: handlers, event_types, fingerprints or samples.
-- preview: the JSON object that replay_preview() returned.
-- Returns: null in the columns that the list does not have.
-- postrider: grant operator, agent
create or replace function postrider.preview_rows(p_preview jsonb, p_part text) returns table (
    consumer text, channel text, handler text, event_type text, fingerprint text, error_class text, last_error text, count bigint,
    delivery bigint, id uuid, attempts int, dead_at timestamptz)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return query
        select r.* from jsonb_to_recordset(p_preview -> p_part) r(
            consumer text, channel text, handler text, event_type text, fingerprint text, error_class text, last_error text, count bigint,
            delivery bigint, id uuid, attempts int, dead_at timestamptz);
end
$$;
