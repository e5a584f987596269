-- doorbell_sleep(channel): the keeper asks whether it may wait for a NOTIFY.
-- Returns: 'asleep': from now on every publication rings; claim once more, then wait, then doorbell_wake.
--   'busy': a producer that did not ring is about to commit; claim again in a few milliseconds.
--   'poll': the channel's wake is 'never'; nothing will ring.
-- Touches: channel (read); a session-level advisory lock.
create or replace function postrider.doorbell_sleep(p_channel text) returns text
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_wake text := coalesce((select wake from postrider.channel where name = p_channel), 'doorbell');
begin
    if v_wake = 'never' then
        return 'poll';
    elsif v_wake = 'always' or pg_try_advisory_lock(1886351201, hashtext(p_channel)) then
        return 'asleep';
    end if;
    return 'busy';
end
$$;
