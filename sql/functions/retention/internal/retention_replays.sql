-- retention_replays(limit, dry_run, before): removes replays that ended before an instant, with their items. Scans a hundredth of p_limit
-- per call, because a replay has many items, from where the last call stopped. A replay is skipped while another transaction has it or
-- an item of it locked: a report on a message that a cancelled replay moved locks the item.
-- Returns: how many were removed, or would be. Touches: replay, replay_item.
-- postrider: after retention_note
create or replace function postrider.retention_replays(p_limit int, p_dry_run boolean, p_before timestamptz) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '10ms'
    as $$
declare
    v_most constant int := greatest(p_limit / 100, 1);
    v_place bigint := (select place from postrider.retention_progress where step = 'replay');
    v_due bigint[] := array(select r.id from postrider.replay r where r.id > v_place and r.ended_at < p_before order by r.id limit v_most);
    v_count bigint := 0;
    v_id bigint;
begin
    if p_dry_run then
        return cardinality(v_due);
    end if;
    foreach v_id in array v_due loop
        begin
            delete from postrider.replay_item i where i.replay_id = v_id;
            delete from postrider.replay r where r.id = v_id;
            v_count := v_count + 1;
        exception when lock_not_available then
            null;
        end;
    end loop;
    perform postrider.retention_note('replay', case when cardinality(v_due) = v_most then v_due[v_most] else 0 end, v_count);
    return v_count;
end
$$;
