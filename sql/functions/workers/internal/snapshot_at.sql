-- snapshot_at(channel, at): a snapshot that shows the messages of a channel up to an instant, for a cursor: it shows the ended transactions
-- below the first one that published after the instant. Reads the partition of the instant up to the first message after it.
-- Touches: message (read).
-- postrider: after current_snapshot
create or replace function postrider.snapshot_at(p_channel text, p_at timestamptz) returns pg_snapshot
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_now pg_snapshot := postrider.current_snapshot();
    v_first xid8 := (select min(m.xid) from postrider.message m where m.channel = p_channel and m.published_at >= p_at);
    v_running text;
begin
    if v_first is null or v_first >= pg_snapshot_xmax(v_now) then
        return v_now;
    end if;
    select string_agg(x::text, ',' order by x) into v_running from pg_snapshot_xip(v_now) x where x < v_first;
    return format('%s:%s:%s', least(v_first, pg_snapshot_xmin(v_now)), v_first, coalesce(v_running, ''))::pg_snapshot;
end
$$;
