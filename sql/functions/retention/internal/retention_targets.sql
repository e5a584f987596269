-- retention_targets(before): removes alert targets for which no sender has claimed alerts since an instant. A target is skipped while
-- another transaction has it, a configuration or a sending of it locked.
-- Touches: alert_target, alert_configuration, alert_sending.
create or replace function postrider.retention_targets(p_before timestamptz) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '10ms'
    as $$
declare
    v_name text;
begin
    for v_name in select t.name from postrider.alert_target t where t.seen_at < p_before loop
        begin
            delete from postrider.alert_target t where t.name = v_name and t.seen_at < p_before;
            if found then
                delete from postrider.alert_configuration c where c.target = v_name;
                delete from postrider.alert_sending s where s.target = v_name;
            end if;
        exception when lock_not_available then
            null;
        end;
    end loop;
end
$$;
