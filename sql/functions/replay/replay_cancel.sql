-- replay_cancel(replay, actor, reason): ends a replay, or refuses a proposed one. Items that were moved continue and report their outcome; the
-- others stay dead.
-- Raises: PR014 no such replay, PR012 it has ended, PR001 without actor or reason.
-- postrider: grant operator
-- postrider: after replay_change
create or replace function postrider.replay_cancel(p_replay bigint, p_actor text, p_reason text) returns void
    language sql volatile security definer
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '5s'
    as $$
    select postrider.replay_change(
        p_replay, '{proposed,canary,running,paused}', 'cancelled', 'replay_cancel', p_actor, p_reason)
    $$;
