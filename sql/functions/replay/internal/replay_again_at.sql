-- replay_again_at(replay, still, now): when to step a replay again. p_still is the time since the last change. A pure function of
-- its arguments.
-- Returns: an instant, at most a day from now; null when the replay has ended or pauses.
-- postrider: after replay_movable
create or replace function postrider.replay_again_at(p_replay postrider.replay, p_still interval, p_now timestamptz)
    returns timestamptz
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return case when p_replay.phase not in ('canary', 'running') then null
                -- Nothing may be moved: polls more slowly the longer nothing changes.
                when postrider.replay_movable(p_replay) = 0
                then p_now + greatest(interval '10 ms', least(interval '1 second', p_still / 4))
                -- The rate allows more: the last step looked at items that were skipped.
                when p_replay.rate is null or p_replay.tokens >= 1 then p_now
                -- With a rate, several items per step. make_interval() of a very low rate would overflow.
                else p_now + make_interval(secs => least(86400, greatest(0.1, (1 - p_replay.tokens) / p_replay.rate))) end;
end
$$;
