-- replay_status(replay): the state of a replay, with the counts of its items by outcome.
-- Returns: its phase, the counts, a sentence: "4180 delivered, 32 died again, 3 skipped: already replayed", and notes, the reasons
--   for skipped items, null when there are none.
-- Raises: PR014 when there is no such replay.
-- postrider: grant operator, viewer, agent
-- postrider: after replays
create or replace function postrider.replay_status(
    p_replay bigint, out phase text, out total int, out waiting int, out moved int, out delivered int, out failed int,
    out skipped int, out cancelled int, out summary text, out notes text
)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    select r.phase, r.total into phase, total from postrider.replay r where r.id = p_replay;
    if not found then
        raise exception using errcode = 'PR014', message = format('there is no replay %s', coalesce(p_replay::text, '(null)'));
    end if;
    select v.waiting, v.moved, v.delivered, v.failed, v.skipped, v.cancelled
    into waiting, moved, delivered, failed, skipped, cancelled
    from postrider.replays v where v.replay = p_replay;
    if skipped > 0 then
        notes := (select string_agg(distinct i.note, ', ') from postrider.replay_item i where i.replay_id = p_replay and i.note is not null);
    end if;
    summary := concat_ws(', ',
        format('%s delivered', delivered), format('%s died again', failed),
        case when moved > 0 then format('%s running', moved) end,
        case when waiting > 0 then format('%s waiting', waiting) end,
        case when cancelled > 0 then format('%s cancelled', cancelled) end,
        case when skipped > 0 then format('%s skipped: %s', skipped, notes) end);
end
$$;
