-- enter_channel(channel): called by the domain doorbell for a channel that this connection has not published to lately, also before
-- its first check of the cluster. A transaction holds an entry of the server's lock table for every channel it publishes to, so it
-- may publish to at most a thousand. A transaction can enter one channel several times, so the locks themselves are counted, in every
-- 250th call. Replication copies the whole log in one transaction, with all its channels, and is exempt.
-- Returns: true. Raises: PR002 for more than 1000 channels in one transaction, PR001 for the channel of messages from brokers, and as
--   enter_cluster().
-- postrider: grant producer
-- postrider: after enter_cluster, lock_doorbell
create or replace function postrider.enter_channel(p_channel text) returns boolean
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    -- Calls in this transaction. Any user can change the setting, so it only determines when the locks are counted: fire_due() treats an
    -- error as the schedule's.
    v_entered int := 1 + coalesce(substring(current_setting('postrider.entered', true) from '^[0-9]{1,6}$'), '0')::int;
begin
    if p_channel = 'broker' then
        raise exception using errcode = 'PR001', message = 'the channel broker is for messages from brokers',
            hint = 'Publish to another channel, or call postrider.hand_over.';
    elsif current_setting('postrider.cluster', true) is distinct from 'known' then
        perform postrider.enter_cluster();
    end if;
    if v_entered % 250 = 0 and current_setting('session_replication_role') <> 'replica'
       and (select count(*) >= 999 from pg_locks
            where locktype = 'advisory' and pid = pg_backend_pid() and classid = postrider.lock_doorbell()::oid) then
        raise exception using errcode = 'PR002', message = 'one transaction cannot publish to more than 1000 channels',
            hint = 'Commit more often, or publish to fewer channels and distinguish messages by event_type or target.';
    end if;
    perform set_config('postrider.entered', v_entered::text, true),
            set_config('postrider.channels', left(p_channel || ',' || coalesce(current_setting('postrider.channels', true), ''), 2000),
                       false);
    return true;
end
$$;
