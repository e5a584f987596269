-- send_alerts(alerts): notes for every target that these alerts are to be sent there.
-- Touches: alert_sending (insert); alert, alert_target (read).
create or replace function postrider.send_alerts(p_alerts bigint[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    insert into postrider.alert_sending (target, alert_id, consumer, available_at)
    select t.name, a.id, a.consumer, clock_timestamp()
    from postrider.alert_target t cross join postrider.alert a
    where a.id = any (p_alerts);
end
$$;
