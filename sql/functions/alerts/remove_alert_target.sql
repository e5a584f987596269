-- remove_alert_target(target): removes a target. No alert is sent to it any more, not even alerts that are still
-- unsent.
-- Touches: alert_target, alert_configuration, alert_sending, audit.
-- postrider: grant operator
-- postrider: after write_audit
create or replace function postrider.remove_alert_target(p_target text) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '5s'
    as $$
declare
    v_unsent bigint;
begin
    delete from postrider.alert_target where name = p_target;
    if found then
        delete from postrider.alert_configuration where target = p_target;
        delete from postrider.alert_sending where target = p_target;
        get diagnostics v_unsent = row_count;
        perform postrider.write_audit(
            session_user, 'remove_alert_target', 'by ' || session_user, jsonb_build_object('target', p_target),
            jsonb_build_object('unsent', v_unsent));
    end if;
end
$$;
