-- remove_alert_target(target): nothing more is to be sent to this target, not even what is still unsent.
-- Touches: alert_target, alert_configuration, alert_sending.
create or replace function postrider.remove_alert_target(p_target text) returns void
    language sql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
    delete from postrider.alert_target where name = p_target;
    delete from postrider.alert_configuration where target = p_target;
    delete from postrider.alert_sending where target = p_target
    $$;
