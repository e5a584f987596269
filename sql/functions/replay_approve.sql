-- replay_approve(replay, actor, reason): starts a proposed replay, with its canary if it has one.
-- Raises: PR014 no such replay; PR012 it is not proposed, was proposed too long ago, or by the same actor;
--   PR001 without actor or reason.
-- Touches: replay, audit; wakes workers.
-- postrider: after replay_change, tell_of_replay
create or replace function postrider.replay_approve(p_replay bigint, p_actor text, p_reason text) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    r postrider.replay;
begin
    select * into r from postrider.replay where id = p_replay for no key update;
    if r.phase = 'proposed' and r.expires_at <= clock_timestamp() then
        raise exception using errcode = 'PR012',
            message = format('replay_approve: replay %s was proposed too long ago', p_replay),
            hint = 'Look at what is dead now, and propose or start another one.';
    elsif r.phase = 'proposed' and r.actor = p_actor then
        raise exception using errcode = 'PR012',
            message = format('replay_approve: %s has proposed replay %s and cannot approve it', p_actor, p_replay),
            hint = 'Somebody else has to.';
    end if;
    perform postrider.replay_change(
        p_replay, '{proposed}', case when r.canary > 0 then 'canary' else 'running' end, 'replay_approve', p_actor, p_reason);
    update postrider.replay
    set approved_by = left(p_actor, 255), approved_at = clock_timestamp(), started_at = clock_timestamp(),
        canary_passed = (canary = 0)
    where id = p_replay;
    perform postrider.tell_of_replay();
end
$$;
