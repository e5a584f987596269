-- replay_change(replay, from, to, action, actor, reason): changes the phase of a replay and records it.
-- Raises: PR014 when there is no such replay, PR012 when its phase is none of p_from, PR001 without actor or reason.
-- Touches: replay, replay_item, audit.
-- postrider: after write_audit
create or replace function postrider.replay_change(
    p_replay bigint, p_from text[], p_to text, p_action text, p_actor text, p_reason text
) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_phase text;
begin
    select phase into v_phase from postrider.replay where id = p_replay for no key update;
    if not found then
        raise exception using errcode = 'PR014', message = format('there is no replay %s', coalesce(p_replay::text, '(null)'));
    elsif v_phase <> all (p_from) then
        raise exception using errcode = 'PR012',
            message = format('%s: replay %s is %s', p_action, p_replay, v_phase),
            hint = format('It has to be %s.', array_to_string(p_from, ' or '));
    end if;
    update postrider.replay
    set phase = p_to, paused_reason = case when p_to = 'paused' then p_reason end, tokens = 1,
        tokens_at = clock_timestamp(),
        -- Resuming after the canary approves the rest.
        canary_passed = canary_passed or p_to = 'running',
        ended_at = case when p_to = 'cancelled' then clock_timestamp() end
    where id = p_replay;
    if p_to = 'cancelled' then
        update postrider.replay_item set outcome = 'cancelled', ended_at = clock_timestamp()
        where replay_id = p_replay and outcome = 'waiting';
    end if;
    perform postrider.write_audit(
        p_actor, p_action, p_reason, null, jsonb_build_object('replay', p_replay, 'phase', v_phase),
        jsonb_build_object('replay', p_replay, 'phase', p_to));
end
$$;
