-- pause_consumer(consumer, paused, channel): stops or resumes handing out a consumer's messages.
-- Nothing is lost meanwhile; what is running may be settled.
-- Raises: PR003 when there is no such consumer.
-- postrider: after ring
create or replace function postrider.pause_consumer(
    p_consumer text, p_paused boolean default true, p_channel text default 'outbox_default'
) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    update postrider.consumer set paused = p_paused where name = p_consumer and channel = p_channel;
    if not found then
        raise exception using errcode = 'PR003',
            message = format('there is no consumer %s on channel %s', p_consumer, p_channel);
    end if;
    perform postrider.ring(p_channel);
end
$$;
