-- may_use_target(target, configuration): whether a sender of alerts may use a target.
-- A target without configurations is open to every sender. One with configurations is open to senders that know one of them,
-- because they send to the same place, and to members of the role that introduced the target: otherwise any worker could make
-- the alerts of another team go elsewhere.
-- Touches: alert_target, alert_configuration (read).
-- postrider: after is_member
create or replace function postrider.may_use_target(p_target text, p_configuration text) returns boolean
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return not exists (select from postrider.alert_configuration c where c.target = p_target)
        or exists (select from postrider.alert_configuration c where c.target = p_target and c.configuration = p_configuration)
        or exists (select from postrider.alert_target t where t.name = p_target and postrider.is_member(t.owner));
end
$$;
