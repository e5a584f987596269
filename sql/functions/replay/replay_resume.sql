-- replay_resume(replay, actor, reason): resumes a paused replay: with its canaries until they have passed, or with the rest if it paused
-- because one of them died again.
-- Raises: PR014 no such replay, PR012 it is not paused, PR001 without actor or reason.
-- Wakes workers.
-- postrider: grant operator
-- postrider: after replay_change, notify_workers
create or replace function postrider.replay_resume(p_replay bigint, p_actor text, p_reason text) returns void
    language sql volatile security definer
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '5s'
    as $$
    select postrider.replay_change(
        p_replay, '{paused}',
        case when exists (select from postrider.replay r where r.id = p_replay and not r.canary_passed and not r.canary_died)
             then 'canary' else 'running' end,
        'replay_resume', p_actor, p_reason);
    select postrider.notify_workers('replay')
    $$;
