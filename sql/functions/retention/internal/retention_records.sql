-- retention_records(limit, dry_run): removes alerts, ended replays and audit entries that are old enough, and of the alerts
-- the oldest beyond the setting alert_keep_count. At most p_limit of each per call.
-- A target for which no sender has claimed alerts for as long as alerts are kept is removed as well.
-- Returns: entity and how many of it were removed, or would be. Touches: alert, alert_sending, alert_target,
--   alert_configuration, replay, replay_item, audit.
-- postrider: after audit_floor, retention_of, retention_note
create or replace function postrider.retention_records(p_limit int, p_dry_run boolean)
    returns table (entity text, things bigint)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set timezone = 'UTC'
    as $$
declare
    v_keep bigint := (select value::bigint from postrider.setting where name = 'alert_keep_count');
    v_before timestamptz;
    v_ids bigint[];
    p postrider.retention_policy;
begin
    foreach entity in array array['alert', 'replay', 'audit'] loop
        p := postrider.retention_of(entity, '*');
        v_before := case when p.disposal = 'keep' then '-infinity' else clock_timestamp() - p.active_ttl - p.grace end;
        if entity = 'audit' then
            -- A lower limit for every policy.
            v_before := least(v_before, clock_timestamp() - postrider.audit_floor());
        end if;
        v_ids := case entity
            when 'alert' then array(
                select a.id from postrider.alert a
                where a.at < v_before
                   or a.id <= (select n.id from postrider.alert n order by n.id desc offset v_keep limit 1)
                order by a.id limit p_limit)
            when 'replay' then array(
                select r.id from postrider.replay r where r.ended_at < v_before order by r.id limit greatest(p_limit / 100, 1))
            else array(select a.id from postrider.audit a where a.at < v_before order by a.id limit p_limit) end;
        things := cardinality(v_ids);
        if not p_dry_run then
            case entity
                when 'alert' then
                    delete from postrider.alert_sending s where s.alert_id = any (v_ids);
                    delete from postrider.alert a where a.id = any (v_ids);
                    delete from postrider.alert_configuration c
                    using postrider.alert_target t
                    where t.name = c.target and t.seen_at < v_before;
                    delete from postrider.alert_sending s
                    using postrider.alert_target t
                    where t.name = s.target and t.seen_at < v_before;
                    delete from postrider.alert_target t where t.seen_at < v_before;
                when 'replay' then
                    delete from postrider.replay_item i where i.replay_id = any (v_ids);
                    delete from postrider.replay r where r.id = any (v_ids);
                else
                    delete from postrider.audit a where a.id = any (v_ids);
            end case;
            perform postrider.retention_note(entity, 0, things);
        end if;
        return next;
    end loop;
end
$$;
