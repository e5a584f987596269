-- add_alert_target(target): alerts that are raised from now on are to be sent to this target, too.
-- A target is a name; what it means is up to who sends there, for example a webhook.
-- Raises: PR001 for a name that is empty or longer than 127 bytes, PR002 for more than 100 targets: every alert has a row for each.
-- Touches: alert_target.
create or replace function postrider.add_alert_target(p_target text) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if coalesce(octet_length(p_target), 0) not between 1 and 127 then
        raise exception using errcode = 'PR001', message = 'add_alert_target: a target has a name of 1 to 127 bytes';
    end if;
    if exists (select from postrider.alert_target where name = p_target) then
        return;
    end if;
    lock table postrider.alert_target in share row exclusive mode;  -- two that are the hundredth see each other
    if (select count(*) >= 100 from postrider.alert_target) then
        raise exception using errcode = 'PR002', message = 'add_alert_target: there are 100 alert targets, which is the limit',
            hint = 'Remove those that nobody sends to any more: postrider.remove_alert_target.';
    end if;
    insert into postrider.alert_target (name) values (p_target) on conflict do nothing;
end
$$;
