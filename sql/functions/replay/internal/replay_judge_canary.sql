-- replay_judge_canary(replay): the replay after what its canaries did: paused if one of them died again, running if all were moved and none
-- runs any more, otherwise as it was. Other items take the places of canaries that were cancelled. Decides only.
-- Touches: replay_item (read).
-- postrider: after replay_movable
create or replace function postrider.replay_judge_canary(p_replay postrider.replay) returns postrider.replay
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    r postrider.replay := p_replay;
begin
    if r.phase <> 'canary' then
        return r;
    elsif exists (select from postrider.replay_item i
                  where i.replay_id = r.id and i.number <= r.moved_to and i.outcome = 'failed') then
        r.phase := 'paused';
        r.canary_died := true;
        r.paused_reason := 'a canary died again';
    elsif postrider.replay_movable(r) = 0
          and not exists (select from postrider.replay_item i where i.replay_id = r.id and i.outcome = 'moved') then
        select count(*) into r.untried from postrider.replay_item i
        where i.replay_id = r.id and i.number <= r.moved_to and i.outcome <> 'delivered';
        if postrider.replay_movable(r) = 0 then
            r.phase := 'running';
            r.canary_passed := true;
        end if;
    end if;
    return r;
end
$$;
