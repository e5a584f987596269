-- retention_alerts(limit, dry_run, before): removes alerts that were raised before an instant, and the oldest beyond the setting
-- alert_keep_count, with what is left to be sent of them. Scans p_limit of them per call, from where the last call stopped. An alert is
-- skipped while another transaction has it or a sending of it locked: claim_alerts() of any worker locks sendings.
-- Returns: how many were removed, or would be. Touches: alert, alert_sending.
-- postrider: after retention_note
create or replace function postrider.retention_alerts(p_limit int, p_dry_run boolean, p_before timestamptz) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_place bigint := (select place from postrider.retention_progress where step = 'alert');
    v_keep bigint := (select value::bigint from postrider.setting where name = 'alert_keep_count');
    v_due bigint[] := array(
        select a.id from postrider.alert a
        where a.id > v_place
          and (a.at < p_before or a.id <= (select n.id from postrider.alert n order by n.id desc offset v_keep limit 1))
        order by a.id limit p_limit);
    v_count bigint;
begin
    if p_dry_run then
        return cardinality(v_due);
    end if;
    with own as materialized (
        select a.id from postrider.alert a where a.id = any (v_due) for update skip locked
    ), own_sending as materialized (
        select s.alert_id, s.target from postrider.alert_sending s where s.alert_id = any (v_due) for update skip locked
    ), other_sending as materialized (
        select s.alert_id, s.target from postrider.alert_sending s where s.alert_id = any (v_due)
        except
        select s.alert_id, s.target from own_sending s
    ), free as materialized (
        select o.id from own o where o.id not in (select s.alert_id from other_sending s)
    ), unsent as (
        delete from postrider.alert_sending s using free f where s.alert_id = f.id
    ), gone as (
        delete from postrider.alert a using free f where a.id = f.id returning a.id
    )
    select count(*) into v_count from gone;
    perform postrider.retention_note('alert', case when cardinality(v_due) = p_limit then v_due[p_limit] else 0 end, v_count);
    return v_count;
end
$$;
