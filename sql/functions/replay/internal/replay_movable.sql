-- replay_movable(replay): how many more items of a replay may be moved now, whatever its rate. In the phase canary these are the
-- canaries that are missing: an item that was skipped proves nothing, so the next one takes its place. A pure function of its argument.
create or replace function postrider.replay_movable(p_replay postrider.replay) returns int
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return case p_replay.phase
               when 'canary' then greatest(0, least(p_replay.total - p_replay.moved_to,
                                                    p_replay.canary + p_replay.untried - p_replay.moved_to))
               when 'running' then p_replay.total - p_replay.moved_to
               else 0 end;
end
$$;
