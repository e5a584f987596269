-- add_alert_target(target): alerts that are raised from now on are to be sent to this target, too.
-- A target is a name; what it means is up to who sends there, for example a webhook.
-- Raises: PR001 for a name that is empty or longer than 127 bytes.
-- Touches: alert_target.
create or replace function postrider.add_alert_target(p_target text) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if coalesce(octet_length(p_target), 0) not between 1 and 127 then
        raise exception using errcode = 'PR001', message = 'add_alert_target: a target has a name of 1 to 127 bytes';
    end if;
    insert into postrider.alert_target (name) values (p_target) on conflict do nothing;
end
$$;
