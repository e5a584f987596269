-- doorbell_state(channel): whether NOTIFY announces the messages of a channel.
-- Returns: state and, for 'unserved', the connection that holds the keeper's lock.
--   kept      a keeper serves, or the channel's wake is 'always'
--   unkept    no connection is the keeper: call doorbell_keep()
--   unserved  a connection holds the keeper's lock and does not do the keeper's work: poll
--   poll      the channel's wake is 'never': poll
-- Touches: channel (read).
-- postrider: grant worker
-- postrider: after unserving_keeper, lock_keeper
create or replace function postrider.doorbell_state(p_channel text, out state text, out holder text)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_wake text := coalesce((select c.wake from postrider.channel c where c.name = p_channel), 'doorbell');
begin
    if v_wake <> 'doorbell' then
        state := case v_wake when 'never' then 'poll' else 'kept' end;
        return;
    elsif pg_try_advisory_xact_lock(postrider.lock_keeper(), hashtext(p_channel)) then
        state := 'unkept';
        return;
    end if;
    holder := postrider.unserving_keeper(p_channel);
    state := case when holder is null then 'kept' else 'unserved' end;
end
$$;
