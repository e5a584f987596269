-- replay_judge_canary(replay): the replay after its canary items were moved: paused if one of them died again, running if none runs any
-- more, otherwise as it was. If all were skipped, none has proved anything, and twice as many items are canaries. Decides only.
-- Touches: replay_item (read).
create or replace function postrider.replay_judge_canary(p_replay postrider.replay) returns postrider.replay
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    r postrider.replay := p_replay;
begin
    if r.phase <> 'canary' or r.moved_to < least(r.canary, r.total) then
        return r;
    elsif exists (select from postrider.replay_item i where i.replay_id = r.id and i.number <= r.canary and i.outcome = 'failed') then
        r.phase := 'paused';
        r.paused_reason := 'a canary died again';
    elsif not exists (select from postrider.replay_item i
                      where i.replay_id = r.id and i.number <= r.canary and i.outcome = 'moved') then
        if r.canary >= r.total or exists (select from postrider.replay_item i
                                          where i.replay_id = r.id and i.number <= r.canary and i.outcome = 'delivered') then
            r.phase := 'running';
            r.canary_passed := true;
        else
            r.canary := least(r.total, 2 * r.canary);
        end if;
    end if;
    return r;
end
$$;
