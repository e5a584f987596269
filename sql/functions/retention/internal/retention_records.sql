-- retention_records(limit, dry_run): removes alerts, ended replays and audit entries that are old enough, and of the alerts
-- the oldest beyond the setting alert_keep_count. At most p_limit of each per call. Rows that another transaction has locked are skipped.
-- A target for which no sender has claimed alerts for as long as alerts are kept is removed as well.
-- Returns: entity and how many of it were removed, or would be. Touches: alert, alert_sending, alert_target,
--   alert_configuration, replay, replay_item, audit.
-- postrider: after audit_floor, retention_of, retention_note, retention_alerts, retention_replays, retention_targets
create or replace function postrider.retention_records(p_limit int, p_dry_run boolean)
    returns table (entity text, things bigint)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set timezone = 'UTC'
    as $$
declare
    v_before timestamptz;
    v_ids bigint[];
    p postrider.retention_policy;
begin
    foreach entity in array array['alert', 'replay', 'audit'] loop
        p := postrider.retention_of(entity, '*');
        v_before := case when p.disposal = 'keep' then '-infinity' else clock_timestamp() - p.active_ttl - p.grace end;
        case entity
        when 'alert' then
            things := postrider.retention_alerts(p_limit, p_dry_run, v_before);
            if not p_dry_run then
                perform postrider.retention_targets(v_before);
            end if;
        when 'replay' then
            things := postrider.retention_replays(p_limit, p_dry_run, v_before);
        else
            -- A lower limit for every policy.
            v_before := least(v_before, clock_timestamp() - postrider.audit_floor());
            v_ids := array(select a.id from postrider.audit a where a.at < v_before order by a.id limit p_limit for update skip locked);
            things := cardinality(v_ids);
            if not p_dry_run then
                delete from postrider.audit a where a.id = any (v_ids);
                perform postrider.retention_note(entity, 0, things);
            end if;
        end case;
        return next;
    end loop;
end
$$;
