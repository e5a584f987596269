-- replay_again_at(replay, upto, still, now): when to step a replay again. p_upto is the number of the last item that may be moved, p_still
-- the time since the last change. A pure function of its arguments.
-- Returns: an instant, at most a day from now; null when the replay has ended or pauses.
create or replace function postrider.replay_again_at(p_replay postrider.replay, p_upto int, p_still interval, p_now timestamptz)
    returns timestamptz
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return case when p_replay.phase not in ('canary', 'running') then null
                -- All items are moved: polls more slowly the longer nothing changes.
                when p_replay.moved_to >= p_upto
                then p_now + greatest(interval '10 ms', least(interval '1 second', p_still / 4))
                when p_replay.rate is null then p_now
                -- With a rate, several items per step. make_interval() of a very low rate would overflow.
                else p_now + make_interval(secs => least(86400, greatest(0.1, (1 - p_replay.tokens) / p_replay.rate))) end;
end
$$;
