-- set_wake(channel, wake): how publications on a channel wake consumers.
--   doorbell  NOTIFY only while a consumer sleeps (the default)
--   always    NOTIFY with the message's id in every publishing commit, for listeners other than Postrider; an empty
--             NOTIFY for work that is not a message, for example a replay
--   never     no NOTIFY; consumers poll
-- Raises: PR001 for another value. Takes a short exclusive lock on the log.
-- Touches: channel, audit, the trigger outbox_notify on message.
-- postrider: grant operator
-- postrider: after outbox_notify, write_audit
create or replace function postrider.set_wake(p_channel text, p_wake text) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '1s'
    as $$
declare
    v_always text[];
begin
    if p_wake is null or p_wake not in ('doorbell', 'always', 'never') then
        raise exception using errcode = 'PR001', message = 'wake must be doorbell, always or never';
    elsif p_channel is null or octet_length(p_channel) not between 1 and 63 then
        raise exception using errcode = 'PR001', message = 'a channel name must have 1 to 63 bytes';
    end if;
    insert into postrider.channel (name, wake) values (p_channel, p_wake)
    on conflict (name) do update set wake = excluded.wake;
    drop trigger if exists outbox_notify on postrider.message;
    select array_agg(name order by name) into v_always from postrider.channel where wake = 'always';
    if v_always is not null then
        execute format(
            'create trigger outbox_notify after insert on postrider.message for each row
             when (new.channel = any (%L::text[])) execute function postrider.outbox_notify()', v_always);
    end if;
    perform postrider.write_audit(session_user, 'set_wake', 'by ' || session_user, jsonb_build_object('channel', p_channel), null,
                                  jsonb_build_object('wake', p_wake));
end
$$;
