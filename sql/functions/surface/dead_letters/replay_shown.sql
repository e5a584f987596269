-- replay_shown(replay, workspace): one replay, its counts and their summary, with ids as text.
-- workspace: only if the replay's filter names it; null means any.
-- Returns: a JSON object; null when there is no such replay.
-- postrider: grant operator, viewer, agent
-- postrider: after replays, replay_status, shown
create or replace function postrider.replay_shown(p_replay bigint, p_workspace text default null) returns json
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    -- The view's counts are not selected: replay_status() counts them once.
    return (
        select postrider.shown(row_to_json(v), true)
        from (select r.replay, r.phase, r.actor, r.reason, r.filter, r.generation, r.canary, r.canary_passed, r.rate, r.total,
                     r.started_at, r.paused_reason, r.ended_at, r.approved_by, r.approved_at, r.expires_at,
                     s.waiting, s.moved, s.delivered, s.failed, s.skipped, s.cancelled, s.summary
              from postrider.replays r
              cross join lateral postrider.replay_status(r.replay) s
              where r.replay = p_replay and (p_workspace is null or r.filter ->> 'workspace_id' = p_workspace)) v);
end
$$;
