-- pause_consumer(consumer, paused, channel, actor, reason): stops or resumes handing out a consumer's messages.
-- No message is lost during the pause, and running messages can be settled. The audit records the actor and the
-- reason.
-- Raises: PR003 when there is no such consumer, PR001 when p_paused is null.
-- Touches: consumer, audit; rings.
-- postrider: grant operator
-- postrider: after ring, write_audit
create or replace function postrider.pause_consumer(
    p_consumer text, p_paused boolean default true, p_channel text default 'outbox_default',
    p_actor text default session_user, p_reason text default 'not given'
) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '5s'
    as $$
begin
    if p_paused is null then
        raise exception using errcode = 'PR001', message = 'pause_consumer: paused must be true to pause the consumer or false to resume it, got null';
    end if;
    update postrider.consumer set paused = p_paused where name = p_consumer and channel = p_channel;
    if not found then
        raise exception using errcode = 'PR003',
            message = format('there is no consumer %s on channel %s', p_consumer, p_channel);
    end if;
    perform postrider.ring(p_channel);
    perform postrider.write_audit(
        p_actor, case when p_paused then 'pause_consumer' else 'resume_consumer' end, p_reason,
        jsonb_build_object('consumer', p_consumer, 'channel', p_channel));
end
$$;
