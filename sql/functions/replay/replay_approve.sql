-- replay_approve(replay, actor, reason, token): starts a proposed replay, with its canary if it has one.
-- Two different people are two database users. One user may act for many, as the HTTP server does for the holders of access tokens:
-- p_token is the SHA-256 of the token of p_actor, which must be older than the proposal. Two names of one actor are not enough.
-- Raises: PR014 no such replay; PR012 it is not proposed, was proposed too long ago, or by the same user or actor;
--   PR001 without actor or reason.
-- Touches: replay, audit; access_token (read); wakes workers.
-- postrider: grant operator
-- postrider: after replay_change, notify_workers
create or replace function postrider.replay_approve(
    p_replay bigint, p_actor text, p_reason text, p_token bytea default null
) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    r postrider.replay;
begin
    select * into r from postrider.replay where id = p_replay for no key update;
    if r.phase = 'proposed' and r.expires_at <= clock_timestamp() then
        raise exception using errcode = 'PR012',
            message = format('replay_approve: the approval period of replay %s is over', p_replay),
            hint = 'Propose or start another replay of the current dead letters.';
    elsif r.phase = 'proposed' and lower(btrim(r.actor)) = lower(btrim(p_actor)) then
        raise exception using errcode = 'PR012',
            message = format('replay_approve: %s has proposed replay %s and cannot approve it', p_actor, p_replay),
            hint = 'Let another person approve it.';
    elsif r.phase = 'proposed' and r.proposed_by = session_user and not exists (
              select from postrider.access_token t
              where t.sha256 = p_token and lower(t.name) = lower(btrim(p_actor)) and t.revoked_at is null and coalesce(t.expires_at, 'infinity') > clock_timestamp()
                and t.role in ('operator', 'admin') and t.created_at < r.started_at) then
        raise exception using errcode = 'PR012',
            message = format('replay_approve: the database user %s has proposed replay %s and cannot approve it', session_user,
                             p_replay),
            hint = 'Approve it as another database user or with an access token made before it was proposed. Agents should connect '
                   'as a user of their own, with the role postrider_agent.';
    end if;
    perform postrider.replay_change(
        p_replay, '{proposed}', case when r.canary > 0 then 'canary' else 'running' end, 'replay_approve', p_actor, p_reason);
    update postrider.replay
    set approved_by = left(p_actor, 255), approved_at = clock_timestamp(), started_at = clock_timestamp(),
        canary_passed = (canary = 0)
    where id = p_replay;
    perform postrider.notify_workers('replay');
end
$$;
