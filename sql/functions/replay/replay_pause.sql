-- replay_pause(replay, actor, reason): moves no more items until replay_resume(). Items that were moved continue.
-- Raises: PR014 no such replay, PR012 it is not under way, PR001 without actor or reason.
-- postrider: grant operator
-- postrider: after replay_change
create or replace function postrider.replay_pause(p_replay bigint, p_actor text, p_reason text) returns void
    language sql volatile security definer
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '5s'
    as $$
    select postrider.replay_change(p_replay, '{canary,running}', 'paused', 'replay_pause', p_actor, p_reason)
    $$;
