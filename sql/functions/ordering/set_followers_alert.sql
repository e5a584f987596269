-- set_followers_alert(consumer, followers, actor, reason, channel): how many messages may wait for one ordering key of a consumer before an alert
-- is raised. They are never dropped and never hold back other keys; see alert_backlogs(). null: as the setting followers_alert says.
-- Operators may change all consumers, other roles their own.
-- Raises: PR003 when there is no such consumer, PR001 for a number that is not between 1 and 1000000, and without actor or reason, PR010 for a consumer of another role.
-- Touches: consumer, audit.
-- postrider: grant operator, worker
-- postrider: after is_member, require_owner, write_audit
create or replace function postrider.set_followers_alert(
    p_consumer text, p_followers int, p_actor text default session_user, p_reason text default 'not given',
    p_channel text default 'outbox_default'
) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    c postrider.consumer;
begin
    if p_followers not between 1 and 1000000 then
        raise exception using errcode = 'PR001', message = format('followers must be between 1 and 1000000, got %s', p_followers);
    end if;
    if not postrider.is_member('postrider_operator') then
        perform postrider.require_owner(p_consumer);
    end if;
    select * into c from postrider.consumer o where o.name = p_consumer and o.channel = p_channel for no key update;
    if not found then
        raise exception using errcode = 'PR003', message = format('there is no consumer %s on channel %s', p_consumer, p_channel);
    end if;
    update postrider.consumer o set followers_alert = p_followers where o.id = c.id and o.followers_alert is distinct from p_followers;
    perform postrider.write_audit(
        p_actor, 'set_followers_alert', p_reason, jsonb_build_object('consumer', p_consumer, 'channel', p_channel),
        to_jsonb(c.followers_alert), to_jsonb(p_followers))
    where c.followers_alert is distinct from p_followers;
end
$$;
