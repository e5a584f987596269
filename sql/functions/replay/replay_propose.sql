-- replay_propose(filter, actor, reason, canary, rate, generation, expected): proposes a replay that another database user has to approve. The
-- arguments are replay_start()'s, filter among them. The set and its preview are frozen now: the approver approves the dead letters in the
-- preview, without those that were replayed or discarded since. No item moves before replay_approve(); after `proposal_keep` (setting) it can no
-- longer be approved.
-- The database user who proposes it cannot approve it. 100 proposals of one user can wait at a time, and no further one when they have a million
-- dead letters together, each of which has a row.
-- Returns: the replay's id; its phase is proposed.
-- Raises: the errors of replay_start(), PR012 when 100 proposals of the session user wait, or a million dead letters in them, 55P03 as take_lock(),
--   PR005 outside READ COMMITTED.
-- Touches: replay, replay_item, audit.
-- postrider: grant operator, agent
-- postrider: after replay_make, replay_preview, require_read_committed, take_lock, lock_proposals
create or replace function postrider.replay_propose(
    p_filter jsonb, p_actor text, p_reason text, p_canary int default 0, p_rate float8 default null,
    p_generation bigint default null, p_expected bigint default null
) returns bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_id bigint;
    v_waiting record;
begin
    perform postrider.require_read_committed('replay_propose');
    -- Parallel calls of a user would not see each other's proposals.
    perform postrider.take_lock(postrider.lock_proposals(), hashtext(session_user), 'proposals of ' || session_user);
    select count(*) as proposals, coalesce(sum(r.total), 0) as items into v_waiting
    from postrider.replay r where r.phase = 'proposed' and r.proposed_by = session_user;
    if v_waiting.proposals >= 100 or v_waiting.items >= 1000000 then
        raise exception using errcode = 'PR012',
            message = format('replay_propose: %s proposals of %s with %s dead letters wait to be approved; the limits are 100 and 1000000',
                             v_waiting.proposals, session_user, v_waiting.items),
            hint = 'Wait until an operator has approved or cancelled some.';
    end if;
    v_id := postrider.replay_make(
        'replay_propose', 'proposed', p_filter, p_actor, p_reason, p_canary, p_rate, p_generation, p_expected);
    update postrider.replay
    set proposed_by = session_user, preview = postrider.replay_preview(p_filter),
        expires_at = clock_timestamp() + (select value::interval from postrider.setting where name = 'proposal_keep')
    where id = v_id;
    return v_id;
end
$$;
